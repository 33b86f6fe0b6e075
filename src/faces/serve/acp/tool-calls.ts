import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toOneLine, toPrintable } from '../../../base/printable.ts';
import { describeToolCall, findMeantCall } from '../../../commands/tool-words.ts';
import type { FileDiff, ToolDetails } from '../../../contracts/details.ts';
import { joinShownResult, type ToolCall, type ToolMessage } from '../../../contracts/message.ts';
import { splitHunks } from './hunks.ts';
import { fenceCode } from '../../../base/markdown/code.ts';

/** The sign an editor draws for a tool. */
const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ...['read_file', 'vision_analyze', 'skills_list', 'skill_view'].map((name) => [name, 'read'] as const),
  ...['write_file', 'patch', 'skill_manage'].map((name) => [name, 'edit'] as const),
  ...['search_files', 'session_search', 'context_recall', 'tool_search'].map((name) => [name, 'search'] as const),
  ...['terminal', 'process', 'execute_code'].map((name) => [name, 'execute'] as const),
  ...['web_search', 'web_extract'].map((name) => [name, 'fetch'] as const),
  ['todo', 'think'],
]);
const MAX_TITLE_CHARS = 200;

export const toToolKind = (name: string): ToolKind => KINDS.get(name) ?? (name.startsWith('browser_') ? 'fetch' : 'other');

type NamedCall = Pick<ToolCall, 'name' | 'input'>;

/** What a call does, in one line. Editors show a command as it is. */
export function describeCall(call: NamedCall): string {
  const { verb, object } = describeToolCall(call);
  const title = findMeantCall(call).name === 'terminal' && object !== '' ? object : `${verb} ${object}`.trim();
  return toOneLine(title).slice(0, MAX_TITLE_CHARS).toWellFormed() || call.name;
}

/** Files a call names before it runs, for editors that follow along. */
export function locateCall(call: NamedCall, cwd: string): ToolCallLocation[] {
  const { name, input } = findMeantCall(call);
  const { path, offset } = input;
  if (typeof path !== 'string' || path === '') return [];
  return [{ path: resolve(cwd, path), ...(name === 'read_file' && typeof offset === 'number' && offset > 0 && { line: offset }) }];
}

/** Files a call has changed, each with the first line of a change. */
export const locateChanges = (details: ToolDetails | undefined, cwd: string): ToolCallLocation[] =>
  details?.kind === 'diff'
    ? details.files.map(({ path, diff }) => {
        const line = splitHunks(diff)[0]?.line;
        return { path: resolve(cwd, path), ...(line !== undefined && { line }) };
      })
    : [];

/** Characters of a result an editor is shown; the log has all of it. */
const MAX_SHOWN_CHARS = 20_000;

/** What came of a call, for the editor to draw. A diff needs no words beside it. */
export function renderResult(result: ToolMessage, details: ToolDetails | undefined, cwd: string): ToolCallContent[] {
  // The plan shows it.
  if (details?.kind === 'tasks') return [];
  const diffs = details?.kind === 'diff' ? details.files.flatMap((file) => renderDiff(file, cwd)) : [];
  const media = details?.kind === 'media' ? details.items.map(({ path, mime }) => toLink(resolve(cwd, path), mime)) : [];
  const images = result.content.flatMap((block) => (block.type === 'image' ? [toImage(block.mime, block.data)] : []));
  const words = joinShownResult(result);
  const shown = diffs.length > 0 && !result.failed ? [] : renderOutput(words, toToolKind(result.name) === 'execute');
  return [...diffs, ...shown, ...media, ...images];
}

/** Text as its tool wrote it; the output of a command stands in a block of its own. */
export function renderOutput(words: string, isOutput: boolean): ToolCallContent[] {
  const text = toPrintable(words);
  if (text.trim() === '') return [];
  const shown =
    text.length <= MAX_SHOWN_CHARS
      ? text
      : `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}\n[… ${text.length - MAX_SHOWN_CHARS} more characters]`;
  return [toTextContent(isOutput ? fenceCode(shown) : shown)];
}

export const toTextContent = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });
const toImage = (mimeType: string, data: string): ToolCallContent => ({ type: 'content', content: { type: 'image', mimeType, data } });
const toLink = (path: string, mimeType: string | undefined): ToolCallContent => ({
  type: 'content',
  content: { type: 'resource_link', name: path, uri: pathToFileURL(path).href, ...(mimeType !== undefined && { mimeType }) },
});

/** An editor wants two texts and not a diff: each hunk becomes one pair. */
function renderDiff({ path, change, diff, cut }: FileDiff, cwd: string): ToolCallContent[] {
  const full = resolve(cwd, path);
  const pairs = splitHunks(diff).map(({ oldText, newText }) => ({
    type: 'diff' as const,
    path: full,
    oldText: change === 'created' ? null : oldText,
    newText,
  }));
  const rest = cut === true || pairs.length === 0 ? [toTextContent(`${full} was ${change}; not all of the change is shown.`)] : [];
  return [...pairs, ...rest];
}
