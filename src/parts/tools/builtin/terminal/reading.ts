/** Programs that change nothing, with the arguments by which they would after all. Adding one is a row. */
const READERS: Readonly<Record<string, RegExp | undefined>> = {
  ...Object.fromEntries(
    `ls cat head tail wc grep egrep fgrep zgrep stat du df pwd echo which type whoami uname id basename dirname realpath readlink cut tr nl
    cmp md5sum sha1sum sha256sum jq ps seq sleep true false printenv hostname nproc uptime free tac rev od strings getent`
      .split(/\s+/)
      .map((name) => [name, undefined]),
  ),
  rg: /^--pre/,
  diff: /^--output/,
  sort: /^(?:-[a-zA-Z]*o|--output)/,
  tree: /^-[a-zA-Z]*o/,
  file: /^-[a-zA-Z]*C/,
  date: /^(?:-[a-zA-Z]*s|--set)/,
  find: /^-(?:exec|ok|delete|fprint|fls)/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  env: /./,
};
const GIT_READERS = /^(?:status|log|diff|show|blame|grep|rev-parse|rev-list|ls-files|ls-tree|cat-file|describe|shortlog)$/;
/** Anything beyond plain words, pipes and lists: redirections, substitutions, brackets, the background, more lines. */
const BEYOND_WORDS = /[<>`$(){}\n\\!]|(?<!&)&(?!&)/;

/**
 * Whether a line only looks at things, told by its words alone and in doubt not. Quotes are not read: what stands between them is
 * taken for commands too, which can only make a line count as one that writes.
 */
export const isReadOnlyLine = (line: string): boolean =>
  !BEYOND_WORDS.test(line) && line.split(/&&|\|\||[|;]/).every((part) => isReader(part.trim().split(/\s+/)));

function isReader([program = '', ...words]: readonly string[]): boolean {
  if (program === 'git') return GIT_READERS.test(words[0] ?? '') && !words.some((word) => word.startsWith('--output'));
  if (!Object.hasOwn(READERS, program)) return false;
  const writes = READERS[program];
  return writes === undefined || !words.some((word) => writes.test(word.replace(/^['"]/, '')));
}
