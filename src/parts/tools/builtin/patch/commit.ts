import { rm } from 'node:fs/promises';
import { save, stage, type Staged } from '../files/save.ts';

/** What a file is to become, as it goes on the disk; `undefined` removes it. `before` is what it was. */
export interface Write {
  readonly target: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The file whose mode it takes, when not its own. */
  readonly like?: string;
}

/** Writes all or nothing: everything is laid beside its place first, and a failure half way puts back what was moved. */
export async function commitAll(writes: readonly Write[]): Promise<void> {
  const staged: Staged[] = [];
  const done: Write[] = [];
  try {
    for (const { target, after, like } of writes) if (after !== undefined) staged.push(await stage(target, after, like));
    const queue = [...staged];
    for (const write of writes) {
      await (write.after === undefined ? rm(write.target) : queue.shift()?.commit());
      done.push(write);
    }
  } catch (error) {
    await Promise.all(staged.map((each) => each.discard()));
    for (const { target, before } of done) await (before === undefined ? rm(target, { force: true }) : save(target, before));
    throw error;
  }
}
