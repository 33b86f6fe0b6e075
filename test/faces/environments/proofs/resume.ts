import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject, parseJson, readPath } from '../../../../src/base/json.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../../../src/testing/wire-server/index.ts';
import { countLines, openRunPlace, toText, writeEnvironment, type RunningProgram, type RunPlace } from './program.ts';

/** When a run is killed: at the n-th model call of that run, at the n-th line it writes, or after so many milliseconds. */
export type KillPoint = { readonly at: 'call' | 'line' | 'ms'; readonly n: number; readonly tears?: number };
export interface ResumeOptions {
  readonly kind: 'env' | 'batch';
  readonly rollouts: number;
  readonly workers: number;
  readonly kills: readonly KillPoint[];
}
export interface ResumeResult {
  readonly rollouts: number;
  readonly kills: number;
  readonly torn: number;
  /** Attempts that were begun, over all runs. */
  readonly begun: number;
  /** Of these, those that a kill or a torn line cost. */
  readonly lost: number;
  readonly faults: readonly string[];
}

/** Attempts at one task of `hermes env evaluate`. */
const ATTEMPTS = 2;

/**
 * Starts the real program again and again, killing it each time, then lets it finish. What an uninterrupted run would have is
 * known by arithmetic. An attempt that stood whole in the file when the program died must never be asked for again.
 */
export async function runResumeOrdeal({ kind, rollouts, workers, kills }: ResumeOptions): Promise<ResumeResult> {
  using place = openRunPlace();
  const story = kind === 'env' ? tellEvaluation(place, rollouts, workers) : tellBatch(place, rollouts, workers);
  const faults: string[] = [];
  const begun = new Map<string, number>();
  let [calls, onCall] = [0, (_count: number): void => {}];
  let durable = new Map<string, number>();
  const answer = (request: RecordedRequest): Reply => {
    onCall(++calls);
    if (request.text.includes('"role":"tool"')) return { text: 'Done.', thinking: 'It worked.' };
    const key = story.keyOf(request);
    const times = (begun.get(key) ?? 0) + 1;
    begun.set(key, times);
    return { thinking: 'A command.', calls: [{ name: 'terminal', arguments: { command: 'true' } }] };
  };
  await using model = await startWireServer({ answer });
  let [lost, torn] = [0, 0];
  const settle = (tears = 0): void => {
    if (tears > 0 && tearLastLine(story.file, tears)) torn++;
    durable = story.readDurable();
    lost = 0;
    for (const [key, times] of begun) lost += times - (durable.get(key) ?? 0);
  };
  for (const point of kills) {
    calls = 0;
    const before = countLines(story.file);
    const program = place.start(story.args(model.url));
    const reached = new Promise<void>((resolve) => {
      if (point.at === 'call') onCall = (count) => (count >= point.n ? resolve() : undefined);
    });
    await Promise.race([reachPoint(point, reached, () => countLines(story.file) - before), program.ended]);
    await kill(program);
    onCall = () => {};
    const known = new Map(durable);
    settle(point.tears);
    for (const [key, times] of known)
      if (point.tears === undefined && (durable.get(key) ?? 0) < times) faults.push(`${key} was in the file and is gone`);
  }
  const whole = place.start(story.args(model.url));
  const { code, err } = await whole.ended;
  if (code !== 0) faults.push(`the last run ended with ${code}: ${err}`);
  settle();
  const sorted = (counts: ReadonlyMap<string, number>): string => JSON.stringify([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (sorted(durable) !== sorted(story.expected))
    faults.push(`the set of attempts differs: ${durable.size} of ${story.expected.size} tasks`);
  faults.push(...story.check());
  // Each kill loses at most what was in flight, and a torn line one more.
  const most = kills.length * workers + torn;
  if (lost > most) faults.push(`${lost} attempts were paid for twice; at most ${most} were in flight`);
  return { rollouts, kills: kills.length, torn, begun: [...begun.values()].reduce((sum, times) => sum + times, 0), lost, faults };
}

async function reachPoint({ at, n }: KillPoint, reached: Promise<void>, lines: () => number): Promise<void> {
  if (at === 'call') return reached;
  if (at === 'ms') await wait(n);
  else while (lines() < n) await wait(2);
}

async function kill({ child, ended }: RunningProgram): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** Cuts off the end of the last line, as a power cut or a full disk does. */
function tearLastLine(path: string, share: number): boolean {
  if (!existsSync(path)) return false;
  const text = readFileSync(path);
  const start = text.lastIndexOf(0x0a, text.length - 2) + 1;
  if (text.length - start < 2) return false;
  truncateSync(path, start + Math.max(1, Math.floor((text.length - start - 1) * share)));
  return true;
}

/** What differs between the two commands. */
interface OrdealStory {
  readonly file: string;
  readonly expected: ReadonlyMap<string, number>;
  args(url: string): readonly string[];
  /** Which attempt the first request of a rollout is of. */
  keyOf(request: RecordedRequest): string;
  /** Attempts that stand whole in the file. */
  readDurable(): Map<string, number>;
  /** Further faults, once everything is done. */
  check(): readonly string[];
}

const readObjects = (path: string) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line) => {
          const value = parseJson(line);
          return isObject(value) ? [value] : [];
        })
    : [];
