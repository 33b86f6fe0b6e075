import { isSameSecret } from '../same-secret.ts';

export interface BearerKey {
  readonly name: string;
  readonly key: string;
}

/** The name of the key that an `Authorization` header holds. All keys are compared, each in the same time. */
export function findBearer(header: string | undefined, keys: readonly BearerKey[]): string | undefined {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  return keys.filter(({ key }) => isSameSecret(given, key) && given !== '')[0]?.name;
}
