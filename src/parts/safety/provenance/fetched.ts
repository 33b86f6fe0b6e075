import { resolve, sep } from 'node:path';
import type { Call } from '../command/call/call.ts';

/** Sessions whose fetched files are remembered, and files for each: enough for long work, bounded all the same. */
const MAX_SESSIONS = 64;
const MAX_FILES = 200;

/** What a session's commands fetched to disk: reading it later lets the same foreign words in. */
export function createFetchedFiles(isThere: (path: string) => boolean) {
  const sessions = new Map<string, Set<string>>();
  return {
    add: (sessionId: string, paths: readonly string[]): void => {
      const files = sessions.get(sessionId) ?? new Set<string>();
      for (const path of paths) if (files.size < MAX_FILES) files.add(path);
      sessions.delete(sessionId);
      sessions.set(sessionId, files);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    },
    /** The first of these that was fetched, or lies in what was. */
    among: (sessionId: string, paths: readonly string[]): string | undefined => {
      const files = [...(sessions.get(sessionId) ?? [])];
      const found = paths.find((path) => files.some((file) => path === file || path.startsWith(file + sep)) && isThere(path));
      return found === undefined ? undefined : `${found} (fetched earlier in this session)`;
    },
  };
}

/** Names in calls that could be files. */
export const listPathCandidates = (calls: readonly Call[], cwd: string): string[] =>
  calls.flatMap((call) => wordsOf(call).flatMap((word) => (word.startsWith('-') ? [] : pathOf(word, call.place.cwd ?? cwd))));

/**
 * Where calls that fetch may have put what they got. Each program says it in its own way, so what looks like a path, what
 * follows an output flag or a redirection, and the names addresses would give, all count.
 */
export const findFetchTargets = (calls: readonly Call[], cwd: string): string[] =>
  calls.flatMap((call) => {
    const [words, folder] = [wordsOf(call), call.place.cwd ?? cwd];
    const named = words.flatMap((word, index) => {
      const before = words[index - 1] ?? '';
      if (isAddress(word)) return namesByAddress(call) ? pathOf(lastPart(word), folder) : [];
      const isOutput = OUTPUT_FLAG.test(before) || isAddress(before);
      return isOutput || (/[./]/.test(word) && !word.startsWith('-')) ? pathOf(word, folder) : [];
    });
    return [...named, ...call.writes.flatMap((word) => pathOf(word, folder))];
  });

/** Programs that show what they get, or put it elsewhere, unless or when their words say so. All others may name a file after its address. */
const BY_ADDRESS: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  curl: (args) => args.some((word) => /^-[a-zA-Z]*O|^--remote-name/.test(word)),
  wget: (args) => !args.some((word) => /^-[a-zA-Z]*O|^--output-document|^--spider$/.test(word)),
  git: (args) => args.some((word) => /^(?:clone|submodule)$/.test(word)),
};
const namesByAddress = ({ name, args }: Call): boolean => BY_ADDRESS[name]?.(args) ?? true;

const OUTPUT_FLAG = /^(?:-[oOP]|-[a-zA-Z]*o|--output|--output-document|--directory-prefix)$/;
/** What could be a name in anything a call is told: code holds names between its quotes and brackets. */
const wordsOf = ({ path, args, settings, reads, writes, fed }: Call): string[] =>
  [path, ...args, ...settings, ...reads, ...writes, ...fed].flatMap((word) => word.match(/[^\s'"|&;<>()=]+/g) ?? []);
const isAddress = (word: string): boolean => /^(?:https?|ssh|git|ftp):\/\/|^[\w.-]+@[\w.-]+:/.test(word);
const pathOf = (word: string, cwd: string): string[] => {
  const path = resolve(cwd, word);
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
