import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cron } from 'croner';
import { findNextWall } from '../../../../src/faces/cron/schedule/calendar.ts';
import { createSeededRandom } from '../../../../src/testing/seeded-random.ts';
import { drawExpressions } from './expressions.ts';

/** Croner has the second first, and takes neither `5/15` nor ranges over the end. */
const toCroner = (expression: string): string => {
  const [minute = '', hour = '', day = '', month = '', weekday = '', second = '0'] = expression.split(' ');
  return [second, minute, hour, day, month, weekday].join(' ');
};
const isCommon = (expression: string): boolean => {
  try {
    return new Cron(toCroner(expression), { timezone: 'UTC' }).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
};
/** After the end of February, where croner 11 loses days. */
const FROM = Date.UTC(2026, 2, 3, 7, 11, 13);
const TO = Date.UTC(2027, 1, 20);

test('the calendar of cron fields is that of croner, from March to February', () => {
  const expressions = drawExpressions(createSeededRandom('croner'), 150).filter(isCommon);
  const faults = expressions.flatMap((expression) => {
    const cron = new Cron(toCroner(expression), { timezone: 'UTC' });
    let at = FROM;
    for (let count = 0; count < 25; count++) {
      const [ours, theirs] = [findNextWall(expression.toUpperCase(), at), cron.nextRun(new Date(at))?.getTime()];
      if ((theirs ?? TO) >= TO) return [];
      if (ours !== theirs) return [`${expression} after ${new Date(at).toISOString()}: ${ours} and not ${theirs}`];
      at = theirs ?? TO;
    }
    return [];
  });
  assert.ok(expressions.length > 80, `${expressions.length} expressions`);
  assert.deepEqual(faults, []);
});
