import type { IncomingMessage } from 'node:http';
import { toErrorMessage } from '../../../base/errors.ts';
import { parseHost, redactUrl } from '../../../base/http.ts';

export type SkillDownload =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly missing: boolean; readonly words: string };

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 30_000;

/** One file. Redirects are followed on the same host only: what was asked for is what is got, or nothing. */
export async function download(address: string, mostBytes: number, signal: AbortSignal): Promise<SkillDownload> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let url = address;
  try {
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await get(url, either);
      const next = redirectOf(response, url);
      if (next === undefined) return await bodyOf(response, url, mostBytes);
      response.destroy();
      if (!staysHome(url, next)) return failed(address, `it redirects to another host: ${redactUrl(next)}`);
      url = next;
    }
    return failed(address, `it redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    return failed(address, either.aborted && !signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : toErrorMessage(error));
  }
}

async function get(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { get: send } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Compressed bodies would hide their size.
  send(url, { agent: false, signal, headers: { 'user-agent': 'hermes', 'accept-encoding': 'identity' } }, resolve).on('error', reject);
  return promise;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: string): string | undefined {
  if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return undefined;
  return URL.parse(headers.location, from)?.href ?? headers.location;
}

const staysHome = (from: string, to: string): boolean =>
  parseHost(to) !== '' &&
  parseHost(from) === parseHost(to) &&
  (to.startsWith('https:') || (to.startsWith('http:') && from.startsWith('http:')));

async function bodyOf(response: IncomingMessage, url: string, mostBytes: number): Promise<SkillDownload> {
  const { statusCode = 0 } = response;
  if (statusCode !== 200) {
    response.destroy();
    return { ok: false, missing: statusCode === 404 || statusCode === 410, words: `${redactUrl(url)} answered with status ${statusCode}.` };
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) {
      response.destroy();
      return failed(url, `it is larger than ${mostBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return { ok: true, bytes: Buffer.concat(chunks) };
}

const failed = (url: string, why: string): SkillDownload => ({
  ok: false,
  missing: false,
  words: `${redactUrl(url)} could not be fetched: ${why}.`,
});
