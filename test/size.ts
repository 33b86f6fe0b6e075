/**
 * Tests have two sizes: `npm test` runs the small one, `npm run prove -- suite` every file that imports this in full. The small
 * size reaches every line and every kind of case; the full one repeats them for more seeds, users and back ends.
 */
const isFull = process.env['HERMES_SUITE'] === 'full';

export const sized = <Value>(small: Value, full: Value): Value => (isFull ? full : small);

const WHY_NOT = 'in full: npm run prove -- suite';

/** For `leftOut` of a conformance suite: the small size tries these promises, and the others where the same code is behind them. */
export const onlyThese =
  (...promises: readonly string[]) =>
  (promise: string): string | undefined =>
    isFull || promises.some((words) => promise.startsWith(words)) ? undefined : WHY_NOT;
