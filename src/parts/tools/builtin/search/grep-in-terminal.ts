import { join } from 'node:path';
import type { Terminal } from '../../../../contracts/terminal.ts';
import { BadPattern, MAX_COLUMNS, VCS_FOLDERS, type SearchEngine, type FileHit, type FileQuery } from './query.ts';
import { toGlobPath, compileGlob, createNameMatcher } from './names.ts';
import { toExtendedPattern, toPerlPattern, refuseLines } from './patterns.ts';
import { streamScriptLines } from './script-lines.ts';
import { formatHitLine } from './format-hit-line.ts';

/** What this search runs. */
export const PLAIN_PROGRAMS = ['find', 'grep', 'stat', 'xargs', 'head', 'tr', 'wc', 'cut'] as const;

/** The search with `find` and `grep` of the place: slower than ripgrep and without .gitignore, but with the same answers. */
export const grepInTerminal = (terminal: Terminal): SearchEngine =>
  async function* (query, signal) {
    if (query.mode !== 'files') refuseLines(query.pattern);
    const wanted = query.fileGlob === undefined ? () => true : compileGlob(query.fileGlob);
    const matches = createNameMatcher(query);
    const found: DatedPath[] = [];
    for await (const line of streamScriptLines(terminal, { text: LIST, args: [query.root] }, signal)) {
      const file = datedFile(line, query.root);
      if (file !== undefined && matches(file.path) && wanted(toGlobPath(query.root, file.path))) found.push(file);
    }
    const paths = (query.mode === 'files' || query.mode === 'files_only' ? found.toSorted(newestFirst) : found.toSorted(byPath)).map(
      ({ path }) => path,
    );
    if (query.mode === 'files') yield* paths.map((path): FileHit => ({ kind: 'file', path }));
    else if (paths.length > 0) yield* contents(terminal, query, paths, signal);
  };

interface DatedPath {
  readonly path: string;
  readonly at: number;
}
const newestFirst = (a: DatedPath, b: DatedPath): number => b.at - a.at || byPath(a, b);
const byPath = (a: DatedPath, b: DatedPath): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

const PASSED_OVER = [...VCS_FOLDERS, 'node_modules', '__pycache__'].map((name) => `-name ${name}`).join(' -o ');
/** Files with their times of change; folders nobody means are passed over. */
const LIST =
  `if [ -d "$1" ]; then cd -- "$1" && find . \\( ${PASSED_OVER} \\) -prune -o -type f -exec stat -c "%Y %n" {} + 2>/dev/null; ` +
  'else stat -c "%Y %n" -- "$1"; fi';

function datedFile(line: string, root: string): DatedPath | undefined {
  const [, at, path] = /^(\d+) (.+)$/s.exec(line) ?? [];
  return path === undefined ? undefined : { at: Number(at), path: path.startsWith('./') ? join(root, path) : path };
}

/**
 * `grep` first says which files have a match at all; only those are looked at one by one, each after a line with its name.
 * A file with a zero byte in its beginning is no text.
 */
const SEARCH = `mode=$1; around=$2; fold=$3; e=-E; p=$5
if printf x | grep -qP x 2>/dev/null; then e=-P; p=$4; fi
err=$(echo x | grep $e $fold -e "$p" 2>&1 >/dev/null); [ $? -le 1 ] || { printf 'E%s\\n' "$err"; exit 0; }
xargs -0 grep -l $e $fold -e "$p" -- 2>/dev/null | while IFS= read -r f; do
  [ "$(head -c 8192 "$f" | tr -d '\\000' | wc -c)" = "$(head -c 8192 "$f" | wc -c)" ] || continue
  printf 'F%s\\n' "$f"
  case $mode in
    count) printf '%s=\\n' "$(grep -c $e $fold -e "$p" -- "$f")" ;;
    content) grep -n $e $fold -C "$around" -e "$p" -- "$f" | cut -b1-${MAX_COLUMNS * 4 + 100} ;;
  esac
done`;

async function* contents(
  terminal: Terminal,
  { pattern, mode, context }: FileQuery,
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FileHit> {
  const folded = pattern.startsWith('(?i)');
  const body = folded ? pattern.slice(4) : pattern;
  const args = [mode, String(context), folded ? '-i' : '', toPerlPattern(body), toExtendedPattern(body)];
  let path = '';
  for await (const line of streamScriptLines(terminal, { text: SEARCH, args, stdin: paths.join('\0') }, signal)) {
    if (line.startsWith('E'))
      throw new BadPattern(
        line
          .slice(1)
          .replace(/^grep: /, '')
          .slice(0, 300),
      );
    if (line.startsWith('F')) path = line.slice(1);
    const hit = line.startsWith('F') ? mode === 'files_only' && ({ kind: 'file', path } as const) : hitIn(line, path);
    if (hit !== false && hit !== undefined) yield hit;
  }
}

function hitIn(line: string, path: string): FileHit | undefined {
  const [, number, sign, text = ''] = /^(\d+)([:=-])(.*)$/s.exec(line) ?? [];
  if (number === undefined) return undefined;
  if (sign === '=') return { kind: 'count', path, count: Number(number) };
  return { kind: 'line', path, line: Number(number), match: sign === ':', text: formatHitLine(text) };
}
