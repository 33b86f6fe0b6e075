import { randomHex } from '../../../base/ids.ts';
import { isEntryName } from '../../../base/within.ts';
import { FilesError, isFilesError, type FileStat, type Files, type FolderEntry } from '../../../contracts/files.ts';
import { quoteShellWord } from '../../../base/shell.ts';

/**
 * Runs a POSIX script in some place and gives what it wrote, both streams together. It must not touch the state of the
 * session. `exitCode` is `null` when the script could not be run to its end.
 */
export type ShellRun = (script: string, ask: ShellScriptOptions) => Promise<{ readonly exitCode: number | null; readonly output: string }>;
export interface ShellScriptOptions {
  readonly stdin?: string;
  readonly signal: AbortSignal;
  /** Characters of output that must arrive whole. */
  readonly room: number;
}
export interface ShellFilesOptions {
  /** The home folder there. */
  readonly home: string;
  /** Bytes in one piece, before base64. */
  readonly piece?: number;
}

/** 768 KiB are 1 MiB of base64. */
const PIECE = 768 * 1024;
/** How a script ends when something went wrong that the system has said in its words, or that we found ourselves. */
const FAILED = 97;
const FOUND: Readonly<Record<'EISDIR' | 'ENOTDIR', number>> = { EISDIR: 98, ENOTDIR: 99 };

/** Files of a place where nothing but a shell answers. Everything that crosses is base64, so that any byte and any name comes through. */
export function createShellFiles(run: ShellRun, { home, piece = PIECE }: ShellFilesOptions): Files {
  const ask = (done: string, path: string, script: string, more: Partial<ShellScriptOptions> = {}) => say(run, done, path, script, more);
  return {
    home,
    real: async (path) => decode(await ask('followed', path, realScript(path))).toString(),
    stat: async (path) => {
      try {
        return factsOf(
          await ask('looked at', path, `p=${quoteShellWord(path)}; stat -L -c '%f %s %i %Z %h %Y %y' -- "$p" || exit ${FAILED}`),
        );
      } catch (error) {
        if (isFilesError(error, 'ENOENT', 'ENOTDIR')) return undefined;
        throw error;
      }
    },
    read: (path, signal) => readPieces(ask, path, piece, signal),
    write: (path, bytes) => writePieces(ask, path, Buffer.from(bytes), piece),
    rename: async (from, to) => void (await ask('renamed', from, renameScript(from, to))),
    remove: async (path) => void (await ask('removed', path, removeScript(path))),
    list: async (folder) => itemsOf(folder, decode(await ask('listed', folder, listScript(folder), { room: LIST_ROOM }))),
  };
}

type AskShell = (done: string, path: string, script: string, more?: Partial<ShellScriptOptions>) => Promise<string>;
const LIST_ROOM = 16 * 1024 * 1024;

async function say(run: ShellRun, done: string, path: string, script: string, more: Partial<ShellScriptOptions>): Promise<string> {
  const { exitCode, output } = await run(`LC_ALL=C; export LC_ALL; ${script}`, {
    signal: new AbortController().signal,
    room: 64 * 1024,
    ...more,
  });
  if (exitCode === 0) return output;
  const words = output.trim().split('\n').at(-1) ?? '';
  const found = Object.entries(FOUND).find(([, code]) => code === exitCode)?.[0];
  throw new FilesError(
    found ?? (exitCode === null ? 'EIO' : codeOf(words)),
    `${path} could not be ${done}: ${words === '' ? `the shell there ended with ${exitCode ?? 'nothing'}` : words}`,
  );
}

/** What the programs there say in the language of the system, and the code that stands for it. */
const CODES: readonly (readonly [words: string, code: string])[] = [
  ['No such file', 'ENOENT'],
  ['Not a directory', 'ENOTDIR'],
  ['Is a directory', 'EISDIR'],
  ['Permission denied', 'EACCES'],
  ['Operation not permitted', 'EPERM'],
  ['Read-only file system', 'EROFS'],
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['File name too long', 'ENAMETOOLONG'],
  ['Too many levels of symbolic links', 'ELOOP'],
  ['Directory not empty', 'ENOTEMPTY'],
  ['File exists', 'EEXIST'],
  ['File too large', 'EFBIG'],
];
const codeOf = (words: string): string => CODES.find(([sign]) => words.toLowerCase().includes(sign.toLowerCase()))?.[1] ?? 'EIO';
/** Input is read to its end first: who is still writing it when nobody reads any more may lose our answer. */
const failing = (code: keyof typeof FOUND): string =>
  `{ cat >/dev/null; echo ${code === 'EISDIR' ? 'Is a directory' : 'Not a directory'}; exit ${FOUND[code]}; }`;
const decode = (text: string): Buffer => Buffer.from(text, 'base64');

/**
 * Goes up to what exists, follows that, and hangs the rest below it again. A link that leads to nothing is followed by hand:
 * not every `readlink` reads its target from where the link lies.
 */
const realScript = (path: string): string =>
  `p=${quoteShellWord(path)}; rest=; n=0; r=/; while :; do if [ -e "$p" ]; then r=$(readlink -f -- "$p"; echo x); r=\${r%?x}; break; ` +
  `elif [ -L "$p" ] && [ $n -lt 20 ]; then n=$((n+1)); t=$(readlink -- "$p"; echo x); t=\${t%?x}; case $t in /*) p=$t ;; *) p=\${p%/*}/$t ;; esac; ` +
  `elif [ "$p" = / ]; then break; else rest=/\${p##*/}$rest; p=\${p%/*}; p=\${p:-/}; fi; done; r=\${r%/}$rest; printf '%s' "\${r:-/}" | base64`;

