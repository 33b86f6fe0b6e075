/** One hunk of a unified diff as the two texts it stands for. */
export interface HunkTexts {
  /** Where it begins in the new text, from 1. */
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
}

const HEAD = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function splitHunks(diff: string): readonly HunkTexts[] {
  const hunks: { line: number; before: string[]; after: string[] }[] = [];
  for (const line of diff.split('\n')) {
    const head = HEAD.exec(line);
    if (head !== null) hunks.push({ line: Math.max(1, Number(head[1])), before: [], after: [] });
    const hunk = hunks.at(-1);
    if (head !== null || hunk === undefined) continue;
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    if (sign === ' ' || sign === '-') hunk.before.push(text);
    if (sign === ' ' || sign === '+') hunk.after.push(text);
  }
  return hunks.map(({ line, before, after }) => ({ line, oldText: toText(before), newText: toText(after) }));
}

const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
