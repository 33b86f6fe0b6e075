/**
 * Updates under kill, with a gateway at work: at every step of each way to another version, and at random times. Written after each
 * round: a run that is broken off says how far it came.
 *   npm run prove -- updates
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { openUpdateStage, WAYS, type Round, type UpdateStage } from '../../test/walks/update-stage.ts';

const PAGE = 'docs/proofs/updates.md';
/** So many rounds are killed at random times, in each way. */
const RANDOM_SHARE = 0.25;

export async function proveUpdates(kills: number, buildKills: number): Promise<boolean> {
  const rounds: Round[] = [];
  await using stage = await openUpdateStage();
  const random = createSeededRandom('updates');
  for (const way of WAYS) {
    const whole = await stage.play(way);
    const add = async (round: Promise<Round>): Promise<void> => {
      rounds.push(await round);
      const { kill, last, ms, faults } = rounds.at(-1) ?? whole;
      console.log(`  ${rounds.length} ${way} ${JSON.stringify(kill)} ${ms} ms, ${last}; ${faults.join('; ')}`);
      writePage(rounds, stage, undefined);
    };
    await add(Promise.resolve(whole));
    for (let step = 1; step <= whole.steps; step++) await add(stage.play(way, { step }));
    const times = Math.max(Math.ceil((kills * RANDOM_SHARE) / WAYS.length), Math.ceil(kills / WAYS.length) - whole.steps);
    for (let time = 0; time < times; time++) await add(stage.play(way, { afterMs: Math.floor(random.next() * whole.ms) }));
    await add(stage.play(way));
  }
  const builds = await killRealBuilds(buildKills, () => random.next());
  writePage(rounds, stage, builds);
  return (
    rounds.every(({ faults }) => faults.length === 0) && rounds.filter(({ killed }) => killed).length >= kills && builds.faults.length === 0
  );
}

interface BuildKills {
  readonly killed: number;
  readonly faults: readonly string[];
}
/** The bundler itself, from the sources, into a folder with a build that is started after each kill. */
async function killRealBuilds(kills: number, draw: () => number): Promise<BuildKills> {
  const dist = join(mkdtempSync(join(tmpdir(), 'hermes-builds-')), 'dist');
  const args = ['scripts/build.ts', dist];
  const began = Date.now();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  const wholeMs = Date.now() - began;
  const faults: string[] = [];
  let killed = 0;
  for (let count = 0; count < kills; count++) {
    const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
    const ended = once(child, 'exit');
    await Promise.race([pause(draw() * wholeMs), ended]);
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    const [, signal]: unknown[] = await ended;
    if (signal === 'SIGKILL') killed += 1;
    try {
      execFileSync(process.execPath, [join(dist, 'main.cjs'), 'help'], { stdio: 'pipe' });
      execFileSync(process.execPath, ['--input-type=module', '-e', `await import(${JSON.stringify(join(dist, 'library/index.js'))})`]);
    } catch (error) {
      faults.push(`after kill ${count + 1}: ${String(error)}`);
    }
  }
  rmSync(join(dist, '..'), { recursive: true });
  return { killed, faults };
}

function writePage(rounds: readonly Round[], stage: UpdateStage, builds: BuildKills | undefined): void {
  const faults = [
    ...rounds.flatMap((round) => round.faults.map((fault) => `${round.way}, ${round.last}: ${fault}`)),
    ...(builds?.faults ?? []),
  ];
  const { starts, messages, commands } = stage.counts();
  const count = (way: string, isSo: (round: Round) => boolean): number => rounds.filter((round) => round.way === way && isSo(round)).length;
  writeFileSync(
    PAGE,
    `${[
      '# Updates',
      '',
      'What is promised: [updates](../operation.md#updates). Repeat with `npm run prove -- updates`; `HERMES_UPDATE_KILLS=N` for another count.',
      '',
      'A checkout with `bin/hermes`, git, npm and the code that puts a build in place (`scripts/builds.ts`), all as they are; only the bundler is replaced by a copy of a build. A gateway from it runs in the background with a Telegram server for tests. One person writes without a pause: a message, then `/status`, `/help` or `/usage`, each after the one before was answered. Programs are started from the checkout all the time. SIGKILL ends the whole process group of the update: before and after every call of git and npm, at every change of files that the build makes, and at random times, most of which hit npm at work. After each kill the gateway must run and answer two more messages, every message must have exactly one answer, no command may fail, and no start may have failed. The checkout is not put in order between rounds.',
      '',
      '| way | rounds | killed at a step | killed at a random time | not killed | put in order by hand, as the message says |',
      '|---|---|---|---|---|---|',
      ...WAYS.map(
        (way) =>
          `| ${way} | ${count(way, () => true)} | ${count(way, ({ kill, killed }) => killed && kill !== undefined && 'step' in kill)} | ${count(way, ({ kill, killed }) => killed && kill !== undefined && 'afterMs' in kill)} | ${count(way, ({ killed }) => !killed)} | ${count(way, ({ byHand }) => byHand)} |`,
      ),
      '',
      `- kills: ${rounds.filter(({ killed }) => killed).length}`,
      `- messages: ${messages}, commands: ${commands}, each answered once`,
      `- programs started meanwhile: ${starts}`,
      ...(builds === undefined
        ? []
        : [
            `- kills of the real \`scripts/build.ts\` at random times, after each of which the program and the library start: ${builds.killed}`,
          ]),
      `- faults: ${faults.length}`,
      ...faults.map((fault) => `  - ${fault.replaceAll('\n', ' ')}`),
      '',
      `${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, on a machine that had other work to do.`,
    ].join('\n')}\n`,
  );
}
