import { randomHex } from '../../../../base/ids.ts';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file written beside its place and not yet in it. */
export interface Staged {
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Writes beside the target, so that the target always holds the old text or the new, never half of one. Keeps its mode, or takes that of another file. */
export async function stage(target: string, text: string, like = target): Promise<Staged> {
  await mkdir(dirname(target), { recursive: true });
  const mode = (await stat(like).catch(() => undefined))?.mode;
  const beside = join(dirname(target), `.hermes-${randomHex(12)}.tmp`);
  const discard = () => rm(beside, { force: true });
  try {
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (mode !== undefined) await chmod(beside, mode & 0o7777);
  } catch (error) {
    await discard();
    throw error;
  }
  return { commit: () => rename(beside, target), discard };
}

export async function save(target: string, text: string): Promise<void> {
  const staged = await stage(target, text);
  try {
    await staged.commit();
  } catch (error) {
    await staged.discard();
    throw error;
  }
}
