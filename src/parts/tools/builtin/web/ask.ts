import { toOneLine } from '../../../../base/printable.ts';
import { parseJson } from '../../../../base/json.ts';
import type { Json } from '../../../../base/json-types.ts';
import { takeStart } from '../../../../base/text.ts';
import type { FetchResult } from '../../../../contracts/reach.ts';
import type { BackendRequest } from './backends/backend.ts';
import type { ReadyBackend, WebOptions } from './options.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 8_000_000;
const SHOWN = 200;

/** What statuses mean at most services. */
const STATUSES: Readonly<Record<number, string>> = {
  401: 'it does not accept the key',
  402: 'it wants to be paid',
  403: 'it does not accept the key',
  429: 'it has had too many requests',
};

export type BackendResponse = { readonly ok: true; readonly json: Json } | { readonly ok: false; readonly reason: string };

/** Sends one request to a back end. What goes wrong is told in words that hold no key. */
export async function askBackend(
  request: BackendRequest,
  ready: ReadyBackend,
  { reach }: WebOptions,
  signal: AbortSignal,
): Promise<BackendResponse> {
  const { method, path, headers, body } = request;
  const fetched = await reach([ready.base]).fetch({
    url: `${ready.base}${path}`,
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  return answerOf(fetched, ready);
}

function answerOf(fetched: FetchResult, { backend }: ReadyBackend): BackendResponse {
  if (!fetched.ok) return { ok: false, reason: fetched.reason.replace(/\.$/, '') };
  const { status, body, cut } = fetched;
  const text = body.toString('utf8');
  if (status < 200 || status > 299) {
    const known = backend.statuses?.[status] ?? STATUSES[status] ?? takeStart(toOneLine(text), SHOWN);
    return { ok: false, reason: `it answered ${status}${known === '' ? '' : `, ${known}`}` };
  }
  const json = parseJson(text);
  return json === undefined || cut ? { ok: false, reason: 'its answer was not readable JSON' } : { ok: true, json };
}
