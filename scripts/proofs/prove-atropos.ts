/**
 * Serving a trainer: the real `run-api` of atroposlib, environments that are killed, and an API that is restarted.
 * Writes docs/proofs/atropos.md:
 *   npm run prove -- atropos
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { startAtroposApi } from '../../src/testing/atropos/server.ts';
import { runKillStory, type KillStoryResult } from '../../test/faces/environments/serve/kill-story.ts';
import { runSlowTrainer, type SlowTrainerResult } from '../../test/faces/environments/serve/slow-trainer.ts';
import { compareWandbRequests } from './atropos/wandb-requests.ts';
import { installAtropos, startRealApi, type RealApi } from './atropos/run-api.ts';

const PAGE = 'docs/proofs/atropos.md';
const SLOW_BATCHES = 20;

export async function proveAtropos(groups: number, kills: number, restarts: number): Promise<boolean> {
  const trouble = installAtropos();
  if (trouble !== undefined) {
    console.log(`the Atropos API cannot be proved here: ${trouble}`);
    return false;
  }
  const rows = { fake: countRows('test/testing/atropos-api.test.ts'), real: countRows('scripts/proofs/atropos/real-api.ts') };
  const base = { environments: 3, groups, kills, restarts, seed: 20261118 };
  const real = await withRealApi((api) => runKillStory({ ...base, api, isDrained: true }));
  console.log('drained', JSON.stringify(real));
  const abrupt = await withRealApi((api) => runKillStory({ ...base, api, isDrained: false }));
  console.log('abrupt', JSON.stringify(abrupt));
  await using ours = await startAtroposApi();
  const fake = await runKillStory({ ...base, api: { url: ours.url, restart: async () => ours.restart() }, isDrained: true });
  const slow = await withRealApi((api) => runSlowTrainer(api.url, SLOW_BATCHES));
  console.log('slow', JSON.stringify(slow));
  const differences = await compareWandbRequests();
  console.log('wandb', JSON.stringify(differences));
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, renderPage(rows, { real, abrupt, fake }, slow, differences));
  const holds = ({ missing, wrong, madeTwice, repeats, counted }: KillStoryResult): boolean =>
    missing + wrong + madeTwice === 0 && repeats <= counted;
  return (
    differences.length === 0 &&
    slow.thrownAway === 0 &&
    new Set(slow.held).size === 1 &&
    rows.fake === 13 &&
    rows.real === 13 &&
    holds(real) &&
    holds(fake) &&
    abrupt.wrong + abrupt.madeTwice === 0 &&
    abrupt.repeats <= abrupt.counted
  );
}

async function withRealApi<Result>(tell: (api: RealApi) => Promise<Result>): Promise<Result> {
  await using api = await startRealApi();
  return await tell(api);
}

function countRows(file: string): number {
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], { encoding: 'utf8' });
  return Number(/^# pass (\d+)$/m.exec(stdout)?.[1] ?? 0);
}

function renderPage(
  rows: { readonly fake: number; readonly real: number },
  { real, abrupt, fake }: { readonly real: KillStoryResult; readonly abrupt: KillStoryResult; readonly fake: KillStoryResult },
  slow: SlowTrainerResult,
  differences: readonly string[],
): string {
  const row = (what: string, result: KillStoryResult) =>
    `| ${what} | ${result.kills} | ${result.restarts} | ${result.accepted} | ${result.once} | ${result.missing} | ${result.repeats} | ${result.counted} | ${result.wrong} | ${result.madeTwice} |`;
  return [
    '# Serving a trainer',
    '',
    'Three environments give groups to the Atropos API while one after the other is killed (SIGKILL) and started again, and the API itself is killed and started with nothing. What arrives is judged at the trainer, by the name each group carries, against what the environments wrote down when they made it. Repeat with `npm run prove -- atropos`.',
    '',
    `The thirteen rows of \`src/testing/conformance/atropos-api.ts\`: ${rows.real} of 13 hold for \`run-api\` of atroposlib 0.4.0, ${rows.fake} of 13 for the API of our tests.`,
    '',
    '| API | environments killed | API restarted | groups accepted | arrived once | missing | came again | repeats counted | wrong content | made twice |',
    '|---|---|---|---|---|---|---|---|---|---|',
    row('`run-api`, restarted when it holds nothing', real),
    row('`run-api`, restarted at any moment', abrupt),
    row('the API of our tests, restarted when it holds nothing', fake),
    '',
    'The queue of the API is memory, and it knows no names of groups. So two things cannot be had, and are counted instead. A push whose answer never came (the environment was killed in between, or the API was) is sent again, and may arrive twice: "came again" never exceeds "repeats counted". What the API had accepted and not handed out when it was killed is gone with it, as the second row shows; nothing is missing when it held nothing.',
    '',
    `A slow trainer, which asks for a batch only when the environment has come to rest (\`run-api\`, ${SLOW_BATCHES} batches): ${[...new Set(slow.held)].join(' to ')} groups waited each time, which is what two batches hold; of ${slow.attempts} attempts that were begun ${slow.thrownAway} were thrown away.`,
    '',
    `Metrics at Weights & Biases: our client and the official Python client (wandb 0.31.0) were given the same numbers and a server that writes down what it is sent. Differences in where a run is opened, key, project, settings, lines and their places, summary and end: ${differences.length === 0 ? 'none' : differences.join('; ')}.`,
    '',
    'The model is scripted and tells tokens of its own for each attempt, so every group can be told from all others. Rows, labels and log-probabilities are checked at the trainer.',
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    '',
  ].join('\n');
}
