import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { toErrorMessage } from '../../base/errors.ts';
import { sha256 } from '../../base/sha256.ts';
import { toSentencePart } from '../../base/text.ts';
import { isWithin } from '../../base/within.ts';
import { isFilesError, type Files, type FileStat, type OpenedFile } from '../../contracts/files.ts';
import type { OutgoingFile, ReadOutgoingFile } from '../../contracts/outgoing-file.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { hasLocalFiles, type Terminal } from '../../contracts/terminal.ts';
import { localFiles } from '../../parts/terminals/files/local.ts';
import type { FileGuard } from '../../parts/tools/builtin/files/guarded.ts';
import { locate, resolveCanonicalPath, type Location } from '../../parts/tools/builtin/files/locate.ts';
import type { JudgeRead } from './read-checks.ts';

export interface OutgoingFilesOptions {
  readonly terminal: Terminal;
  readonly guard: Pick<FileGuard, 'keeps'>;
  readonly judge: () => Promise<JudgeRead>;
  /** Values that no file may carry out; absent where nothing is known of any. */
  readonly secrets?: Pick<Secrets, 'redact'>;
  /** The profile's folder, and the session's on this machine. */
  readonly profile: string;
  readonly cwd: string;
}

/**
 * Reads files that an answer names, for somebody outside: what `read_file` would read without asking anybody, as the session's
 * commands see it. A file is opened first, and what was opened is judged and read: another that takes its name is not.
 */
export const createOutgoingFiles =
  (options: OutgoingFilesOptions): ReadOutgoingFile =>
  async (path, limits) => {
    try {
      return { ok: true, file: await readOutgoing(path, limits, options) };
    } catch (error) {
      return {
        ok: false,
        why: toSentencePart(error instanceof NotForSending || isFilesError(error) ? describe(error) : toErrorMessage(error)),
      };
    }
  };

class NotForSending extends Error {}

type OutgoingLimits = Parameters<ReadOutgoingFile>[1];

async function readOutgoing(path: string, limits: OutgoingLimits, options: OutgoingFilesOptions): Promise<OutgoingFile> {
  const made = await readMadeFile(path, limits, options.profile);
  if (made !== undefined) return made;
  if (!/^(?:\/|~\/)/.test(path)) throw new NotForSending('the path is not absolute');
  const { terminal } = options;
  await terminal.ready?.();
  const place = await locate(path, terminal);
  await refuseUnfit(place, options);
  const found = await terminal.files.stat(place.path);
  refuseKind(found, limits.maxBytes);
  await using opened = await terminal.files.open?.(place.path);
  const bytes =
    opened === undefined ? await readUnopened(place, found, limits, terminal.files) : await readOpened(opened, place, limits, options);
  if (bytes.length === 0) throw new NotForSending('it is empty');
  if (options.secrets !== undefined && (await holdsSecret(bytes, options.secrets)))
    throw new NotForSending('it holds the value of a secret');
  return { name: basename(place.path), bytes };
}

async function readOpened(opened: OpenedFile, place: Location, limits: OutgoingLimits, options: OutgoingFilesOptions): Promise<Buffer> {
  if (opened.real.endsWith(' (deleted)')) throw new NotForSending('it was removed meanwhile');
  await refuseUnfit({ ...place, real: opened.real }, options);
  // A credential has other names where hard links lead to it: asked of what is open.
  if (hasLocalFiles(options.terminal.kind)) refuseVerdict((await options.judge())(opened.here));
  refuseKind(opened.stat, limits.maxBytes);
  return collect(opened.read(limits.signal), limits.maxBytes);
}

/** Bytes looked at in one go, and how far two looks overlap: no value is longer. */
const LOOK = { size: 1_000_000, overlap: 8_192 } as const;

/** What the model would have seen a placeholder for goes to nobody as it is. */
async function holdsSecret(bytes: Buffer, { redact }: Pick<Secrets, 'redact'>): Promise<boolean> {
  for (let at = 0; at < bytes.length; at += LOOK.size) {
    const text = bytes.toString('latin1', at, at + LOOK.size + LOOK.overlap);
    if (redact(text) !== text) return true;
    await setImmediate();
  }
  return false;
}

