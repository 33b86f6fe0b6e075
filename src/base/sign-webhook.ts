import { createHmac } from 'node:crypto';
import { readSignatureForm, signWithForm, type SignatureForm } from './signature-form.ts';

/** Strongest first. */
export const SIGNATURE_SCHEMES = ['standard', 'stripe', 'slack', 'github', 'generic_v2', 'shopify', 'generic', 'gitlab'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

interface VendorForm {
  readonly signature: string;
  readonly signed?: string;
  /** The member of the body that names the event; it is signed with the body. */
  readonly id?: string;
}
/** Senders that differ from each other only in where the signature stands and what it is made over. */
const VENDOR_FORMS = {
  stripe: { signature: 'Stripe-Signature: t={timestamp},v1={hex}', id: 'id' },
  slack: {
    signature: 'X-Slack-Signature: v0={hex}; X-Slack-Request-Timestamp: {timestamp}',
    signed: 'v0:{timestamp}:{body}',
    id: 'event_id',
  },
  shopify: { signature: 'X-Shopify-Hmac-Sha256: {base64}' },
} as const satisfies Partial<Record<SignatureScheme, VendorForm>>;
export type VendorScheme = keyof typeof VENDOR_FORMS;

/** How a vendor signs. */
export function readVendorForm(scheme: VendorScheme): { readonly form: SignatureForm; readonly id?: string } {
  const row: VendorForm = VENDOR_FORMS[scheme];
  const read = readSignatureForm(row.signature, row.signed);
  if (!read.ok) throw new Error(`the form of ${scheme} cannot be read: ${read.why}`);
  return { form: read.form, ...(row.id !== undefined && { id: row.id }) };
}

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
  const as = (vendor: VendorScheme) => signByForm(readVendorForm(vendor).form, options);
  const rows: Readonly<Record<SignatureScheme, Readonly<Record<string, string>>>> = {
    standard: some('webhook-id', 'webhook-timestamp', 'webhook-signature'),
    stripe: as('stripe'),
    slack: as('slack'),
    shopify: { ...as('shopify'), 'x-shopify-webhook-id': options.id },
    github: { 'x-hub-signature-256': `sha256=${all['x-webhook-signature']}`, 'x-github-delivery': options.id },
    generic_v2: some('x-request-id', 'x-webhook-timestamp', 'x-webhook-signature-v2'),
    generic: some('x-request-id', 'x-webhook-signature'),
    gitlab: { 'x-gitlab-token': options.secret, 'idempotency-key': options.id },
  };
  return rows[scheme];
}

export const signByForm = (form: SignatureForm, { secret, now, body }: SigningOptions): Readonly<Record<string, string>> =>
  signWithForm(form, secret, String(Math.floor(now / 1_000)), Buffer.from(body));
