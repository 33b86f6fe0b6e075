import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readPath } from '../../../../src/base/json.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { readLines } from '../../../../src/faces/environments/result-file.ts';
import { openOutbox } from '../../../../src/faces/environments/serve/outbox.ts';
import { createAtroposCall, startTrainer, type AtroposCall } from '../../../../src/testing/atropos/call.ts';
import { createSeededRandom } from '../../../../src/testing/seeded-random.ts';
import { contentOf, madeGroups, nameOf, pull, seriesOf } from './scene.ts';

const PROGRAM = resolve('test/faces/environments/serve/program.ts');
const GROUP_SIZE = 2;

export interface KillStoryOptions {
  readonly api: { readonly url: string; restart(): Promise<void> };
  readonly environments: number;
  /** The story ends when so many groups have been pulled and everything has happened. */
  readonly groups: number;
  readonly kills: number;
  readonly restarts: number;
  /** The API is restarted when it holds nothing; otherwise whenever. */
  readonly isDrained: boolean;
  readonly seed: number;
}
/** Judged at the puller. */
export interface KillStoryResult {
  /** Groups the environments noted as accepted. */
  readonly accepted: number;
  /** Of those, how many the puller got exactly once. */
  readonly once: number;
  readonly missing: number;
  /** Times that a group came again. */
  readonly repeats: number;
  /** Repeats that the environments counted themselves. */
  readonly counted: number;
  /** Groups at the puller that are not what was made. */
  readonly wrong: number;
  /** Groups that stand in a file twice. */
  readonly madeTwice: number;
  readonly kills: number;
  readonly restarts: number;
}

export async function runKillStory(options: KillStoryOptions): Promise<KillStoryResult> {
  const { api, environments, groups, kills, restarts, isDrained, seed } = options;
  const random = createSeededRandom(String(seed));
  const call = createAtroposCall(api.url);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-atropos-'));
  const runs = Array.from({ length: environments }, (_, index) => startRun(api.url, join(folder, `env-${index}`), `env-${index}`));
  const pulled: JsonObject[] = [];
  const begin = (): Promise<void> => startTrainer(call, GROUP_SIZE, 1_000_000);
  const restart = async (): Promise<void> => {
    if (!isDrained) return api.restart().then(begin);
    for (const run of runs) run.child.kill('SIGSTOP');
    await drain(call, pulled);
    await api.restart();
    await begin();
    for (const run of runs) run.child.kill('SIGCONT');
  };
  const kill = async (): Promise<void> => {
    const run = runs[random.int(0, runs.length - 1)];
    if (run === undefined) return;
    await sleep(random.int(0, 40));
    const ended = once(run.child, 'exit');
    run.child.kill('SIGKILL');
    await ended;
    run.restart();
  };
  const events = spread(kills, kill, groups)
    .concat(spread(restarts, restart, groups))
    .toSorted((a, b) => a.at - b.at);
  await begin();
  const countPulled = (): number => new Set(pulled.map(nameOf)).size;
  while (events.length > 0 || countPulled() < groups) {
    pulled.push(...(await pull(call)));
    while ((events[0]?.at ?? Number.POSITIVE_INFINITY) <= countPulled()) await events.shift()?.happen();
    await sleep(10);
  }
  await Promise.all(runs.map(({ child }) => stopChild(child)));
  await drain(call, pulled);
  const result = judge(
    pulled,
    runs.map(({ out }) => out),
    { kills, restarts },
  );
  rmSync(folder, { recursive: true, force: true });
  return result;
}

interface StoryEvent {
  readonly at: number;
  readonly happen: () => Promise<void>;
}
/** Evenly over the groups, so that each comes while groups are made. */
const spread = (count: number, happen: () => Promise<void>, groups: number): readonly StoryEvent[] =>
  Array.from({ length: count }, (_, index) => ({ at: Math.floor(((index + 0.5) * groups) / count), happen }));

function startRun(url: string, out: string, name: string) {
  const start = (): ChildProcess =>
    spawn(process.execPath, [PROGRAM, JSON.stringify({ url, out, name })], { stdio: ['ignore', 'ignore', 'inherit'] });
  const run = { out, child: start(), restart: (): void => void (run.child = start()) };
  return run;
}

async function stopChild(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
}

/** Until nothing comes, and nothing that was on its way either. */
async function drain(call: AtroposCall, pulled: JsonObject[]): Promise<void> {
  for (let empty = 0; empty < 5; await sleep(50)) {
    const groups = await pull(call);
    pulled.push(...groups);
    empty = groups.length === 0 ? empty + 1 : 0;
  }
}

function judge(
  pulled: readonly JsonObject[],
  folders: readonly string[],
  happened: Pick<KillStoryResult, 'kills' | 'restarts'>,
): KillStoryResult {
  const made = folders.flatMap(madeGroups);
  const contents = new Map(made);
  const times = new Map<string, number>();
  for (const name of pulled.map(nameOf)) times.set(name, (times.get(name) ?? 0) + 1);
  const boxes = folders.map((out) => {
    using outbox = openOutbox(out, 'hash');
    return { counts: outbox.counts, open: listOpen(out) };
  });
  const open = new Set(boxes.flatMap((box) => box.open));
  const accepted = [...contents.keys()].filter((name) => !open.has(name));
  return {
    ...happened,
    accepted: accepted.length,
    once: accepted.filter((name) => times.get(name) === 1).length,
    missing: accepted.filter((name) => !times.has(name)).length,
    repeats: pulled.length - times.size,
    counted: boxes.reduce((sum, { counts }) => sum + counts.repeated, 0),
    wrong: pulled.filter((group) => !isDeepStrictEqual(contents.get(nameOf(group)), contentOf(group)) || !isWellFormed(group)).length,
    madeTwice: made.length - contents.size,
  };
}

/** Finished and not accepted: their turn comes with the next process. */
const listOpen = (out: string): readonly string[] => {
  const lines = readLines(join(out, 'outbox.jsonl'));
  const settled = new Set(lines.flatMap(({ type, group }) => (type === 'accepted' || type === 'kept' ? [group] : [])));
  return lines.flatMap(({ type, group }) => (type === 'group' && !settled.has(group) ? [`${seriesOf(out)}/${Number(group)}`] : []));
};

/** Rows are as long as each other; a label is its token or none; no token of the prompt has a probability. */
function isWellFormed(group: JsonObject): boolean {
  const rows = ['tokens', 'masks', 'inference_logprobs'].map((key) => readPath(group, key));
  const [tokens, masks, logprobs] = rows.map((row) => (Array.isArray(row) ? row : []));
  return (tokens ?? []).every((row, index) => {
    const [ids, labels, chances] = [row, masks?.[index], logprobs?.[index]].map((each) => (Array.isArray(each) ? each : []));
    return (ids ?? []).every(
      (id, at) => (labels?.[at] === id && Number(chances?.[at]) <= 0) || (labels?.[at] === -100 && chances?.[at] === 1),
    );
  });
}
