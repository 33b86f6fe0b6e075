import { quoteShellWord } from '../../../base/shell.ts';
import type { RemoteFile } from './plan.ts';

/** The scripts of a sync. `root` is `~/.hermes` there. Pure: text in, text out. */

/** Hashes first, then sizes and times; GNU's programs or those of a Mac. */
export const createListScript = (root: string, tops: readonly string[]): string =>
  [
    `cd -- ${quoteShellWord(root)} 2>/dev/null || exit 0`,
    'h() { sha256sum -- "$@" 2>/dev/null || shasum -a 256 -- "$@"; }; s() { stat -c "%s %Y %n" -- "$@" 2>/dev/null || stat -f "%z %m %N" -- "$@"; }',
    'export -f h s',
    `for k in h s; do for t in ${tops.map(quoteShellWord).join(' ')}; do [ -e "$t" ] && find "$t" -type f -exec bash -c 'k=$1; shift; $k "$@"' x $k {} +; done; echo; done`,
  ].join('\n');

/** A name with a newline or a backslash in it is written in a way of its own, and is left where it is. */
export function readList(output: string): RemoteFile[] {
  const hashes = new Map([...output.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, hash = '', path = '']) => [path, hash]));
  return [...output.matchAll(/^(\d+) (\d+) (.+)$/gm)].flatMap(([, size, seconds, path = '']) => {
    const sha256 = hashes.get(path);
    return sha256 === undefined ? [] : [{ path, size: Number(size), mtimeMs: 1_000 * Number(seconds), sha256 }];
  });
}

/** Lays an archive down beside everything else. Its input is the archive. */
export const createStageScript = (root: string, id: string): string =>
  `umask 077; d=${quoteShellWord(`${root}/.incoming-${id}`)}; mkdir -p -- "$d" && tar -xzf - -C "$d"`;

/** Renames only, once everything is there. Its input names what shall go. */
export const createCommitScript = (root: string, id: string): string =>
  [
    `umask 077; cd -- ${quoteShellWord(`${root}/.incoming-${id}`)} || exit 1`,
    `find . -type d -exec bash -c 'for d; do mkdir -p -- "../$d" || exit 1; done' x {} + || exit 1`,
    `find . -type f -exec bash -c 'for f; do mv -f -- "$f" "../$f" || exit 1; done' x {} + || exit 1`,
    `cd .. && rm -rf -- .incoming-${id}`,
    'while IFS= read -r f; do rm -f -- "./$f"; case $f in */*) rmdir -p -- "./${f%/*}" 2>/dev/null ;; esac; done; :',
  ].join('\n');
export const createDiscardScript = (root: string, id: string): string => `rm -rf -- ${quoteShellWord(`${root}/.incoming-${id}`)}`;

/** Its input names what is wanted. */
export const createFetchScript = (root: string): string => `set -o pipefail; cd -- ${quoteShellWord(root)} && tar -czf - -T - | base64`;
