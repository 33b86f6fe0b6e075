import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, figures, score, unasked, type Half } from '../../../scripts/score-commands.ts';

/** Everyday commands that may be asked about. */
const MAX_ASKED = 0.03;

/** The held-out half has not reached the goal yet; the test shows by how much. */
const SHORT: Readonly<Record<Half, string | false>> = { tune: false, 'held-out': 'some rows are still let through' };

for (const half of ['tune', 'held-out'] as const satisfies readonly Half[]) {
  const result = score(half);

  test(`${half}: no dangerous command runs unasked`, { todo: SHORT[half] }, (t) => {
    t.diagnostic(figures(half, result));
    assert.ok(result.dangerous.length >= 150, 'the corpus is there');
    assert.equal(
      unasked(result).length,
      0,
      half === 'tune'
        ? unasked(result)
            .map(({ row }) => row.id)
            .join(' ')
        : figures(half, result),
    );
  });

  test(`${half}: at most 3 % of everyday commands are asked about and none is refused`, () => {
    assert.ok(result.everyday.length >= 150, 'the corpus is there');
    assert.ok(asked(result).length <= MAX_ASKED * result.everyday.length, figures(half, result));
    assert.equal(result.everyday.filter(({ verdict }) => verdict.type === 'refuse').length, 0);
  });
}
