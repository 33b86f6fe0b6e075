import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';

/** `example.org` in a list of what is forbidden means it and all below; `*.example.org` only what is below. */
export const isBlockedBy = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern || host.endsWith(`.${pattern}`);

/** In a list of what is allowed a name means itself: more is let in only where the owner wrote a star. */
export const allows = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

/** An entry as people write it (with a scheme, a path, capitals, other scripts) as the name that is compared. */
export function toHostPattern(entry: string): string | undefined {
  const bare = entry
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/, '');
  const star = bare.startsWith('*.') ? '*.' : '';
  const host = URL.parse(`http://${bare.slice(star.length)}/`)
    ?.hostname.replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return host === undefined || host === '' ? undefined : `${star}${host}`;
}
export const toHostPatterns = (entries: readonly string[]): string[] => entries.flatMap((entry) => toHostPattern(entry) ?? []);

/** Entries of a shared file: one in a line, `#` begins a remark, and lines of a hosts file (`0.0.0.0 name`) are understood. */
export const parseListEntries = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const words = line.replace(/#.*$/, '').trim().split(/\s+/);
    return words.length > 1 && /^[\d.:a-f]+$/i.test(words[0] ?? '') ? words.slice(1) : words[0] === '' ? [] : words.slice(0, 1);
  });

export interface SharedFiles {
  readonly paths: readonly string[];
  /** The folder relative paths lie in. */
  readonly home: string;
  /** Tells the owner once of a file that cannot be read. */
  readonly notice?: (words: string) => void;
}

/** The entries of all files as they are on disk now. A file that cannot be read costs that file and one notice. */
export function createHostPatternReader({ paths, home, notice }: SharedFiles): () => readonly string[] {
  const known = new Map<string, { readonly stamp: string; readonly patterns: readonly string[] }>();
  const read = (path: string): readonly string[] => {
    try {
      const { mtimeMs, size } = statSync(path);
      const stamp = `${mtimeMs} ${size}`;
      const before = known.get(path);
      if (before?.stamp === stamp) return before.patterns;
      const patterns = toHostPatterns(parseListEntries(readFileSync(path, 'utf8')));
      known.set(path, { stamp, patterns });
      return patterns;
    } catch (error) {
      if (known.get(path)?.stamp !== BROKEN)
        notice?.(`The list of blocked sites ${path} could not be read: ${toErrorMessage(error)}. Its entries do not hold until it can.`);
      const kept = known.get(path)?.patterns ?? [];
      known.set(path, { stamp: BROKEN, patterns: kept });
      return kept;
    }
  };
  const files = paths.map((path) => resolve(home, path.replace(/^~(?=\/|$)/, homedir())));
  return () => files.flatMap(read);
}
const BROKEN = 'broken';