function factsOf(text: string): FileStat {
  const [hex = '', size = '', inode = '', changed = '', links = '', ...modified] = text.trim().split(' ');
  const raw = Number.parseInt(hex, 16);
  const kind = KINDS[raw & 0o170000] ?? 'other';
  return {
    kind,
    size: Number(size),
    mode: raw & 0o7777,
    ...(kind === 'file' && { links: Number(links) }),
    stamp: `${inode}:${modified.join(' ')}:${changed}:${size}`,
  };
}
const KINDS: Readonly<Record<number, FileStat['kind']>> = { 0o100000: 'file', 0o040000: 'folder' };

async function* readPieces(ask: AskShell, path: string, piece: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += piece) {
    signal.throwIfAborted();
    // `tail` and not `dd`: it finds the place by seeking, and a piece is a piece whatever the block size.
    const script = `p=${quoteShellWord(path)}; [ -d "$p" ] && ${failing('EISDIR')}; exec 3<"$p" || exit ${FAILED}; tail -c +${at + 1} <&3 | head -c ${piece} | base64`;
    const bytes = decode(await ask('read', path, script, { signal, room: 2 * piece + 1024 }));
    if (bytes.length > 0) yield bytes;
    if (bytes.length < piece) return;
  }
}

async function writePieces(ask: AskShell, path: string, bytes: Buffer, piece: number): Promise<void> {
  const beside = `${path.slice(0, path.lastIndexOf('/') + 1)}.hermes-${randomHex(12)}.tmp`;
  const head = `p=${quoteShellWord(path)}; t=${quoteShellWord(beside)}; `;
  try {
    for (let at = 0; ; at += piece) {
      const last = at + piece >= bytes.length;
      const script = `${head}${at === 0 ? BEGIN : ''}base64 -d >>"$t" || exit ${FAILED}; ${last ? COMMIT : ''}`;
      await ask('written', path, script, { stdin: `${bytes.subarray(at, at + piece).toString('base64')}\n` });
      if (last) return;
    }
  } catch (error) {
    await ask('cleaned up', beside, `rm -f -- ${quoteShellWord(beside)}`).catch(() => undefined);
    throw error;
  }
}
const BEGIN = `[ -d "$p" ] && ${failing('EISDIR')}; mkdir -p -- "\${p%/*}/" || exit ${FAILED}; (set -C; : >"$t") || exit ${FAILED}; `;
/** `mv` within one folder is a rename: the target holds the old bytes or the new. */
const COMMIT = `if [ -e "$p" ]; then chmod "$(stat -L -c %a -- "$p")" "$t" || exit ${FAILED}; fi; sync -d "$t" 2>/dev/null; mv -f -- "$t" "$p" || exit ${FAILED}`;

const renameScript = (from: string, to: string): string =>
  `f=${quoteShellWord(from)}; t=${quoteShellWord(to)}; if [ -d "$t" ] && [ ! -L "$t" ]; then if [ -d "$f" ] && [ ! -L "$f" ]; then rmdir -- "$t" || exit ${FAILED}; ` +
  `else ${failing('EISDIR')}; fi; fi; mv -f -- "$f" "$t" || exit ${FAILED}`;

const removeScript = (path: string): string =>
  `p=${quoteShellWord(path)}; [ -d "$p" ] && [ ! -L "$p" ] && ${failing('EISDIR')}; ` +
  `[ -e "$p" ] || [ -L "$p" ] || ls -d -- "$p" >/dev/null || exit ${FAILED}; rm -f -- "$p" || exit ${FAILED}`;

/** A letter for the kind, the name, and a zero byte: the only byte no name has. */
const listScript = (folder: string): string =>
  `p=${quoteShellWord(folder)}; [ -d "$p" ] || { ls -- "$p/" >/dev/null || exit ${FAILED}; ${failing('ENOTDIR')}; }; cd -- "$p" && ls -a >/dev/null || exit ${FAILED}; ` +
  `for n in .* *; do case $n in .|..) continue ;; esac; if [ -L "$n" ]; then k=l; elif [ -d "$n" ]; then k=d; elif [ -f "$n" ]; then k=f; elif [ -e "$n" ]; then k=o; ` +
  `else continue; fi; printf '%s%s\\000' "$k" "$n"; done | base64`;

const LETTERS: Readonly<Record<string, FolderEntry['kind']>> = { l: 'link', d: 'folder', f: 'file' };
/** Its programs may be others by now, put there by whoever works in it: a name that is none stops the listing. */
const itemsOf = (folder: string, bytes: Buffer): FolderEntry[] =>
  bytes
    .toString()
    .split('\0')
    .filter((row) => row !== '')
    .map((row) => {
      const name = row.slice(1);
      if (!isEntryName(name))
        throw new FilesError('EIO', `${folder} could not be listed: ${JSON.stringify(name.slice(0, 200))} is not the name of a file.`);
      return { name, kind: LETTERS[row.slice(0, 1)] ?? 'other' };
    });
