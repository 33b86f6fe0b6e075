import type { Terminal } from '../../contracts/terminal.ts';

/** A model that answers at once is not kept waiting by what its answer may not need. */
const PATIENCE_MS = 25;

/**
 * What calls will most likely need, made ready while the model thinks: a shell for the next command, and before the first one
 * all that commands are judged and run with. Trouble is left for the calls to tell.
 */
export function createCallExpectation(terminal: Pick<Terminal, 'prepare'>, load: () => Promise<unknown>): () => void {
  let isBegun = false;
  const prepare = async (): Promise<void> => terminal.prepare?.().catch(() => undefined);
  const begin = async (): Promise<void> => {
    await load().catch(() => undefined);
    await prepare();
  };
  return () => {
    if (isBegun) return void prepare();
    isBegun = true;
    setTimeout(() => void begin(), PATIENCE_MS).unref();
  };
}
