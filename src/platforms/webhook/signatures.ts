import { timingSafeEqual } from 'node:crypto';
import { isSameSecret } from '../../base/same-secret.ts';
import { sha256 } from '../../base/sha256.ts';
import { isObject, parseJson, readStringAt } from '../../base/json.ts';
import {
  hmac,
  listStandardKeys,
  readVendorForm,
  SIGNATURE_SCHEMES,
  type SignatureScheme,
  type VendorScheme,
} from '../../base/sign-webhook.ts';
import { checkSignature, hasTimestamp, type SignatureForm } from '../../base/signature-form.ts';

/** What a signature is made over: headers by lower-case names, and the bytes as they came. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
/** A request whose sender knows the secret. */
export interface VerifiedRequest {
  readonly scheme: SignatureScheme | 'hmac';
  /** The sender's own id for it, where it gave one. */
  readonly id?: string;
  /** The same for every copy of one event: nothing in it can be changed by somebody who has only seen the request. */
  readonly once: string;
  /** What an equal one that came shortly before may have been known by. */
  readonly earlier?: readonly string[];
  /** Of a signature that holds for a few minutes and does not cover the id: it counts for one id alone. */
  readonly seal?: string;
}
/** How far the clock of a sender may differ from ours: older requests were kept by somebody. */
export const TOLERANCE_MS = 300_000;

interface SchemeRow {
  /** The header by which it is known. */
  readonly header: string;
  verify(request: SignedRequest, secret: string, now: number): Omit<VerifiedRequest, 'scheme'> | undefined;
}

/**
 * Strongest first: where no scheme is set, the first that a request claims must hold. One that fails is never made good by
 * another.
 */
const SCHEMES: Readonly<Record<SignatureScheme, SchemeRow>> = {
  standard: { header: 'webhook-signature', verify: verifyStandard },
  stripe: vendorRow('stripe'),
  slack: vendorRow('slack'),
  github: { header: 'x-hub-signature-256', verify: verifyGithub },
  generic_v2: { header: 'x-webhook-signature-v2', verify: verifyGenericV2 },
  shopify: vendorRow('shopify'),
  generic: { header: 'x-webhook-signature', verify: verifyGeneric },
  gitlab: { header: 'x-gitlab-token', verify: verifyGitlab },
};

/** How requests of a route are signed. */
export interface RouteSignature {
  readonly secret: string;
  /** `auto`: as the request claims. `hmac`: by a form of the route's own. */
  readonly scheme: SignatureScheme | 'auto' | 'hmac';
  readonly form?: SignatureForm;
}

/** Whether whoever sent a request knows the secret; `undefined` when not. */
export function verifyRequest(request: SignedRequest, { secret, scheme, form }: RouteSignature, now: number): VerifiedRequest | undefined {
  const named = withSvixNames(request);
  if (scheme === 'hmac') {
    const found = form === undefined || secret === '' ? undefined : verifyForm({ form }, named, secret, now);
    return found && { scheme, ...found };
  }
  const chosen = scheme === 'auto' ? SIGNATURE_SCHEMES.find((each) => SCHEMES[each].header in named.headers) : scheme;
  if (chosen === undefined || secret === '') return undefined;
  const found = SCHEMES[chosen].verify(named, secret, now);
  return found && { scheme: chosen, ...found };
}

/** Svix has the same headers under its own name. */
function withSvixNames({ headers, body }: SignedRequest): SignedRequest {
  const renamed = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('svix-') ? [[`webhook-${name.slice('svix-'.length)}`, value] as const] : [],
  );
  return { body, headers: { ...Object.fromEntries(renamed), ...headers } };
}

/** Standard Webhooks: id, time and body are signed; one of several signatures is enough, for secrets that are being changed. */
function verifyStandard({ headers, body }: SignedRequest, secret: string, now: number) {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': given = '' } = headers;
  if (id === '' || !isRecent(at, now)) return undefined;
  const offered = given.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  const expected = listStandardKeys(secret).map((key) => hmac(key, `${id}.${at}.`, body).toString('base64'));
  const isValid = expected.flatMap((one) => offered.map((other) => isSameSecret(one, other))).includes(true);
  return isValid ? { id, once: `id:${id}` } : undefined;
}

