import { createHmac } from 'node:crypto';

/** Strongest first. */
export const SIGNATURE_SCHEMES = ['standard', 'github', 'generic_v2', 'generic', 'gitlab'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

export const hmac = (key: Uint8Array, before: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(before).update(body).digest();

const STANDARD_PREFIX = 'whsec_';
/** A secret of Standard Webhooks is base64; one that is not marked as such may also be meant as it stands. */
export function listStandardKeys(secret: string): readonly Buffer[] {
  if (secret.startsWith(STANDARD_PREFIX)) return [Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')];
  const decoded = Buffer.from(secret, 'base64');
  return [Buffer.from(secret), ...(decoded.length > 0 && decoded.toString('base64') === secret ? [decoded] : [])];
}

/** What a request is signed with, for those that we send. */
export interface SigningOptions {
  readonly secret: string;
  /** The same at every attempt. */
  readonly id: string;
  readonly now: number;
  readonly body: string;
}

/** Headers by which a receiver can verify a request: those of Standard Webhooks, and the plain ones that we take ourselves. */
export function signRequest({ secret, id, now, body }: SigningOptions): Readonly<Record<string, string>> {
  const at = String(Math.floor(now / 1_000));
  const bytes = Buffer.from(body);
  const [key = Buffer.alloc(0)] = listStandardKeys(secret);
  return {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${hmac(key, `${id}.${at}.`, bytes).toString('base64')}`,
    'x-request-id': id,
    'x-webhook-timestamp': at,
    'x-webhook-signature': hmac(Buffer.from(secret), '', bytes).toString('hex'),
    'x-webhook-signature-v2': hmac(Buffer.from(secret), `${at}.`, bytes).toString('hex'),
  };
}

/** The headers that a sender of this scheme would send, to try a route out. */
export function signAs(scheme: SignatureScheme, options: SigningOptions): Readonly<Record<string, string>> {
  const all = signRequest(options);
  const some = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, all[name] ?? '']));
  const rows: Readonly<Record<SignatureScheme, Readonly<Record<string, string>>>> = {
    standard: some('webhook-id', 'webhook-timestamp', 'webhook-signature'),
    github: { 'x-hub-signature-256': `sha256=${all['x-webhook-signature']}`, 'x-github-delivery': options.id },
    generic_v2: some('x-request-id', 'x-webhook-timestamp', 'x-webhook-signature-v2'),
    generic: some('x-request-id', 'x-webhook-signature'),
    gitlab: { 'x-gitlab-token': options.secret, 'idempotency-key': options.id },
  };
  return rows[scheme];
}
