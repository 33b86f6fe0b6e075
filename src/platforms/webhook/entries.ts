import { readPath } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { SIGNATURE_SCHEMES } from '../../base/sign-webhook.ts';
import { readSignatureForm, type FormResult, type SignatureForm } from '../../base/signature-form.ts';
import type { RouteSignature } from './signatures.ts';

/** What comes in by one name, and what is made of it. */
export interface WebhookRoute {
  readonly name: string;
  readonly secret: string;
  readonly scheme: RouteSignature['scheme'];
  /** With the scheme `hmac`: where the signature stands, and what it is made over. */
  readonly form?: SignatureForm;
  /** Events it is for: `issues`, `issues.opened`. All when empty. */
  readonly events: readonly string[];
  readonly prompt?: string;
  readonly skills: readonly string[];
  readonly toolsets?: readonly string[];
  /** Where the result goes, as a target is typed; absent: to the log. */
  readonly deliver?: string;
  /** The filled template itself is the result. */
  readonly isDirect: boolean;
  readonly description?: string;
}
/** Where results can be sent. */
export interface WebhookTarget {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly description?: string;
}
export interface WebhookEntries {
  readonly routes: ReadonlyMap<string, WebhookRoute>;
  readonly targets: ReadonlyMap<string, WebhookTarget>;
}
export type EntryReading =
  | { readonly type: 'route'; readonly route: WebhookRoute }
  | { readonly type: 'target'; readonly target: WebhookTarget }
  | { readonly type: 'problem'; readonly why: string };

/** No colon: chat ids are made of it and the id of a delivery. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const SCHEMES: readonly RouteSignature['scheme'][] = ['auto', ...SIGNATURE_SCHEMES, 'hmac'];
/** A word of other versions for a route that anybody may call. */
const NO_SECRET = 'INSECURE_NO_AUTH';

/** An entry of the settings or of the file of subscriptions. One with an address is a target. */
export function readEntry(name: string, table: JsonObject, usualSecret: string): EntryReading {
  if (!NAME.test(name))
    return problem(
      `"${name}" is not a valid name for a webhook: use letters, digits, "-" and "_", 64 at most, beginning with a letter or digit.`,
    );
  const secret = textOf(table, 'secret') ?? usualSecret;
  if (secret === '' || secret === 'whsec_')
    return problem(
      `The webhook "${name}" has no secret, so anybody could use it. Set ${'url' in table ? `platforms.webhook.extra.targets.${name}.secret` : `platforms.webhook.extra.routes.${name}.secret, or WEBHOOK_SECRET for all routes`}.`,
    );
  if (secret === NO_SECRET)
    return problem(`The webhook "${name}" switches its secret off (${NO_SECRET}), which is not possible. Set a secret.`);
  return 'url' in table ? readTarget(name, secret, table) : readRoute(name, secret, table);
}

const problem = (why: string): EntryReading => ({ type: 'problem', why });

function readTarget(name: string, secret: string, table: JsonObject): EntryReading {
  const url = textOf(table, 'url') ?? '';
  const why = findUrlProblem(url);
  if (why !== undefined) return problem(`The webhook "${name}" cannot be sent to: ${why}`);
  return { type: 'target', target: { name, url, secret, ...described(table) } };
}

/** Results may hold anything an agent has read: outside of this house they travel encrypted. */
export function findUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return `"${text}" is not an http address. Write it in full, as in https://example.org/hook.`;
  if (url.username !== '' || url.password !== '') return 'its address has a password in it. Leave it out: requests are signed.';
  return url.protocol === 'https:' || isNear(url.hostname) ? undefined : `${url.hostname} is reached over plain http. Use https.`;
}

/** This machine, or a network at home, as far as the spelling tells. */
const isNear = (host: string): boolean =>
  /^(?:localhost|127\.[\d.]+|\[::1\]|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[f[cd][\da-f:]+\]|[^.:]+|.+\.(?:local|lan|internal|home\.arpa))$/i.test(
    host,
  );

function readRoute(name: string, secret: string, table: JsonObject): EntryReading {
  const wanted = textOf(table, 'scheme') ?? 'auto';
  const scheme = SCHEMES.find((each) => each === wanted);
  if (scheme === undefined) return problem(`The webhook "${name}" has an unknown scheme "${wanted}". There are: ${SCHEMES.join(', ')}.`);
  const signature = scheme === 'hmac' ? readForm(table) : undefined;
  if (signature?.ok === false) return problem(`The webhook "${name}" has the scheme hmac: ${signature.why}`);
  const deliver = readDeliver(table);
  const isDirect = table['deliver_only'] === true || table['deliver_only'] === 'true';
  const prompt = textOf(table, 'prompt');
  if (isDirect && (deliver === undefined || prompt === undefined))
    return problem(`The webhook "${name}" is deliver_only, so it needs a prompt (the text to deliver) and deliver (where to).`);
  if (deliver !== undefined && /^https?:/i.test(deliver))
    return problem(
      `The webhook "${name}" delivers to an address. Name it first: hermes webhook add NAME --url ${deliver}. Then deliver to webhook:NAME.`,
    );
  const toolsets = listOf(table['toolsets']);
  return {
    type: 'route',
    route: {
      name,
      secret,
      scheme,
      ...(signature !== undefined && { form: signature.form }),
      events: listOf(table['events']),
      ...(prompt !== undefined && { prompt }),
      skills: listOf(table['skills']),
      ...(toolsets.length > 0 && { toolsets }),
      ...(deliver !== undefined && { deliver }),
      isDirect,
      ...described(table),
    },
  };
}

function readForm(table: JsonObject): FormResult {
  const signature = textOf(table, 'signature');
  return signature === undefined
    ? { ok: false, why: 'it needs signature, such as "X-Signature: sha256={hex}".' }
    : readSignatureForm(signature, textOf(table, 'signed'));
}

/** `telegram` and the chat beside it, as other versions have it, is `telegram:CHAT`. */
function readDeliver(table: JsonObject): string | undefined {
  const deliver = textOf(table, 'deliver');
  if (deliver === undefined || deliver === 'log' || deliver === 'local') return undefined;
  const [chat, thread] = ['chat_id', 'thread_id'].map((key) => idOf(readPath(table, 'deliver_extra', key)));
  return chat === undefined || deliver.includes(':') ? deliver : [deliver, chat, ...(thread === undefined ? [] : [thread])].join(':');
}

const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
const textOf = (table: JsonObject, key: string): string | undefined => {
  const value = table[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};
const listOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : []).flatMap((each) => each.trim() || []);
const described = (table: JsonObject): { readonly description?: string } => {
  const description = textOf(table, 'description');
  return description === undefined ? {} : { description };
};
