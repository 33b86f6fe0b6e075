import { lstatSync } from 'node:fs';
import { chmod, copyFile, mkdir, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { isWithin } from '../../../base/within.ts';
import { runRemote } from '../line/run.ts';
import { openStagingFolder, unpack } from './archive.ts';
import { LIMITS, listRemoteFiles, type SyncTarget } from './far.ts';
import { listLocalFiles, hashFile } from './here.ts';
import { planPull, type SyncedFile, type SentFile, type SyncSource, type PulledFile } from './plan.ts';
import { createFetchScript } from './there.ts';

export interface SyncBackOptions {
  readonly sources: readonly SyncSource[];
  /** A line for the owner. */
  notice(text: string): void;
}

export async function pullFiles(far: SyncTarget, { sources, notice }: SyncBackOptions, sent: ReadonlyMap<string, SentFile>): Promise<void> {
  const there = await listRemoteFiles(far, sources);
  const known = new Map<string, SyncedFile>();
  for (const { at, mtimeMs } of listLocalFiles(sources)) known.set(at, { sha256: await hashFile(at), mtimeMs });
  const { take, bytes } = planPull(sources, sent, there, (at) => known.get(at));
  if (take.length === 0) return;
  if (bytes > far.maxBytes)
    return notice(
      `${take.length} files changed on ${far.line.name} have ${bytes} bytes, more than the ${far.maxBytes} that are taken back. They are still there, in ~/.hermes.`,
    );
  using laid = openStagingFolder();
  await fetchTo(far, take, laid.folder);
  for (const file of take) await place(file, join(laid.folder, file.path), sources, notice);
  notice(`Changed on ${far.line.name} and taken back: ${named(take.map(({ path }) => path).toSorted())}.`);
}
const NAMES = 10;
const named = (paths: readonly string[]): string =>
  paths.length <= NAMES ? paths.join(', ') : `${paths.slice(0, NAMES).join(', ')} and ${paths.length - NAMES} more`;

async function fetchTo({ line, root }: SyncTarget, take: readonly PulledFile[], folder: string): Promise<void> {
  const unpacking = unpack(folder);
  const { exitCode, output } = await runRemote(line, createFetchScript(root), {
    ...LIMITS,
    maxOutput: 2_000,
    signal: new AbortController().signal,
    stdin: take.map(({ path }) => `${path}\n`).join(''),
    onOutput: unpacking.push,
  });
  await unpacking.end().catch((error: unknown) => Promise.reject(exitCode === 0 ? error : new Error(output.trim().slice(-500))));
  if (exitCode !== 0) throw new Error(`the archive was cut off: ${output.trim().slice(-500)}`);
}

/** Bytes that are not those that were planned with (they changed meanwhile) are left for another time. */
async function place(file: PulledFile, laid: string, sources: readonly SyncSource[], notice: SyncBackOptions['notice']): Promise<void> {
  if (lstatSync(laid, { throwIfNoEntry: false })?.isFile() !== true || (await hashFile(laid)) !== file.sha256) return;
  await mkdir(dirname(file.at), { recursive: true });
  if (!(await staysWithin(file.at, sources)))
    return notice(`${file.path} was not taken back: a link here would lead it out of the profile.`);
  if (file.conflict === undefined) return put(laid, file.at);
  const beside = `${file.at}.conflict-${file.sha256.slice(0, 8)}`;
  if (file.conflict === 'ours_is_newer') await put(laid, beside);
  else {
    await put(file.at, beside);
    await put(laid, file.at);
  }
  notice(
    `${file.at} was changed on both sides. The newer one (${file.conflict === 'ours_is_newer' ? 'of here' : 'of there'}) has the name, the other is ${basename(beside)} beside it.`,
  );
}

/** A folder here may be a link; what comes from far away does not go through it. */
async function staysWithin(at: string, sources: readonly SyncSource[]): Promise<boolean> {
  const folder = await realpath(dirname(at));
  const roots = await Promise.all(sources.filter(({ back }) => back).map(({ from }) => realpath(from).catch(() => from)));
  return roots.some((root) => isWithin(root, folder)) && lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true;
}

async function put(from: string, to: string): Promise<void> {
  const mode = lstatSync(to, { throwIfNoEntry: false })?.mode ?? 0o600;
  const beside = join(dirname(to), `.hermes-${randomHex(12)}.tmp`);
  await copyFile(from, beside);
  await chmod(beside, mode & 0o777);
  await rename(beside, to);
}
