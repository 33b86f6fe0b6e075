import type { ExpectedCommand, Terminal } from '../../contracts/terminal.ts';

/** A model that answers at once is not kept waiting by what its answer may not need. */
const PATIENCE_MS = 25;

/**
 * What calls will most likely need, made ready while the model thinks: a shell for the next command, and before the first one
 * all that commands are judged and run with. A call on its way needs it in any case. Trouble is left for the calls to tell.
 */
export function createCallExpectation(
  terminal: Pick<Terminal, 'prepare'>,
  load: () => Promise<unknown>,
): (expected?: ExpectedCommand) => void {
  let loading: Promise<unknown> | undefined;
  const begin = async (expected?: ExpectedCommand): Promise<void> => {
    loading ??= load();
    await Promise.allSettled([loading, terminal.prepare?.(expected)]);
  };
  return (expected) => {
    if (loading !== undefined || expected?.isCalled === true) void begin(expected);
    else setTimeout(() => void begin(expected), PATIENCE_MS).unref();
  };
}
