import { isUtf8 } from 'node:buffer';
import type { FileState } from './file-state.ts';

const MAX_LINES = 40;
const MAX_WIDTH = 200;

/** A change as lines with `+` and `-`, cut to a readable length. */
export function describeChange(before: FileState | undefined, after: FileState | undefined): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (before?.content.equals(after?.content ?? Buffer.alloc(0)) === true && before.kind === after?.kind)
    return (before.mode & 0o111) === 0 ? '+ (can be run now)' : '- (can be run)';
  let [start, end] = [0, 0];
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return cutLines([
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
  ]);
}

export function cutLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LINES).map((line) => (line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH)}…` : line));
  return [...shown, ...(lines.length > MAX_LINES ? [`… ${lines.length - MAX_LINES} more lines`] : [])].join('\n');
}

function linesOf(state: FileState | undefined): readonly string[] {
  if (state === undefined) return [];
  if (state.kind === 'link') return [`(link to ${state.content.toString()})`];
  if (state.kind === 'folder') return ['(a folder)'];
  if (state.kind === 'other') return ['(a pipe, a socket or a file that cannot be read)'];
  if (state.isTooLarge === true) return ['(too large to show)'];
  if (!isUtf8(state.content) || state.content.includes(0)) return [`(${state.content.length} bytes that are not text)`];
  const text = state.content.toString();
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
