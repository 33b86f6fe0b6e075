import { createHmac } from 'node:crypto';
import { isSameSecret } from './same-secret.ts';

/**
 * Where a sender puts an HMAC-SHA256 and what it is made over, as data:
 * `X-Slack-Signature: v0={hex}; X-Slack-Request-Timestamp: {timestamp}` over `v0:{timestamp}:{body}`.
 */
export interface SignatureForm {
  readonly headers: readonly SignedHeader[];
  /** What stands before the body in the signed text; may hold `{timestamp}`. */
  readonly before: string;
}
interface SignedHeader {
  /** In lower case. */
  readonly name: string;
  readonly items: readonly { readonly prefix: string; readonly kind: ItemKind }[];
}
type ItemKind = 'hex' | 'base64' | 'timestamp';
export type FormResult = { readonly ok: true; readonly form: SignatureForm } | { readonly ok: false; readonly why: string };

const EXAMPLE = '"X-Signature: sha256={hex}" or "X-Signature: t={timestamp},v1={hex}"';
const BODY = '{body}';

/** Reads `HEADER: FORMAT; HEADER: FORMAT`. A format lists items between commas, each a prefix and one of the names in braces. */
export function readSignatureForm(signature: string, signed: string | undefined): FormResult {
  const headers = signature.split(';').map((part) => readHeader(part));
  const kinds = headers.flatMap((header) => header?.items.map(({ kind }) => kind) ?? []);
  const timestamps = kinds.filter((kind) => kind === 'timestamp').length;
  if (headers.includes(undefined) || timestamps > 1 || kinds.length !== timestamps + 1)
    return { ok: false, why: `"${signature}" does not say where one signature stands. Write it like ${EXAMPLE}.` };
  const text = signed ?? (timestamps === 0 ? BODY : `{timestamp}.${BODY}`);
  if (!text.endsWith(BODY) || text.slice(0, -BODY.length).includes(BODY))
    return { ok: false, why: `what is signed must end with {body}, as in "{timestamp}.{body}". "${text}" does not.` };
  if (text.includes('{timestamp}') !== (timestamps === 1))
    return { ok: false, why: 'a {timestamp} counts only if it stands both in the signature and in what is signed.' };
  return { ok: true, form: { headers: headers.filter((header) => header !== undefined), before: text.slice(0, -BODY.length) } };
}

function readHeader(part: string): SignedHeader | undefined {
  const [, name, format = ''] = /^\s*([\w-]+)\s*:\s*(\S.*?)\s*$/.exec(part) ?? [];
  const items = format.split(',').map((item) => /^\s*([^{}]*)\{(hex|base64|timestamp)\}\s*$/.exec(item));
  if (name === undefined || items.includes(null)) return undefined;
  return {
    name: name.toLowerCase(),
    items: items.map((match) => ({
      prefix: match?.[1] ?? '',
      kind: match?.[2] === 'timestamp' || match?.[2] === 'base64' ? match[2] : 'hex',
    })),
  };
}

export const hasTimestamp = ({ before }: SignatureForm): boolean => before.includes('{timestamp}');

/** Whether one of the signatures in the headers holds, and its time where it has one. */
export function checkSignature(
  { headers: forms, before }: SignatureForm,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
  secret: string,
): { readonly timestamp?: string; readonly signature: string } | undefined {
  const found = forms.flatMap(({ name, items }) =>
    (headers[name] ?? '').split(',').flatMap((value) => {
      const piece = value.trim();
      return items.flatMap(({ prefix, kind }) => (piece.startsWith(prefix) ? [{ kind, value: piece.slice(prefix.length) }] : []));
    }),
  );
  const timestamp = found.find(({ kind }) => kind === 'timestamp')?.value;
  const expected = makeHmac(secret, before, timestamp, body);
  const holds = found.filter(({ kind, value }) =>
    kind === 'hex'
      ? isSameSecret(value.toLowerCase(), expected.toString('hex'))
      : kind === 'base64' && isSameSecret(value, expected.toString('base64')),
  );
  const [signature] = holds;
  return signature && { signature: expected.toString('hex'), ...(timestamp !== undefined && { timestamp }) };
}

/** The headers of a request that is signed so. */
export function signWithForm(form: SignatureForm, secret: string, timestamp: string, body: Uint8Array): Readonly<Record<string, string>> {
  const made = makeHmac(secret, form.before, timestamp, body);
  const write = (kind: ItemKind): string => (kind === 'timestamp' ? timestamp : made.toString(kind));
  return Object.fromEntries(
    form.headers.map(({ name, items }) => [name, items.map(({ prefix, kind }) => `${prefix}${write(kind)}`).join(',')]),
  );
}

const makeHmac = (secret: string, before: string, timestamp: string | undefined, body: Uint8Array): Buffer =>
  createHmac('sha256', secret)
    .update(before.replace('{timestamp}', timestamp ?? ''))
    .update(body)
    .digest();
