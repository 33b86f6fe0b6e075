import type { HookLine } from '../../../contracts/services/hooks.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';

/** Where it is kept which hooks the owner trusts: in the store, which no tool writes to. */
export type TrustStore = Pick<SessionStore, 'fact' | 'learn'>;
/** Something that runs only as it was when its owner trusted it. */
export interface Trustable {
  /** By which it is trusted. */
  readonly name: string;
  /** Of all that is trusted with it. */
  readonly hash: string;
}
/** `revoked`: the owner trusted it once and took that back. */
export type TrustState = 'trusted' | 'untrusted' | 'revoked' | 'changed';

const trustKey = (name: string): string => `hook-trust:${name}`;

/** What may run: just what was trusted, to the byte. */
export async function judgeTrust({ name, hash }: Trustable, store: TrustStore): Promise<TrustState> {
  const trusted = await store.fact(trustKey(name));
  if (trusted === undefined) return 'untrusted';
  return trusted === '' ? 'revoked' : trusted === hash ? 'trusted' : 'changed';
}
export const trustHook = async ({ name, hash }: Trustable, store: TrustStore): Promise<void> =>
  void (await store.learn(trustKey(name), hash));
/** Gives whether it was trusted. */
export async function revokeHook(name: string, store: TrustStore): Promise<boolean> {
  const trusted = (await store.fact(trustKey(name))) ?? '';
  await store.learn(trustKey(name), '');
  return trusted !== '';
}
/** As the owner is told: what was revoked is not trusted. */
export const toLineState = (state: TrustState): HookLine['state'] => (state === 'revoked' ? 'untrusted' : state);
