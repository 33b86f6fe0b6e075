import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseHost, parseOrigin } from '../../base/http.ts';
import { readStringAt } from '../../base/json.ts';
import { isReadable } from '../../base/readable.ts';
import type { DownloadResult, InboundMedia, OutboundMedia, SendResult } from '../../contracts/platform-adapter.ts';
import { explainFailure, type SlackClient } from './client.ts';

interface SlackFileDeps {
  readonly client: SlackClient;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Brings a file to Slack. Nobody sees it before it is shared, so nothing about it is ever unknown. */
export async function uploadFile(
  media: OutboundMedia,
  { client, token, signal }: SlackFileDeps,
): Promise<{ type: 'uploaded'; id: string } | SendResult> {
  // Nobody brings it back: another try would fail as well.
  if (!(await isReadable(media.path))) return { type: 'refused', why: 'the file could not be read' };
  const asked = await client.call('files.getUploadURLExternal', { filename: media.name, length: media.bytes }, { token, signal });
  if (asked.type === 'limited') return { type: 'limited', retryAfterMs: asked.retryAfterMs, scope: 'account' };
  if (asked.type === 'error') return { type: 'refused', why: explainFailure(asked) };
  if (asked.type !== 'ok') return { type: 'not_sent', why: explainFailure(asked) };
  const [url, id] = [readStringAt(asked.body, 'upload_url'), readStringAt(asked.body, 'file_id')];
  if (url === undefined || id === undefined) return { type: 'not_sent', why: 'Slack gave no address for the file.' };
  const headers = { 'content-type': media.mime, 'content-length': media.bytes };
  const put = await client.fetch(url, { method: 'POST', headers, body: createReadStream(media.path), signal });
  if (put.type !== 'response') return { type: 'not_sent', why: put.why };
  put.body.resume();
  return put.status === 200 ? { type: 'uploaded', id } : { type: 'not_sent', why: `Slack answered ${put.status} to the file.` };
}

const MAX_REDIRECTS = 3;

/** Loads a file, with the token only where Slack or the configured server is. */
export async function downloadFile(
  media: InboundMedia,
  to: { readonly path: string; readonly maxBytes: number },
  { client, token, signal, apiUrl }: SlackFileDeps & { readonly apiUrl: string },
): Promise<DownloadResult> {
  let url = readStringAt(media.handle, 'url') ?? '';
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    if (!isOurs(url, apiUrl)) return { type: 'failed', why: `The file is not at Slack but at ${parseHost(url)}.`, retry: false };
    const got = await client.fetch(url, { method: 'GET', headers: { authorization: `Bearer ${token}` }, signal });
    if (got.type !== 'response') return { type: 'failed', why: got.why, retry: true };
    const { status, headers, body } = got;
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      body.resume();
      url = new URL(headers.location, url).href;
      continue;
    }
    const refusal = readRefusal(status, headers['content-type'] ?? '', readStringAt(media.handle, 'mime') ?? '');
    if (refusal !== undefined) {
      body.destroy();
      return refusal;
    }
    return save(body, to, headers['content-type']);
  }
  return { type: 'failed', why: 'Slack redirected the download too many times.', retry: false };
}

const isOurs = (url: string, apiUrl: string): boolean =>
  parseOrigin(url) === parseOrigin(apiUrl) || /^https:\/\/(?:[\w-]+\.)*slack(?:-edge)?\.com\//.test(url);

function readRefusal(status: number, type: string, mime: string): DownloadResult | undefined {
  if (status !== 200) return { type: 'failed', why: `Slack answered ${status} for the file.`, retry: status >= 500 || status === 429 };
  if (!type.startsWith('text/html') || mime.startsWith('text/html')) return undefined;
  return {
    type: 'failed',
    why: 'Slack asks to sign in for the file. Add the scope files:read to the Slack app and install it again.',
    retry: false,
  };
}

async function save(
  body: Readable,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
  mime: string | undefined,
): Promise<DownloadResult> {
  let bytes = 0;
  const bounded = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new RangeError('too large');
      yield chunk;
    }
  };
  try {
    await pipeline(body, bounded, createWriteStream(path));
    return { type: 'done', bytes, ...(mime !== undefined && { mime }) };
  } catch (error) {
    await rm(path, { force: true });
    if (bytes > maxBytes) return { type: 'too_large' };
    return {
      type: 'failed',
      why: `The download stopped before its end: ${error instanceof Error ? error.message : String(error)}`,
      retry: true,
    };
  }
}
