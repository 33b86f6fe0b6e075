import { isAbsolute, join, resolve } from 'node:path';

/** Where a word is read. */
export interface ExpandOptions {
  /** Absent when a command went somewhere that is only known when it runs. */
  readonly cwd?: string;
  readonly home: string;
}

/** The absolute path a word stands for; `undefined` when it cannot be told or is none. */
export function expand(word: string, { cwd, home }: ExpandOptions): string | undefined {
  const path = word.replace(/^(?:~|\$HOME\b|\$\{HOME\})(?=\/|$)/, () => home).replace(/^(?:\$PWD\b|\$\{PWD\})(?=\/|$)/, () => cwd ?? '$');
  if (path === '' || path.length > 4_096 || path.startsWith('~') || UNKNOWN.test(path)) return undefined;
  if (isAbsolute(path)) return join(path);
  return cwd === undefined ? undefined : resolve(cwd, path);
}

// oxlint-disable-next-line no-control-regex -- a path with them is data that was taken for a path
const UNKNOWN = /[$`\u0000-\u001f]|^[a-z][a-z\d+.-]*:\/\//i;
