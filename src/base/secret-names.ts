/** Names whose values are secrets: they live in `.env`, and are never shown whole. */
const SECRET_NAME = /(^|_)(API_KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_\d+)?$/i;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
export const isVariable = (name: string): boolean => VARIABLE.test(name);

/** Enough to tell two keys apart, too little to use one. */
export const maskSecret = (secret: string): string => (secret.length >= 20 ? `***${secret.slice(-4)}` : '***');

/** A value as it may be shown: members with secret names and passwords in addresses are masked, and so is any known secret inside a text. */
export function maskValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((part) => maskValue(part, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isSecretName(key) && typeof member === 'string' ? maskSecret(member) : maskValue(member, secrets),
    ]),
  );
}

/** The secrets of an environment, long enough that finding one in a text is no accident. */
export const listSecretValues = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value !== undefined && value.length >= 8 && isSecretName(name) ? [value] : []));

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, maskSecret(secret)), text);
  return clean.replace(/(\/\/[^/\s:@]*:)[^/\s@]+@/g, '$1***@');
}
