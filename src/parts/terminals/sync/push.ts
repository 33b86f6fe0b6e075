import { randomHex } from '../../../base/ids.ts';
import { pack } from './archive.ts';
import { listRemoteFiles, runSyncScript, type SyncTarget } from './far.ts';
import { hashFile } from './here.ts';
import { splitBatches, planPush, type LocalFile, type SentFile, type SyncSource } from './plan.ts';
import { createCommitScript, createDiscardScript, createStageScript } from './there.ts';

const BATCH_BYTES = 32 * 1024 * 1024;

/** What an earlier session brought is not sent once more. */
export async function findSentFiles(
  far: SyncTarget,
  sources: readonly SyncSource[],
  here: readonly LocalFile[],
): Promise<ReadonlyMap<string, SentFile>> {
  const there = new Map((await listRemoteFiles(far, sources)).map((file) => [file.path, file.sha256]));
  const same = new Map<string, SentFile>();
  for (const { path, at, size, mtimeMs } of here) {
    const sha256 = there.get(path);
    if (sha256 !== undefined && sha256 === (await hashFile(at))) same.set(path, { size, mtimeMs, sha256 });
  }
  return same;
}

/** All or nothing: what is known to be there changes only when everything has arrived. */
export async function pushFiles(
  far: SyncTarget,
  sent: ReadonlyMap<string, SentFile>,
  here: readonly LocalFile[],
): Promise<ReadonlyMap<string, SentFile>> {
  const { send, remove, bytes } = planPush(sent, here);
  if (send.length === 0 && remove.length === 0) return sent;
  if (bytes > far.maxBytes)
    throw new Error(`${bytes} bytes are more than the ${far.maxBytes} that are brought along; remove skills that are not needed there`);
  const id = randomHex(12);
  const fresh = new Map(sent);
  try {
    if (send.length === 0) await runSyncScript(far, createStageScript(far.root, id), await pack([]));
    for (const batch of splitBatches(send, BATCH_BYTES)) {
      for (const { path, at, size, mtimeMs } of batch) fresh.set(path, { size, mtimeMs, sha256: await hashFile(at) });
      await runSyncScript(far, createStageScript(far.root, id), await pack(batch));
    }
    await runSyncScript(far, createCommitScript(far.root, id), Buffer.from(remove.map((path) => `${path}\n`).join('')));
  } catch (error) {
    await runSyncScript(far, createDiscardScript(far.root, id)).catch(() => undefined);
    throw error;
  }
  for (const path of remove) fresh.delete(path);
  return fresh;
}