/** GitHub signs the body alone. Its id could be changed, so equal bodies are one event; no two of GitHub's are equal. */
function verifyGithub({ headers, body }: SignedRequest, secret: string) {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(headers['x-hub-signature-256'] ?? '')?.[1] ?? '';
  if (!isHexHmac(given, secret, '', body)) return undefined;
  return { ...idOf(headers, 'x-github-delivery', 'x-gitea-delivery'), once: `body:${sha256(body)}` };
}

function vendorRow(scheme: VendorScheme): SchemeRow {
  const vendor = readVendorForm(scheme);
  return {
    header: vendor.form.headers[0]?.name ?? '',
    verify: (request, secret, now) => verifyForm(vendor, request, secret, now),
  };
}

/** An id in the body is signed with it. A signature without one counts once while it holds. */
function verifyForm(
  { form, id: idKey }: { readonly form: SignatureForm; readonly id?: string },
  { headers, body }: SignedRequest,
  secret: string,
  now: number,
) {
  const found = checkSignature(form, { headers, body }, secret);
  if (found === undefined || (hasTimestamp(form) && !isRecent(found.timestamp ?? '', now))) return undefined;
  const parsed = idKey === undefined ? undefined : parseJson(Buffer.from(body).toString('utf8'));
  const id = idKey !== undefined && isObject(parsed) ? readStringAt(parsed, idKey) : undefined;
  if (id !== undefined && id !== '') return { id, once: `id:${id}` };
  return { ...byGivenId(headers, body, now), ...(hasTimestamp(form) && { seal: found.signature }) };
}

function verifyGenericV2({ headers, body }: SignedRequest, secret: string, now: number) {
  const { 'x-webhook-timestamp': at = '', 'x-webhook-signature-v2': given = '' } = headers;
  if (!isRecent(at, now) || !isHexHmac(given, secret, `${at}.`, body)) return undefined;
  return { ...byGivenId(headers, body, now), seal: given.toLowerCase() };
}

function verifyGeneric({ headers, body }: SignedRequest, secret: string, now: number) {
  return isHexHmac(headers['x-webhook-signature'] ?? '', secret, '', body) ? byGivenId(headers, body, now) : undefined;
}

/** A token in place of a signature: it says who sends, and nothing about what. */
function verifyGitlab({ headers, body }: SignedRequest, secret: string, now: number) {
  return isSameSecret(headers['x-gitlab-token'] ?? '', secret) ? byGivenId(headers, body, now) : undefined;
}

const idOf = (headers: SignedRequest['headers'], ...names: readonly string[]): { readonly id?: string } => {
  const id = names.map((name) => headers[name]?.trim()).find((each) => each !== undefined && each !== '');
  return id === undefined ? {} : { id };
};

/** Equal bodies are told apart by stretches of time. */
const STRETCH_MS = 30_000;
/** So many before the one that runs: what a sender says again every five minutes is news each time. */
const EARLIER = TOLERANCE_MS / STRETCH_MS - 1;

/** An event counts once under its id. Without one, an equal body within a few minutes is taken for a repeat. */
function byGivenId(headers: SignedRequest['headers'], body: Uint8Array, now: number) {
  const { id } = idOf(headers, 'x-request-id', 'idempotency-key', 'x-gitlab-event-uuid', 'x-shopify-webhook-id');
  if (id !== undefined) return { id, once: `id:${id}` };
  const hash = sha256(body);
  const nameAt = (at: number): string => `body:${hash}:${Math.floor(at / STRETCH_MS)}`;
  const earlier = Array.from({ length: EARLIER }, (_, index) => nameAt(now - (index + 1) * STRETCH_MS));
  return { once: nameAt(now), earlier };
}

/** Seconds since the epoch, as both wires have them. */
const isRecent = (seconds: string, now: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) * 1_000 - now) <= TOLERANCE_MS;

const isHexHmac = (given: string, secret: string, before: string, body: Uint8Array): boolean =>
  /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), hmac(Buffer.from(secret), before, body));
