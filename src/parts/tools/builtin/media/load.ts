import { toErrorMessage } from '../../../../base/errors.ts';
import { redactUrl } from '../../../../base/http.ts';
import { isToolFailure, ToolFailure, type ToolContext } from '../../../../contracts/tool.ts';
import { locate } from '../files/locate.ts';
import type { MediaOptions, PathGuard } from './options.ts';

export interface LoadedMedia {
  readonly bytes: Buffer;
  /** As it may be told. */
  readonly shown: string;
  /** Where it came from over the network; empty for a file. */
  readonly url: string;
}
export interface LoadOptions extends Pick<MediaOptions, 'reach'> {
  readonly guard: PathGuard;
}

/** Larger pictures are refused by every model. */
const MAX_BYTES = 20_000_000;
const FETCH_MS = 30_000;

/** The bytes of a picture, wherever it is. */
export function loadPicture(given: string, context: ToolContext, options: LoadOptions): Promise<LoadedMedia> {
  if (/^data:/i.test(given)) return fromData(given);
  return /^https?:/i.test(given) ? fromWeb(given, context.signal, options) : fromFile(withoutScheme(given), context, options);
}

/** Not a file of the place commands run in. */
export const isElsewhere = (given: string): boolean => /^\s*(?:data|https?):/i.test(given);
export const withoutScheme = (given: string): string => given.trim().replace(/^file:\/\//, '');

async function fromData(given: string): Promise<LoadedMedia> {
  const [, base64, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/is.exec(given) ?? [];
  const bytes = base64 === undefined ? Buffer.from(decodeURIComponent(data), 'latin1') : Buffer.from(data, 'base64');
  return sized({ bytes, shown: 'a picture given inline', url: 'data:' });
}

async function fromWeb(url: string, signal: AbortSignal, { reach }: LoadOptions): Promise<LoadedMedia> {
  const fetched = await reach([]).fetch({ url, signal, timeoutMs: FETCH_MS, maxBytes: MAX_BYTES + 1 });
  const shown = redactUrl(url);
  if (!fetched.ok) throw new ToolFailure(`${shown} was not loaded. ${fetched.reason}`);
  if (fetched.status !== 200) throw new ToolFailure(`${shown} was not loaded: the site answered ${fetched.status}.`);
  return sized({ bytes: fetched.body, shown, url: fetched.url });
}

async function fromFile(given: string, { terminal, signal }: ToolContext, { guard }: LoadOptions): Promise<LoadedMedia> {
  const { files } = terminal;
  const place = await locate(given, terminal);
  const { path } = place;
  guard(place, 'read');
  try {
    const facts = await files.stat(path);
    if (facts?.kind !== 'file') throw new ToolFailure(`${path} ${facts === undefined ? 'does not exist' : 'is not a file'}.`);
    if (facts.size > MAX_BYTES) throw tooLarge(path, facts.size);
    const chunks: Buffer[] = [];
    for await (const chunk of files.read(path, signal)) chunks.push(chunk);
    return sized({ bytes: Buffer.concat(chunks), shown: path, url: '' });
  } catch (error) {
    throw isToolFailure(error) ? error : new ToolFailure(`${path} was not read: ${toErrorMessage(error)}`);
  }
}

function sized(loaded: LoadedMedia): LoadedMedia {
  if (loaded.bytes.length > MAX_BYTES) throw tooLarge(loaded.shown, loaded.bytes.length);
  if (loaded.bytes.length === 0) throw new ToolFailure(`${loaded.shown} is empty.`);
  return loaded;
}

const tooLarge = (shown: string, size: number): ToolFailure =>
  new ToolFailure(`${shown} has ${size >= MAX_BYTES + 1 ? `more than ${MAX_BYTES}` : size} bytes; make it smaller first.`);
