import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FRESH_BREAKER,
  FRESH_WATCH,
  onMatch,
  onMessage,
  type BreakerDecision,
  type WatchDecision,
} from '../../../../../src/parts/tools/builtin/terminal/watch-rules.ts';

/** What becomes of matches at these seconds. */
function watched(...seconds: readonly number[]): WatchDecision[] {
  let watch = FRESH_WATCH;
  return seconds.map((second) => {
    const [next, decision] = onMatch(watch, second * 1000);
    watch = next;
    return decision;
  });
}

const WATCHES: readonly [what: string, seconds: readonly number[], expected: readonly WatchDecision[]][] = [
  ['one is told', [0], ['tell']],
  ['the clock may begin anywhere', [1_700_000_000], ['tell']],
  ['one in 15 s', [0, 14.9, 15], ['tell', 'drop', 'tell']],
  ['many in one window are one strike', [0, 1, 2, 3, 4, 5, 15], ['tell', 'drop', 'drop', 'drop', 'drop', 'drop', 'tell']],
  [
    'three windows in a row with dropped ones switch it off',
    [0, 1, 15, 16, 30, 31, 45, 60],
    ['tell', 'drop', 'tell', 'drop', 'tell', 'off', 'drop', 'drop'],
  ],
  [
    'a window without dropped ones breaks the row',
    [0, 1, 15, 16, 30, 45, 46, 60, 61],
    ['tell', 'drop', 'tell', 'drop', 'tell', 'tell', 'drop', 'tell', 'drop'],
  ],
  [
    'so does one in which nothing matched',
    [0, 1, 15, 16, 45, 46, 60, 61],
    ['tell', 'drop', 'tell', 'drop', 'tell', 'drop', 'tell', 'drop'],
  ],
  ['one every 15 s is always told', [0, 15, 30, 45, 60], ['tell', 'tell', 'tell', 'tell', 'tell']],
];
for (const [what, seconds, expected] of WATCHES) test(`a watch: ${what}`, () => assert.deepEqual(watched(...seconds), expected));

/** What becomes of messages at these seconds. */
function sent(seconds: readonly number[]): BreakerDecision[] {
  let breaker = FRESH_BREAKER;
  return seconds.map((second) => {
    const [next, decision] = onMessage(breaker, second * 1000);
    breaker = next;
    return decision;
  });
}
const times = (count: number, first: number, step: number): number[] => Array.from({ length: count }, (_, index) => first + index * step);
const all = (count: number): BreakerDecision[] => Array.from({ length: count }, () => 'tell');

const BREAKERS: readonly [what: string, seconds: readonly number[], expected: readonly BreakerDecision[]][] = [
  ['15 in 10 s pass', times(15, 0, 0.5), all(15)],
  ['the next one begins 30 s of silence', [...times(15, 0, 0.5), 8, 9, 37.9, 38], [...all(15), 'trip', 'drop', 'drop', 'tell']],
  ['slower ones pass for ever', times(100, 0, 0.7), all(100)],
  ['after the silence it counts anew', [...times(16, 0, 0), 30, ...times(14, 30, 0), 30], [...all(15), 'trip', ...all(15), 'trip']],
];
for (const [what, seconds, expected] of BREAKERS) test(`the breaker: ${what}`, () => assert.deepEqual(sent(seconds), expected));
