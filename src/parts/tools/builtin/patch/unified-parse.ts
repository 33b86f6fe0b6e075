import type { Hunk, Operation } from './operations.ts';

/** Lines that begin what belongs to the next file. */
const FILE_START = /^(?:diff --git |--- )/;
/** Models leave the numbers out. */
const HUNK_START = /^@@(?: -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@)?(.*)$/;

/** Whether a patch is a diff as `diff -u` and `git diff` write it. */
export const isUnifiedDiff = (patch: string): boolean =>
  !/^\s*\*\*\* /.test(patch) && (/^--- .+\r?\n\+\+\+ .+\r?\n@@/m.test(patch) || /^diff --git .+$/m.test(patch));

/** The operations of a unified diff. What stands between its files and is no diff is left out. */
export function parseUnifiedDiff(patch: string): readonly Operation[] {
  const lines = patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const starts = lines.flatMap((line, index) => (startsFile(lines, index, line) ? [index] : []));
  return starts.flatMap((start, index) => readFile(lines.slice(start, starts[index + 1])));
}

/** A `---` below `diff --git` belongs to it; one within a hunk is a line that goes. */
function startsFile(lines: readonly string[], index: number, line: string): boolean {
  if (!FILE_START.test(line)) return false;
  if (line.startsWith('diff --git ')) return true;
  if (lines[index + 1]?.startsWith('+++ ') !== true || lines[index + 2]?.startsWith('@@') !== true) return false;
  const above = lines.slice(0, index).findLastIndex((each) => each.startsWith('diff --git ') || each.startsWith('@@'));
  return above < 0 || lines[above]?.startsWith('@@') === true;
}

function readFile(lines: readonly string[]): Operation[] {
  const after = (mark: string): string | undefined => lines.find((line) => line.startsWith(mark))?.slice(mark.length);
  const [old, fresh] = [nameOf(after('--- ')), nameOf(after('+++ '))];
  const [from, to] = [after('rename from '), after('rename to ')];
  const hunks = readHunks(lines);
  const path = old === undefined || old === '/dev/null' ? fresh : old;
  const moved: Operation[] = from === undefined || to === undefined ? [] : [{ kind: 'move', path: from, to }];
  if (path === undefined) return moved;
  if (old === '/dev/null') return [{ kind: 'add', path, text: addedText(hunks) }];
  if (fresh === '/dev/null') return [{ kind: 'delete', path }];
  return [{ kind: 'update', path, hunks }, ...moved];
}

/** Without the `a/` and `b/` of git, and without the time that `diff` writes behind it. */
const nameOf = (name: string | undefined): string | undefined => name?.replace(/\t.*$/, '').replace(/^[ab]\//, '');

function readHunks(lines: readonly string[]): Hunk[] {
  const hunks: { hint: string; line?: number; lines: Hunk['lines'][number][] }[] = [];
  for (const line of lines) {
    const start = HUNK_START.exec(line);
    const [, at, hint = ''] = start ?? [];
    if (start !== null) hunks.push({ hint: hint.replaceAll('@@', '').trim(), lines: [], ...(at !== undefined && { line: Number(at) }) });
    else if (!line.startsWith('\\')) hunks.at(-1)?.lines.push(toHunkLine(line));
  }
  return hunks;
}

function toHunkLine(line: string): Hunk['lines'][number] {
  const mark = line[0];
  return mark === '-' || mark === '+' || mark === ' ' ? { mark, text: line.slice(1) } : { mark: ' ', text: line };
}

const addedText = (hunks: readonly Hunk[]): string =>
  hunks.flatMap(({ lines }) => lines.flatMap(({ mark, text }) => (mark === '+' ? [`${text}\n`] : []))).join('');