const countKeys = (keys: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));

function tellEvaluation(place: RunPlace, rollouts: number, workers: number): OrdealStory {
  const tasks = rollouts / ATTEMPTS;
  const environment = join(place.root, 'ordeal.mjs');
  writeEnvironment(environment, tasks);
  const file = join(place.out, 'samples.jsonl');
  const names = Array.from({ length: tasks }, (_, index) => `task-${String(index).padStart(4, '0')}`);
  return {
    file,
    expected: countKeys(names.flatMap((name) => Array.from({ length: ATTEMPTS }, (_, index) => `${name}/${index + 1}`))),
    args: (url) => [
      'env',
      'evaluate',
      environment,
      '--out',
      place.out,
      '--set',
      `openai.base_url=${url}/v1`,
      '--set',
      'openai.model_name=m',
      '--set',
      `env.attempts=${ATTEMPTS}`,
      '--set',
      `env.max_num_workers=${workers}`,
      '--set',
      'env.seed=100',
    ],
    // The seed that goes out tells which attempt it is.
    keyOf: ({ text, body }) => `${/<(task-\d+)>/.exec(text)?.[1]}/${Number(readPath(body, 'seed')) - 100}`,
    readDurable: () => countKeys(readObjects(file).map((line) => `${toText(line['task_name'])}/${toText(line['attempt'])}`)),
    check: () => {
      const figures = parseJson(readFileSync(join(place.out, 'metrics.json'), 'utf8'));
      return readPath(figures, 'attempts') === rollouts && readPath(figures, 'passed') === rollouts
        ? []
        : ['the figures do not count every attempt'];
    },
  };
}

/** Every tenth prompt is there twice. */
function tellBatch(place: RunPlace, rollouts: number, workers: number): OrdealStory {
  const prompts = join(place.root, 'prompts.jsonl');
  const words = Array.from(
    { length: rollouts },
    (_, index) => `Do <task-${String(index % 10 === 9 ? index - 1 : index).padStart(4, '0')}>.`,
  );
  writeFileSync(prompts, words.map((prompt) => `${JSON.stringify({ prompt })}\n`).join(''));
  const file = join(place.out, 'rows.jsonl');
  const keyIn = (text: string): string => /<(task-\d+)>/.exec(text)?.[1] ?? '';
  return {
    file,
    expected: countKeys(words.map(keyIn)),
    args: (url) => [
      'batch',
      'run',
      prompts,
      '--out',
      place.out,
      '--toolsets',
      'terminal',
      '--concurrency',
      String(workers),
      '--model',
      'm',
      '--set',
      `openai.base_url=${url}/v1`,
    ],
    keyOf: ({ text }) => keyIn(text),
    readDurable: () => countKeys(readObjects(file).map((line) => keyIn(toText(readPath(line, 'messages', 0, 'content'))))),
    check: () => {
      const lines = readObjects(join(place.out, 'trajectories.jsonl'));
      const places = new Set(lines.map((line) => line['prompt_index']));
      return lines.length === rollouts && places.size === rollouts
        ? []
        : [`${lines.length} conversations, ${places.size} of them different`];
    },
  };
}

/** Points of every kind, spread over a run of so many attempts. `random` gives numbers from 0 up to 1. */
export function listKillPoints(rollouts: number, count: number, random: () => number): readonly KillPoint[] {
  const kinds: readonly ((index: number) => KillPoint)[] = [
    () => ({ at: 'call', n: 1 }),
    (index) => ({ at: 'call', n: 1 + ((index * 7) % Math.max(1, Math.floor(rollouts / 4))) }),
    (index) => ({ at: 'line', n: 1 + (index % 5) }),
    () => ({ at: 'ms', n: Math.floor(random() * 2_500) }),
    (index) => ({ at: 'line', n: 1 + (index % 3), tears: random() }),
    () => ({ at: 'call', n: 1 + Math.floor(random() * 24) }),
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.(index) ?? { at: 'call', n: 1 });
}
