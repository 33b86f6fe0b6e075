import { createKeyedQueue } from '../../../base/keyed-queue.ts';

/** A sandbox that outlasts its terminals. */
interface LastingSandbox {
  readonly id: string;
}

/** Terminals of this process in each lasting sandbox, and the work on the sandbox of a task. */
const terminals = new Map<string, number>();
const inTurn = createKeyedQueue();

/** Finds or makes the sandbox of a task and counts its terminal. Waits while the sandbox is being left: nobody gets it half stopped. */
export const enterSandbox = <Sandbox extends LastingSandbox>(task: string, find: () => Promise<Sandbox>): Promise<Sandbox> =>
  inTurn(task, async () => {
    const sandbox = await find();
    terminals.set(sandbox.id, (terminals.get(sandbox.id) ?? 0) + 1);
    return sandbox;
  });

/** A session and its children work in the same sandbox: only the last terminal to go stops it. */
export const leaveSandbox = (task: string, { id }: LastingSandbox, stop: () => Promise<void>): Promise<void> =>
  inTurn(task, async () => {
    const left = (terminals.get(id) ?? 1) - 1;
    if (left > 0) return void terminals.set(id, left);
    terminals.delete(id);
    await stop();
  });
