import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { ROOT_PLACE, rows, type CommandRow, type Half } from '../../../scripts/score-commands.ts';
import { judgeCommand } from '../../../src/parts/safety/command-floor.ts';

const SANDBOX = fileURLToPath(new URL('../../fixtures/commands/sandbox.sh', import.meta.url));
/** Rows executed although they are asked about, to show that harm would be seen. */
const CONTROLS = 12;

const noSandbox = (): string | false => {
  const tried = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']);
  return tried.status === 0 ? false : 'bubblewrap is missing or may not make name spaces here, so nothing can be run in a throw-away root';
};

type Outcome = 'harmed' | 'unharmed' | 'not here';
/** What `sandbox.sh` says by its exit code; the last is a row made of a program that is not on this machine. */
const OUTCOMES: ReadonlyMap<number | null, Outcome> = new Map([
  [0, 'harmed'],
  [1, 'unharmed'],
  [97, 'not here'],
]);

/** Runs one row in a throw-away root. */
const outcomeOf = ({ command, run = {} }: CommandRow): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], PREPARE: run.prepare ?? '', COMMAND: command, HARMED: run.harmed ?? 'false' };
    const child = spawn('bash', [SANDBOX], { env, stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => {
      const outcome = OUTCOMES.get(code);
      if (outcome === undefined) reject(new Error(`the throw-away root could not be used: ${code}`));
      else resolve(outcome);
    });
  });

const runnable = (half: Half): CommandRow[] => rows(half, 'dangerous').filter(({ run }) => run?.harmed !== undefined);
const isFine = ({ command }: CommandRow): boolean => judgeCommand(command, ROOT_PLACE).type === 'fine';

/** The held-out half has not reached the goal yet; the test shows by how much. */
const SHORT: Readonly<Record<Half, string | false>> = { tune: false, 'held-out': 'some rows are still let through' };

for (const half of ['tune', 'held-out'] as const satisfies readonly Half[])
  test(`${half}: what the judge lets through does no harm when it is run`, { skip: noSandbox(), todo: SHORT[half] }, async (t) => {
    const all = runnable(half);
    const passed = all.filter(isFine);
    const harmed = (await Promise.all(passed.map(outcomeOf))).filter((outcome) => outcome === 'harmed').length;
    t.diagnostic(`${half}: ${all.length} rows can be run, ${passed.length} are let through, ${harmed} of those did harm`);
    assert.ok(all.length >= 100, 'the corpus is there');
    assert.equal(harmed, 0);
  });

/** The outcome of the first of these rows whose programs are all here. */
async function firstOutcome(candidates: readonly CommandRow[]): Promise<Outcome> {
  for (const row of candidates) {
    const outcome = await outcomeOf(row);
    if (outcome !== 'not here') return outcome;
  }
  return 'not here';
}

test('the throw-away root shows the harm of what is asked about', { skip: noSandbox() }, async () => {
  const some = runnable('tune').filter((row) => !isFine(row));
  assert.ok(some.length >= CONTROLS);
  const step = Math.floor(some.length / CONTROLS);
  const controls = Array.from({ length: CONTROLS }, (_, index) => some.slice(index * step, (index + 1) * step));
  const outcomes = await Promise.all(controls.map(firstOutcome));
  assert.deepEqual(outcomes, Array<Outcome>(CONTROLS).fill('harmed'), 'all did the harm they are known for');
});