/** In a place far away a file cannot be held open from here: it must be the same before and after. */
async function readUnopened({ path, real }: Location, before: FileStat, limits: OutgoingLimits, files: Files): Promise<Buffer> {
  const bytes = await collect(files.read(real, limits.signal), limits.maxBytes);
  const [after, stillReal] = await Promise.all([files.stat(path), files.real(path)]);
  if (after?.stamp !== before.stamp || stillReal !== real) throw new NotForSending('it changed while it was read');
  return bytes;
}

/** Pictures and speech that tools made lie with the profile, under a name that only those know who were told: it is their hash. */
async function readMadeFile(path: string, { maxBytes, signal }: OutgoingLimits, profile: string): Promise<OutgoingFile | undefined> {
  const folder = dirname(resolve(path));
  if (!MADE.some((name) => join(profile, 'cache', name) === folder) || !MADE_NAME.test(basename(path))) return undefined;
  await using opened = await localFiles.open?.(path).catch(() => undefined);
  const bytes = opened?.stat.kind === 'file' ? await collect(opened.read(signal), maxBytes) : Buffer.alloc(0);
  return sha256(bytes).slice(0, HASHED) === basename(path).slice(0, HASHED) ? { name: basename(path), bytes } : undefined;
}
const MADE = ['images', 'audio'];
const HASHED = 24;
const MADE_NAME = /^[0-9a-f]{24}\.\w+$/;

/** By its name and by what it is; nobody is asked. */
async function refuseUnfit(place: Location, { terminal, guard, judge, profile, cwd }: OutgoingFilesOptions): Promise<void> {
  const { path, real, homes } = place;
  for (const name of new Set([path, real])) {
    const what = guard.keeps([name], { homes }, 'read');
    if (what !== undefined) throw new NotForSending(`it is ${what}`);
    if (KERNEL.some((folder) => isWithin(folder, name)) && !isWithin(IN_MEMORY, name))
      throw new NotForSending('it is not a file on a disk');
    refuseVerdict((await judge())(name));
    if (terminal.wall?.files.keepsFrom(name, 'read') === true) throw new NotForSending('it lies outside the sandbox');
    if (hasLocalFiles(terminal.kind) && isAgentsOwn(name, profile, cwd)) throw new NotForSending("it belongs to the agent's own folder");
  }
}
const KERNEL = ['/proc', '/sys', '/dev'];
/** Files like any other, in memory. */
const IN_MEMORY = '/dev/shm';

/** All of the profile's folder but the session's own place in it: what other chats have there is theirs. */
function isAgentsOwn(path: string, profile: string, cwd: string): boolean {
  const [root, own] = [resolveCanonicalPath(profile), resolveCanonicalPath(cwd)];
  const isInside = isWithin(root, path) || isWithin(profile, path);
  return isInside && !(own !== root && isWithin(root, own) && (isWithin(own, path) || isWithin(cwd, path)));
}

function refuseVerdict(verdict: ReturnType<JudgeRead>): void {
  if (verdict.type !== 'fine') throw new NotForSending(verdict.reason);
}

function refuseKind(found: FileStat | undefined, maxBytes: number): asserts found is FileStat {
  if (found === undefined) throw new NotForSending('there is no such file');
  if (found.kind !== 'file') throw new NotForSending(found.kind === 'folder' ? 'it is a folder' : 'it is no regular file');
  if (found.size > maxBytes) throw tooLarge(maxBytes);
}

async function collect(pieces: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    // It may have grown since it was looked at.
    if (length > maxBytes) throw tooLarge(maxBytes);
    kept.push(piece);
  }
  return Buffer.concat(kept);
}

const tooLarge = (maxBytes: number): NotForSending =>
  new NotForSending(`it is larger than ${Math.floor(maxBytes / 1_000_000)} MB, the most that can be sent there`);

/** Codes people know without the words of the system around them. */
const CODES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'its links go in a circle',
};
const describe = (error: Error): string => (isFilesError(error) ? (CODES[error.code] ?? error.message) : error.message);
