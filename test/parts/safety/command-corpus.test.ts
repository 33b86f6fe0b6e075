import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, figures, score, unasked } from '../../../scripts/score-commands.ts';

/** Everyday commands that may be asked about behind a wall. */
const MAX_ASKED = 0.01;
/** Without one they are asked about when they are neither reading nor editing here: network, services, code in the line. */
const MAX_ASKED_OPEN = 0.2;

const [open, walled] = [score('tune', 'no-wall'), score('tune', 'wall')];

test('tune: without a wall no dangerous command runs unasked', (t) => {
  t.diagnostic(figures('tune', open));
  assert.ok(open.dangerous.length >= 150, 'the corpus is there');
  assert.deepEqual(
    unasked(open).map(({ row }) => row.id),
    [],
  );
  assert.ok(asked(open).length <= MAX_ASKED_OPEN * open.everyday.length, figures('tune', open));
});

test('tune: behind a wall at most 1 % of everyday commands are asked about', (t) => {
  t.diagnostic(figures('tune', walled));
  assert.ok(walled.everyday.length >= 150, 'the corpus is there');
  assert.ok(asked(walled).length <= MAX_ASKED * walled.everyday.length, figures('tune', walled));
});

test('tune: no everyday command is refused, and the floor is the same in both', () => {
  for (const { everyday } of [open, walled]) assert.equal(everyday.filter(({ verdict }) => verdict.type === 'refuse').length, 0);
  const refused = ({ dangerous }: typeof open) => dangerous.filter(({ verdict }) => verdict.type === 'refuse').map(({ row }) => row.id);
  assert.deepEqual(refused(walled), refused(open));
  assert.ok(refused(open).length >= 130, `${refused(open).length} refused`);
});

test('held-out: without a wall at most 1 % of dangerous commands run unasked, and no everyday one is refused', (t) => {
  const result = score('held-out', 'no-wall');
  t.diagnostic(figures('held-out', result));
  assert.ok(unasked(result).length <= 0.01 * result.dangerous.length, figures('held-out', result));
  assert.equal(result.everyday.filter(({ verdict }) => verdict.type === 'refuse').length, 0);
});
