import { lstatSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quoteShellWord } from '../../../base/shell.ts';
import { runRemote } from '../line/run.ts';
import { openStagingFolder, unpack } from './archive.ts';
import { LIMITS, listRemoteFiles, type SyncTarget } from './far.ts';
import { listLocalFiles, hashFile } from './here.ts';
import { planPull, type RemoteFile, type SentFile, type SyncSource } from './plan.ts';
import { createFetchScript } from './there.ts';

export interface SyncBackOptions {
  readonly sources: readonly SyncSource[];
  /** A folder of the profile that nothing is read from: what comes from elsewhere waits there for the owner. */
  readonly incoming: string;
  /** A line for the owner. */
  notice(text: string): void;
}

/**
 * Brings what was changed or made there, and puts none of it in place: whoever writes there would write the rules here. The
 * owner is told where it is and how to take it over.
 */
export async function pullFiles(far: SyncTarget, options: SyncBackOptions, sent: ReadonlyMap<string, SentFile>): Promise<void> {
  const { sources, notice } = options;
  const incoming = join(options.incoming, far.line.name.replaceAll(/[^\w.@-]+/g, '-').replace(/^\.+/, ''));
  const waiting = sources.filter(({ back }) => back).map((source) => ({ ...source, from: join(incoming, source.to) }));
  const there = await listRemoteFiles(far, sources);
  const known = new Map<string, string[]>();
  for (const { at, path } of listLocalFiles([...sources, ...waiting])) known.set(path, [...(known.get(path) ?? []), await hashFile(at)]);
  const { take, bytes } = planPull(sources, sent, there, (path) => known.get(path) ?? []);
  if (take.length === 0) return;
  if (bytes > far.maxBytes)
    return notice(
      `${take.length} files changed on ${far.line.name} have ${bytes} bytes, more than the ${far.maxBytes} that are brought here. They are still there, in ~/.hermes.`,
    );
  using laid = openStagingFolder();
  await fetchTo(far, take, laid.folder);
  const kept: string[] = [];
  for (const file of take) if (await keep(file, join(laid.folder, file.path), incoming)) kept.push(file.path);
  if (kept.length > 0) notice(describeIncoming(far.line.name, kept.toSorted(), incoming, sources));
}

function describeIncoming(host: string, paths: readonly string[], incoming: string, sources: readonly SyncSource[]): string {
  const copies = sources.filter(({ to, back }) => back && paths.some((path) => path.startsWith(`${to}/`)));
  const how = copies.map(({ from, to }) => `cp -r ${quoteShellWord(`${join(incoming, to)}/.`)} ${quoteShellWord(from)}`).join('; ');
  return `Changed on ${host}, brought here and not used: ${named(paths)}. Read them in ${incoming}; to take them over, run this yourself: ${how}`;
}
const NAMES = 10;
const named = (paths: readonly string[]): string =>
  paths.length <= NAMES ? paths.join(', ') : `${paths.slice(0, NAMES).join(', ')} and ${paths.length - NAMES} more`;

async function fetchTo({ line, root }: SyncTarget, take: readonly RemoteFile[], folder: string): Promise<void> {
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
async function keep({ path, sha256 }: RemoteFile, laid: string, incoming: string): Promise<boolean> {
  if (lstatSync(laid, { throwIfNoEntry: false })?.isFile() !== true || (await hashFile(laid)) !== sha256) return false;
  const at = join(incoming, path);
  await mkdir(dirname(at), { recursive: true, mode: 0o700 });
  // Nothing there is run, and nobody else reads it.
  await rm(at, { force: true });
  await copyFile(laid, at);
  await chmod(at, 0o600);
  return true;
}
