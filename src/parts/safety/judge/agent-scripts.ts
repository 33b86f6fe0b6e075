import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';

/** Longer texts are no scripts somebody wrote by hand, and are left alone. */
const LONGEST = 64 * 1024;
/** How long before this run a file may have been changed and still count as the agent's: a session goes on in another run. */
const EARLIER_MS = 7 * 24 * 3_600_000;
/** Longer lists of files are not looked through; what they hold then counts as not tracked. */
const LONGEST_INDEX = 16 * 1024 * 1024;
/** Folders whose files package tools put there, programs among them that do all sorts of things. */
const PACKAGES = /\/(?:node_modules|site-packages|dist-packages|\.venv|venv|\.tox|\.yarn|\.pnpm-store)\//;

export interface AgentScriptOptions {
  /** The working folder of the session. */
  readonly workspace: string;
  /** Whether the terminal has the same folders for temporary files as this process: a sandbox has its own. */
  readonly shared?: boolean;
  /** When this run began, in milliseconds. */
  readonly began?: number;
}

/**
 * Reads scripts the agent may have written: small text files in the working folder or a folder for temporary files. Those
 * changed since this run began count, and those of the days before it that git does not know as they are. The time is the one
 * the system keeps for itself (`ctime`), which no program sets back. Whatever is older, or came with the repository, is the
 * owner's; and so is a program in the repository that the agent works on: only scripts and recipes are read then.
 */
export function createAgentScriptReader({
  workspace,
  shared = true,
  began = performance.timeOrigin,
}: AgentScriptOptions): (path: string) => string | undefined {
  const temporary = lazy(() => (shared ? [...new Set(['/tmp', '/var/tmp', tmpdir()])].flatMap((folder) => realPath(folder) ?? []) : []));
  return (path) => {
    const file = realPath(path);
    if (file === undefined || PACKAGES.test(file)) return undefined;
    const inWorkspace = isWithin(realPath(workspace) ?? workspace, file);
    if (!inWorkspace && !temporary().some((folder) => isWithin(folder, file))) return undefined;
    const text = textOf(file, (seen, found) => !inWorkspace || isOwn(file, seen, found, began));
    return ENVIRONMENT_FILE.test(file) ? text?.replace(PLAIN_ASSIGNMENT, '') : text;
  };
}

/**
 * A file of variables holds secrets, however young it is: what it sets stays as unknown as with any other, so that showing or
 * sending one of them asks. Whatever else stands there is a script.
 */
const ENVIRONMENT_FILE = /\/(?:\.env[\w.-]*|[\w.-]+\.env)$/;
const PLAIN_ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?\w+=(?:'[^'\n]*'|"[^"$`\\\n]*"|[^\s$`;&|<>()"'\\]*)[ \t]*(?:#.*)?$/gm;

function isOwn(file: string, seen: Stats, text: string, began: number): boolean {
  if (seen.ctimeMs < began - EARLIER_MS) return false;
  const kept = trackedAs(file);
  // What was put into the list after this run began says nothing: the agent may have done that as well.
  if (kept === undefined || kept.modified * 1000 >= began) return true;
  return isForShell(file, text) && (seen.ctimeMs >= began || kept.size !== seen.size || kept.modified !== Math.floor(seen.mtimeMs / 1000));
}
/** Lines that a shell or a build tool runs as they stand. */
const isForShell = (file: string, text: string): boolean =>
  /(?:\.(?:[a-z]*sh|mk|make|bats|env)|\/(?:(?:GNU)?[Mm]akefile|package\.json|[Jj]ustfile|Procfile|Taskfile\.ya?ml))$/.test(file) ||
  /^#![^\n]*sh\b/.test(text) ||
  !/\.\w+$/.test(file);

/** A small text file; a pipe or a device would never end, and is not waited for. */
function textOf(file: string, wanted: (seen: Stats, text: string) => boolean): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const seen = fstatSync(handle);
    if (!seen.isFile() || seen.size > LONGEST) return undefined;
    const bytes = Buffer.alloc(seen.size);
    const text = bytes.subarray(0, readSync(handle, bytes, 0, seen.size, 0));
    return text.includes(0) || !wanted(seen, text.toString('utf8')) ? undefined : text.toString('utf8');
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** A file as git last saw it. */
interface TrackedFile {
  readonly size: number;
  /** In seconds. */
  readonly modified: number;
}

/** The entry of a file in the list git keeps, by whose numbers git itself tells what has changed. */
function trackedAs(file: string): TrackedFile | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const index = indexIn(join(folder, '.git', 'index')) ?? indexIn(linkedIndex(folder));
    if (index !== undefined) return entryIn(index, relative(folder, file));
    if (folder === dirname(folder)) return undefined;
  }
}

/** In a linked worktree and in a submodule `.git` is a file that says where the list lies. */
function linkedIndex(folder: string): string {
  const named = textOf(join(folder, '.git'), () => true)?.match(/^gitdir: (.+)$/m)?.[1];
  return named === undefined ? '' : join(resolve(folder, named), 'index');
}

function indexIn(path: string): Buffer | undefined {
  try {
    return statSync(path).size > LONGEST_INDEX ? Buffer.alloc(0) : readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Before each name stand 62 bytes: two times, six numbers of which the last is the size, a hash, and flags with the name's length. */
const HEAD = 62;
const MODIFIED_AT = 8;
const SIZE_AT = 36;
function entryIn(index: Buffer, name: string): TrackedFile | undefined {
  const wanted = Buffer.from(`${name}\0`);
  for (let at = index.indexOf(wanted); at >= 0; at = index.indexOf(wanted, at + 1)) {
    const start = at - HEAD;
    if (start < 12 || (index.readUInt16BE(at - 2) & 0xfff) !== wanted.length - 1) continue;
    return { size: index.readUInt32BE(start + SIZE_AT), modified: index.readUInt32BE(start + MODIFIED_AT) };
  }
  return undefined;
}
