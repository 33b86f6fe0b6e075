import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../../base/json.ts';
import { toOneLine, toPrintable } from '../../../base/printable.ts';
import type { FileDiff, ToolDetails } from '../../../contracts/details.ts';
import { joinTextBlocks, type Json, type ToolCall, type ToolMessage } from '../../../contracts/message.ts';
import { splitHunks } from './hunks.ts';
import { fenceCode } from './markdown.ts';

/** How an editor draws a tool: its sign, and the argument that tells calls apart. */
interface ToolLook {
  readonly kind: ToolKind;
  /** Before the argument; the argument alone when empty. */
  readonly title: string;
  readonly argument?: string;
  /** The argument that names a line of the file. */
  readonly line?: string;
}
const LOOKS: Readonly<Record<string, ToolLook>> = {
  read_file: { kind: 'read', title: 'Read', argument: 'path', line: 'offset' },
  write_file: { kind: 'edit', title: 'Write', argument: 'path' },
  patch: { kind: 'edit', title: 'Edit', argument: 'path' },
  search_files: { kind: 'search', title: 'Search for', argument: 'pattern' },
  terminal: { kind: 'execute', title: '', argument: 'command' },
  process: { kind: 'execute', title: 'Process', argument: 'action' },
  execute_code: { kind: 'execute', title: 'Run a script' },
  web_search: { kind: 'fetch', title: 'Search the web for', argument: 'query' },
  web_extract: { kind: 'fetch', title: 'Read', argument: 'urls' },
  browser_navigate: { kind: 'fetch', title: 'Open', argument: 'url' },
  vision_analyze: { kind: 'read', title: 'Look at', argument: 'image_url' },
  todo: { kind: 'think', title: 'Update the task list' },
  memory: { kind: 'other', title: 'Memory', argument: 'action' },
  session_search: { kind: 'search', title: 'Search earlier sessions for', argument: 'query' },
  context_recall: { kind: 'search', title: 'Recall', argument: 'query' },
  tool_search: { kind: 'search', title: 'Search tools for', argument: 'query' },
  skills_list: { kind: 'read', title: 'List skills' },
  skill_view: { kind: 'read', title: 'Read the skill', argument: 'name' },
  skill_manage: { kind: 'edit', title: 'Change the skill', argument: 'name' },
  delegate_task: { kind: 'other', title: 'Delegate', argument: 'goal' },
  clarify: { kind: 'other', title: 'Ask', argument: 'question' },
};
const MAX_TITLE_CHARS = 200;

const lookOf = (name: string): ToolLook | undefined => (Object.hasOwn(LOOKS, name) ? LOOKS[name] : undefined);

export const toToolKind = (name: string): ToolKind => lookOf(name)?.kind ?? (name.startsWith('browser_') ? 'fetch' : 'other');

/** What a call does, in one line. */
export function describeCall({ name, input }: Pick<ToolCall, 'name' | 'input'>): string {
  const look = lookOf(name);
  const argument = look?.argument === undefined ? '' : toWords(argumentOf(input, look.argument));
  return (
    toOneLine(`${look?.title ?? name} ${argument}`)
      .slice(0, MAX_TITLE_CHARS)
      .toWellFormed() || name
  );
}

const argumentOf = (input: Json, name: string): Json | undefined => (isObject(input) ? input[name] : undefined);
const toWords = (value: Json | undefined): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(toWords).join(', ') : '';

/** Files a call names before it runs, for editors that follow along. */
export function locateCall({ name, input }: Pick<ToolCall, 'name' | 'input'>, cwd: string): ToolCallLocation[] {
  const path = argumentOf(input, 'path');
  if (typeof path !== 'string' || path === '') return [];
  const line = argumentOf(input, lookOf(name)?.line ?? '');
  return [{ path: resolve(cwd, path), ...(typeof line === 'number' && line > 0 && { line }) }];
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
  const words = joinTextBlocks(result);
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
