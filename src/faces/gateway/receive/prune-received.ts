import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../../base/errors.ts';
import { isReceivedName } from '../../../contracts/received-files.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { findReceived } from '../chats/workspace.ts';
import { openReceived } from './received-files.ts';

export interface ReceivedLimits {
  readonly maxAgeMs: number;
  /** Of all chats together. */
  readonly maxBytes: number;
}
export interface PruneReceivedDeps {
  /** The folder with the workspaces of all chats. */
  readonly workspaces: string;
  readonly store: Pick<SessionStore, 'pending'>;
  readonly limits: () => ReceivedLimits;
  readonly now: () => number;
}

const EVERY_MS = 3_600_000;
/** The message it came with may still be on its way to its session. */
const MIN_AGE_MS = 600_000;

/** Prunes when it is called, at most once an hour: there may be many chats. */
export function createReceivedPruner(deps: PruneReceivedDeps): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - last < EVERY_MS) return;
    last = performance.now();
    await pruneReceived(deps);
    await pruneEmptyWorkspaces(deps);
  };
}

interface KeptFile {
  readonly workspace: string;
  readonly name: string;
  readonly bytes: number;
  readonly at: number;
}

/**
 * Removes files that were sent to chats: those that are too old, and then the oldest until the rest has room. What a chat was
 * sent stays while a message of it waits or a turn is unfinished, however much that is.
 */
export async function pruneReceived(deps: PruneReceivedDeps): Promise<void> {
  const kept = (await listKept(deps.workspaces)).toSorted((one, other) => one.at - other.at);
  if (kept.length === 0) return;
  const busy = new Set((await deps.store.pending()).map(({ session }) => session.cwd));
  const { maxAgeMs, maxBytes } = deps.limits();
  let bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of kept) {
    const age = deps.now() - file.at;
    if (age < MIN_AGE_MS || busy.has(file.workspace) || (bytes <= maxBytes && age <= maxAgeMs)) continue;
    await remove(file);
    bytes -= file.bytes;
  }
}

/** An empty folder of a chat that was not used for so long goes; the chat's next message makes it anew. */
const EMPTY_MS = 7 * 86_400_000;

/** Every event of a program has a folder of its own, and most leave nothing in it. What holds anything stays. */
export async function pruneEmptyWorkspaces({ workspaces, store, now }: Omit<PruneReceivedDeps, 'limits'>): Promise<void> {
  const busy = new Set((await store.pending()).map(({ session }) => session.cwd));
  for (const chat of await listNames(workspaces)) {
    const workspace = join(workspaces, chat);
    const stat = await lstat(workspace).catch(() => undefined);
    if (stat?.isDirectory() !== true || busy.has(workspace) || now() - stat.mtimeMs < EMPTY_MS) continue;
    for (const folder of [findReceived(workspace), workspace]) await rmdir(folder).catch(() => undefined);
  }
}

async function listKept(workspaces: string): Promise<readonly KeptFile[]> {
  const found: KeptFile[] = [];
  for (const chat of await listNames(workspaces)) {
    const workspace = join(workspaces, chat);
    await using held = await openIfThere(findReceived(workspace));
    if (held === undefined) continue;
    for (const name of (await readdir(held.inside)).filter(isReceivedName)) {
      const stat = await lstat(join(held.inside, name)).catch(() => undefined);
      if (stat?.isFile() === true) found.push({ workspace, name, bytes: stat.size, at: stat.mtimeMs });
    }
  }
  return found;
}

async function remove({ workspace, name }: KeptFile): Promise<void> {
  await using held = await openIfThere(findReceived(workspace));
  if (held !== undefined) await rm(join(held.inside, name), { force: true });
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Nothing where there is none, or something else by that name. */
const openIfThere = (folder: string) => openReceived(folder).catch(() => undefined);
