import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { createNameMatcher } from './names.ts';
import { isMultilinePattern } from './patterns.ts';
import { BadPattern, MAX_COLUMNS, VCS_FOLDERS, type SearchEngine, type FileHit, type SearchMode, type FileQuery } from './query.ts';

/** Where the ripgrep binary lies; `undefined` when the package or its binary for this machine is not there. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    accessSync(rgPath, constants.X_OK);
    return rgPath;
  } catch {
    return undefined;
  }
}

/** Searches with ripgrep as a child process; its output is read as it comes and never held whole. */
export const ripgrep = (binary: string): SearchEngine =>
  async function* (query, signal) {
    const folder = statSync(query.root).isDirectory() ? query.root : dirname(query.root);
    const child = spawn(binary, toRipgrepArguments(query), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: {} });
    const stop = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    const errors = text(child.stderr);
    const closed = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
    closed.catch(() => {}); // told below, when the lines are through
    try {
      const matches = createNameMatcher(query);
      for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
        const hit = READERS[query.mode](line);
        if (hit !== undefined && (query.mode !== 'files' || matches(hit.path))) yield hit;
      }
      const code = await closed;
      if (code === 2) refuseBadPattern(await errors);
    } finally {
      stop();
      signal.removeEventListener('abort', stop);
    }
  };

const COMMON = ['--no-config', '--crlf', '--color=never', '--no-messages', '--hidden'];
const PASSED_OVER = VCS_FOLDERS.map((name) => `--glob=!**/${name}`);
const ARGUMENTS: Readonly<Record<SearchMode, readonly string[]>> = {
  files: ['--files', '--sortr=modified'],
  files_only: ['--files-with-matches', '--sortr=modified', '--engine=auto'],
  count: ['--count', '--null', '--with-filename', '--sort=path', '--engine=auto'],
  content: [
    '--line-number',
    '--no-heading',
    '--null',
    '--with-filename',
    '--sort=path',
    '--engine=auto',
    '--no-context-separator',
    `--max-columns=${MAX_COLUMNS}`,
    '--max-columns-preview',
  ],
};

export function toRipgrepArguments({ mode, pattern, root, fileGlob, context }: FileQuery): string[] {
  const narrowed = fileGlob === undefined ? [] : [`--glob=${fileGlob}`];
  const around = mode === 'content' && context > 0 ? [`--context=${context}`] : [];
  const lines = mode !== 'files' && isMultilinePattern(pattern) ? ['--multiline'] : [];
  return [
    ...COMMON,
    ...ARGUMENTS[mode],
    ...narrowed,
    ...PASSED_OVER,
    ...around,
    ...lines,
    ...(mode === 'files' ? [] : [`--regexp=${pattern}`]),
    '--',
    root,
  ];
}

export const READERS: Readonly<Record<SearchMode, (line: string) => FileHit | undefined>> = {
  files: (path) => ({ kind: 'file', path }),
  files_only: (path) => ({ kind: 'file', path }),
  count: (line) => {
    const [path = '', count = ''] = line.split('\0');
    return count === '' ? undefined : { kind: 'count', path, count: Number(count) };
  },
  content: (line) => {
    // A line without NUL is a remark on a binary file.
    const cut = line.indexOf('\0');
    const found = /^(\d+)([:-])(.*)$/s.exec(line.slice(cut + 1));
    if (cut < 0 || found === null) return undefined;
    return { kind: 'line', path: line.slice(0, cut), line: Number(found[1]), match: found[2] === ':', text: (found[3] ?? '').trimEnd() };
  },
};

/** Folders that may not be read also end in code 2; only a pattern that makes no sense is the caller's to mend. */
export function refuseBadPattern(errors: string): void {
  if (!/regex|PCRE2|glob/i.test(errors)) return;
  const reason =
    errors
      .trim()
      .split('\n')
      .findLast((line) => line.trim() !== '') ?? '';
  throw new BadPattern(reason.replace(/^(?:rg: )?(?:error: )?/, '').slice(0, 300));
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  let all = '';
  for await (const chunk of stream) if (all.length < 4_000) all += chunk.toString('utf8');
  return all;
}
