/** Twice within this time means: exit. */
const MAX_DOUBLE_MS = 2_000;

export type InterruptMeaning = 'interrupt' | 'clear' | 'warn' | 'exit';

/**
 * What Ctrl-C means: it stops a running turn, or clears the text; on an empty editor it says that another one exits. Two in a
 * row on an empty editor exit also while a turn does not stop.
 */
export function createInterruptKey(now: () => number): (state: { readonly busy: boolean; readonly empty: boolean }) => InterruptMeaning {
  let last = -Infinity;
  return ({ busy, empty }) => {
    const isSecond = now() - last <= MAX_DOUBLE_MS;
    last = empty ? now() : -Infinity;
    if (isSecond && empty) return 'exit';
    if (busy) return 'interrupt';
    return empty ? 'warn' : 'clear';
  };
}
