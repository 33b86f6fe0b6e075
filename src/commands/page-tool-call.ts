import { toPrintable } from '../base/printable.ts';
import { formatDuration } from '../base/screen/when.ts';
import { isObject } from '../base/json.ts';
import type { FileDiff } from '../contracts/details.ts';
import type { LogMessage } from '../contracts/entry.ts';
import type { ImageBlock, Json, TextBlock, ToolCall, ToolMessage } from '../contracts/message.ts';
import { describeCall } from './describe.ts';
import { drawFenced } from './page-fences.ts';
import { drawCode, findLanguage } from './page-highlight.ts';
import { markup, Markup } from './page-markup.ts';
import { drawFolded } from './page-tables.ts';

/** A call folded into a line, with what went in and what came out below it. */
export function drawToolCall(call: ToolCall, result: LogMessage | undefined, keys: readonly string[]): Markup {
  const message = result?.message.role === 'tool' ? result.message : undefined;
  const state = message === undefined ? 'no result' : message.failed ? 'failed' : '';
  const time = result?.ms === undefined ? '' : formatDuration(result.ms);
  const line = markup`<code>${describeCall(call)}</code>${state === '' ? undefined : markup` <span class="bad">${state}</span>`} <span class="faint">${time}</span>`;
  return drawFolded(line, [drawInput(call), message === undefined ? undefined : drawResult(message, result?.details, keys)], 'call');
}

/** A result whose call is not before it. */
export const drawLoneResult = ({ message, details }: LogMessage, keys: readonly string[]): Markup =>
  message.role === 'tool' ? drawFolded(markup`<code>${message.name}</code> result`, drawResult(message, details, keys), 'call') : markup``;

function drawInput({ input, malformed }: ToolCall): Markup {
  if (malformed !== undefined) return drawCode(malformed);
  if (!isObject(input)) return drawCode(JSON.stringify(input, undefined, 2), 'json');
  const path = typeof input['path'] === 'string' ? input['path'] : '';
  const long = Object.entries(input).filter((pair): pair is [string, string] => isLong(...pair));
  const short = Object.fromEntries(Object.entries(input).filter(([key, value]) => !isLong(key, value)));
  return markup`${Object.keys(short).length === 0 ? undefined : drawCode(JSON.stringify(short, undefined, 2), 'json')}${long.map(
    ([key, value]) => markup`<p class="label">${key}</p>${drawCode(value, LANGUAGE_OF[key] ?? findLanguage(path))}`,
  )}`;
}
/** Arguments that are read as lines of their own. */
const LANGUAGE_OF: Readonly<Record<string, string>> = { command: 'bash', patch: 'diff', diff: 'diff' };
const isLong = (key: string, value: Json | undefined): boolean => typeof value === 'string' && (key in LANGUAGE_OF || value.includes('\n'));

function drawResult({ content }: ToolMessage, details: LogMessage['details'], keys: readonly string[]): Markup {
  const blocks = content.map((block) => (block.type === 'image' ? drawImage(block) : drawResultText(block, keys)));
  const words = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  // What the model was told of a change is often the change itself: once is enough.
  const changes = details?.kind === 'diff' ? details.files.filter(({ diff }) => diff === '' || !words.includes(diff.trim())) : [];
  return markup`<p class="label">result</p>${blocks}${changes.map(drawFileDiff)}`;
}
const drawResultText = ({ text }: TextBlock, keys: readonly string[]): Markup =>
  drawFenced(text, (words) => (isDiff(words) ? drawDiff(words) : drawCode(words)), keys);

const isDiff = (text: string): boolean => /^--- .*\n\+\+\+ .*\n@@ /m.test(text);

const drawFileDiff = ({ path, change, diff, added, removed, cut }: FileDiff): Markup =>
  markup`<p class="label">${path} ${change}, <span class="add">+${added}</span> <span class="del">−${removed}</span>${cut === true ? ', shown in part' : ''}</p>${diff === '' ? undefined : drawDiff(diff)}`;

const KINDS: Readonly<Record<string, string>> = { '+': 'add', '-': 'del', '@': 'faint' };
const drawDiff = (diff: string): Markup =>
  markup`<pre class="diff"><code>${toPrintable(diff)
    .split('\n')
    .map((line) => markup`<span class="${KINDS[line[0] ?? ''] ?? ''}">${line}\n</span>`)}</code></pre>`;

/** Kinds of pictures a page may hold: none of them can carry a script. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A stored picture, inside the page. */
export const drawImage = ({ mime, data }: ImageBlock): Markup =>
  PICTURES.has(mime) && /^[A-Za-z\d+/]+={0,2}$/.test(data)
    ? markup`<img alt="picture of this message" src="data:${mime};base64,${new Markup(data)}">`
    : markup`<p class="faint">[a picture that cannot be shown here: ${mime}]</p>`;
