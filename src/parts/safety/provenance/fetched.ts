import { resolve, sep } from 'node:path';

/** Sessions whose fetched files are remembered, and files for each: enough for long work, bounded all the same. */
const MOST_SESSIONS = 64;
const MOST_FILES = 200;

/** What a session's commands fetched to disk: reading it later lets the same foreign words in. */
export function fetchedFiles() {
  const sessions = new Map<string, Set<string>>();
  return {
    add: (sessionId: string, paths: readonly string[]): void => {
      const files = sessions.get(sessionId) ?? new Set<string>();
      for (const path of paths) if (files.size < MOST_FILES) files.add(path);
      sessions.delete(sessionId);
      sessions.set(sessionId, files);
      const [oldest] = sessions.keys();
      if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    },
    /** The first of these that was fetched, or lies in what was. */
    among: (sessionId: string, paths: readonly string[]): string | undefined => {
      const files = [...(sessions.get(sessionId) ?? [])];
      const found = paths.find((path) => files.some((file) => path === file || path.startsWith(file + sep)));
      return found === undefined ? undefined : `${found} (fetched earlier in this session)`;
    },
  };
}

/** Names in a command that could be files. */
export const pathsNamed = (command: string, cwd: string, home: string): string[] =>
  wordsOf(command).flatMap((word) => (word.startsWith('-') || word === '>' ? [] : pathOf(word, cwd, home)));

/**
 * Where a command that fetches may have put what it got. Each program says it in its own way, so what looks like a path,
 * what follows an output flag or a redirection, and the names addresses would give, all count.
 */
export const fetchedTo = (command: string, cwd: string, home: string): string[] => {
  const words = wordsOf(command);
  return words.flatMap((word, index) => {
    const before = words[index - 1] ?? '';
    if (isAddress(word)) return pathOf(lastPart(word), cwd, home);
    const named = /^(?:>|-[oOP]|-[a-zA-Z]*o|--output|--output-document|--directory-prefix)$/.test(before) || isAddress(before);
    return named || (/[./]/.test(word) && !word.startsWith('-')) ? pathOf(word, cwd, home) : [];
  });
};

const wordsOf = (command: string): string[] => command.replaceAll(/>+/g, ' > ').match(/[^\s'"|&;<()=]+/g) ?? [];
const isAddress = (word: string): boolean => /^(?:https?|ssh|git|ftp):\/\/|^[\w.-]+@[\w.-]+:/.test(word);
const pathOf = (word: string, cwd: string, home: string): string[] => {
  const path = resolve(cwd, word.replace(/^~(?=\/|$)/, home));
  return word === '' || path === resolve(cwd) ? [] : [path];
};

/** The name a download or a clone gets when no other is given. */
const lastPart = (address: string): string =>
  (
    address
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  ).replace(/\.git$/, '');
