import { readPath, parseJson, readStringAt } from '../../../../base/json.ts';
import type { Json } from '../../../../base/json-types.ts';
import { toOneLine } from '../../../../base/printable.ts';
import { takeStart } from '../../../../base/text.ts';
import type { MediaOptions, ReadyService, MediaService } from './options.ts';

export interface MediaRequest {
  /** Begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}
export type MediaResponse =
  | { readonly ok: true; readonly mime: string; readonly bytes: Buffer; json(): Json | undefined }
  | { readonly ok: false; readonly reason: string };

const TIMEOUT_MS = 180_000;
const MAX_BYTES = 60_000_000;
const SHOWN = 300;

/** What statuses mean at most services. */
const STATUSES: Readonly<Record<number, string>> = {
  401: 'it does not accept the key',
  402: 'it wants to be paid',
  429: 'it has had too many requests; try again later',
};

/** Sends one request to a back end. What goes wrong is told in words that hold no key. */
export async function askService(
  { path, headers, body }: MediaRequest,
  { base }: ReadyService<MediaService>,
  { reach }: MediaOptions,
  signal: AbortSignal,
): Promise<MediaResponse> {
  const fetched = await reach([base]).fetch({
    url: `${base}${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (!fetched.ok) return { ok: false, reason: fetched.reason.replace(/\.$/, '') };
  const { status, body: bytes, cut } = fetched;
  if (status < 200 || status > 299) return { ok: false, reason: `it answered ${status}, ${complaint(status, bytes.toString('utf8'))}` };
  if (cut) return { ok: false, reason: `it sent more than ${MAX_BYTES} bytes` };
  const mime = (fetched.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { ok: true, mime, bytes, json: () => parseJson(bytes.toString('utf8')) };
}

/** The words of the service itself tell most, when there are any. */
function complaint(status: number, body: string): string {
  const json = parseJson(body);
  const own =
    readStringAt(json, 'error', 'message') ??
    readStringAt(json, 'detail', 'message') ??
    readStringAt(json, 'detail') ??
    readStringAt(json, 'message') ??
    readStringAt(json, 'error');
  const words = takeStart(toOneLine(own ?? (readPath(json) === undefined ? body : '')), SHOWN);
  const known = STATUSES[status];
  return (
    [known, words === '' ? undefined : `saying ${JSON.stringify(words)}`].filter((each) => each !== undefined).join(', ') ||
    'without a word'
  );
}
