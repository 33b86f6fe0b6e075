import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobDefinition, JobRun, MissedInstants } from '../../../../src/contracts/job-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../src/parts/store/sqlite/store.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { startWireServer } from '../../../../src/testing/wire-server/index.ts';
import { program } from '../../../program.ts';

/** The long proof, which starts it hundreds of times, names a bundle of it. */
const findProgram = (): string => resolve(process.env['HERMES_CRON_PROGRAM'] ?? program(resolve('test/faces/cron/kill/program.ts')));
const ORIGIN = { platform: 'telegram', account: 'main', chatId: '7' } as const;
const MAX_WAIT_MS = 120_000;

/** What is done to the processes meanwhile. */
export interface Ordeal {
  readonly seed: string;
  readonly processes: number;
  readonly kills: number;
  /** How often one of them is stopped for a while. */
  readonly stops: number;
  /** How often the clock of their jobs is set, ahead or back. */
  readonly jumps: number;
  /** Pause between two of these, at most. */
  readonly pauseMs: number;
}
export interface OrdealResult {
  readonly kills: number;
  readonly stops: number;
  readonly jumps: number;
  /** Of both homes. */
  readonly instants: number;
  readonly runs: number;
  readonly done: number;
  readonly failed: number;
  readonly missed: number;
  /** Runs that somebody died with. */
  readonly takenOver: number;
  readonly faults: readonly string[];
}

/** Jobs and their rhythm: the oracle is arithmetic. */
const JOBS: readonly { readonly name: string; readonly seconds: number; readonly more: Partial<JobDefinition> }[] = [
  { name: 'script, skip', seconds: 2, more: { script: 'mark.sh', noAgent: true, misfire: 'skip' } },
  { name: 'script, run_once', seconds: 3, more: { script: 'mark.sh', noAgent: true, misfire: 'run_once' } },
  { name: 'agent', seconds: 4, more: { prompt: 'Say the time.', misfire: 'run_once' } },
  { name: 'agent and script', seconds: 5, more: { prompt: 'Say the time.', script: 'mark.sh', misfire: 'skip' } },
];

interface CronHome extends AsyncDisposable {
  readonly root: string;
  readonly store: SqliteStore;
  /** When its jobs were made, by their clock. */
  readonly begunAt: number;
}

/** Runs jobs in several processes while they are killed, stopped and their clock is set; then holds the ledger against arithmetic. */
export async function runOrdeal(ordeal: Ordeal): Promise<OrdealResult> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'hermes-cron-kill-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const chance = createSeededRandom(ordeal.seed);
  const model = opened.use(
    await startWireServer({
      answer: async () => {
        await sleep(chance.int(0, 300));
        return { text: 'It is time.' };
      },
    }),
  );
  const clock = createClock(join(folder, 'clock'));
  const homes = [
    opened.use(await openHome(join(folder, 'one'), model.url, clock)),
    opened.use(await openHome(join(folder, 'two'), model.url, clock)),
  ];
  const crew = opened.use(openCrew(homes, clock.file, ordeal.processes));
  await crew.ready();
  await torment(ordeal, chance, crew, clock);
  const until = clock.now();
  await settle(homes, until);
  await crew.stop();
  const judged = await Promise.all(homes.map((home) => judge(home, clock.latest())));
  const sum = (key: 'instants' | 'runs' | 'done' | 'failed' | 'missed' | 'takenOver'): number =>
    judged.reduce((total, each) => total + each[key], 0);
  return {
    kills: ordeal.kills,
    stops: ordeal.stops,
    jumps: ordeal.jumps,
    instants: sum('instants'),
    runs: sum('runs'),
    done: sum('done'),
    failed: sum('failed'),
    missed: sum('missed'),
    takenOver: sum('takenOver'),
    faults: judged.flatMap(({ faults }, index) => faults.map((fault) => `home ${index + 1}: ${fault}`)),
  };
}

/** The clock of the jobs: the machine's, and so much ahead. */
function createClock(file: string) {
  let ahead = 0;
  let latest = Date.now();
  const now = (): number => Date.now() + ahead;
  const set = (ms: number): void => {
    const before = ahead;
    ahead = ms;
    // In one step: half a number would be another time.
    writeFileSync(`${file}.new`, String(ms));
    renameSync(`${file}.new`, file);
    latest = Math.max(latest, Date.now() + before, now());
  };
  set(0);
  return { file, set, now, ahead: () => ahead, latest: (): number => Math.max(latest, now()) };
}
type TestClock = ReturnType<typeof createClock>;

async function openHome(root: string, modelUrl: string, clock: TestClock): Promise<CronHome> {
  mkdirSync(join(root, 'scripts'), { recursive: true });
  writeFileSync(join(root, 'scripts', 'mark.sh'), 'echo "$HERMES_CRON_JOB $$" >> "$HERMES_HOME/marks"; sleep 0.05; echo marked\n');
  const settings = {
    model: { default: 'test-model', base_url: `${modelUrl}/v1`, api_mode: 'chat_completions' },
    database: { durability: 'process' },
  };
  writeFileSync(join(root, 'config.yaml'), JSON.stringify(settings));
  const store = await openSqliteStore({ path: join(root, 'sessions.db'), now: clock.now });
  const begunAt = clock.now();
  for (const { name, seconds, more } of JOBS) {
    const schedule = { kind: 'cron', expression: `* * * * * */${seconds}`, zone: 'UTC' } as const;
    const definition = { name, schedule, said: `every ${seconds}s`, prompt: '', deliver: ['origin'], origin: ORIGIN, ...more };
    await store.jobs.add({ definition, nextAt: Math.ceil((begunAt + 1) / (seconds * 1_000)) * seconds * 1_000 });
  }
  return { root, store, begunAt, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Processes of both homes, each started again when it dies. */
function openCrew(homes: readonly CronHome[], clockFile: string, processes: number) {
  const members = homes.flatMap(({ root }, index) =>
    Array.from({ length: index === 0 ? processes : 1 }, () => ({ root, child: undefined as ChildProcess | undefined, isReady: false })),
  );
  let isOver = false;
  const start = (member: (typeof members)[number]): void => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: member.root,
      HERMES_HOME: member.root,
      CLOCK_FILE: clockFile,
      TELEGRAM_BOT_TOKEN: '1:abc',
      TELEGRAM_ALLOWED_USERS: '7',
      NODE_COMPILE_CACHE: resolve('.cache/compiled-tests'),
    };
    const child = spawn(process.execPath, [findProgram()], { cwd: resolve('.'), env, stdio: ['ignore', 'pipe', 'inherit'] });
    [member.child, member.isReady] = [child, false];
    child.stdout.once('data', () => (member.isReady = true));
    child.once('close', () => void (!isOver && start(member)));
  };
  members.forEach(start);
  const ready = async (): Promise<void> => {
    while (!members.every(({ isReady }) => isReady)) await sleep(20);
  };
  return {
    ready,
    pick: (chance: SeededRandom): ChildProcess | undefined => {
      const alive = members.filter(({ isReady }) => isReady);
      return alive.length === 0 ? undefined : alive[chance.int(0, alive.length - 1)]?.child;
    },
    stop: async (): Promise<void> => {
      isOver = true;
      const ends = members.map(
        ({ child }) =>
          new Promise((done) => ((child?.exitCode ?? child?.signalCode ?? null) === null ? child?.once('close', done) : done(0))),
      );
      for (const { child } of members) child?.kill('SIGTERM');
      await Promise.all(ends);
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      for (const { child } of members) child?.kill('SIGKILL');
    },
  };
}
type Crew = ReturnType<typeof openCrew>;

async function torment({ kills, stops, jumps, pauseMs }: Ordeal, chance: SeededRandom, crew: Crew, clock: TestClock): Promise<void> {
  const acts = chance.shuffled([...repeat('kill', kills), ...repeat('stop', stops), ...repeat('jump', jumps)]);
  for (const act of acts) {
    await sleep(chance.int(20, pauseMs));
    if (act === 'jump') clock.set(drawTime(clock.ahead(), chance));
    else {
      let child = crew.pick(chance);
      while (child === undefined) {
        await sleep(20);
        child = crew.pick(chance);
      }
      if (act === 'kill') child.kill('SIGKILL');
      else {
        child.kill('SIGSTOP');
        await sleep(chance.int(300, 2_500));
        child.kill('SIGCONT');
      }
    }
  }
}

/** Ahead or back, and seldom to before the jobs were made. */
function drawTime(ahead: number, chance: SeededRandom): number {
  const to = ahead + chance.pick([3_600_000, 30_000, 7_000, -5_000, -60_000, -3_000_000]);
  return to >= -60_000 ? to : drawTime(ahead, chance);
}
const repeat = <Word extends string>(word: Word, count: number): Word[] => Array.from({ length: count }, () => word);

/** Until every job has passed the last moment and nothing runs. */
async function settle(homes: readonly CronHome[], until: number): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  const isSettled = async ({ store }: CronHome): Promise<boolean> => {
    const [jobs, open] = [await store.jobs.list(), await store.jobs.runs({ states: ['running', 'waiting'] })];
    return open.length === 0 && jobs.every(({ nextAt = 0 }) => nextAt > until);
  };
  while (Date.now() < end) {
    if ((await Promise.all(homes.map(isSettled))).every(Boolean)) return;
    await sleep(50);
  }
}

interface JudgedHome extends Omit<OrdealResult, 'kills' | 'stops' | 'jumps'> {}

async function judge({ root, store, begunAt }: CronHome, latest: number): Promise<JudgedHome> {
  const faults: string[] = [];
  const ledger = await store.jobs.runs();
  const runs = ledger.filter(({ state }) => state !== 'missed');
  const marks = countMarks(root);
  let [instants, missed] = [0, 0];
  for (const { id, definition, nextAt = 0 } of await store.jobs.list()) {
    const mine = ledger.filter(({ jobId }) => jobId === id);
    const seconds = JOBS.find(({ name }) => name === definition.name)?.seconds ?? 1;
    const counted = checkInstants(mine, { ms: seconds * 1_000, begunAt, nextAt, latest }, (words) =>
      faults.push(`${definition.name}: ${words}`),
    );
    instants += counted.instants;
    missed += counted.missed;
    const expected = mine.filter(({ state }) => state !== 'missed').length;
    // A run that died before its script began has no mark; none has two.
    if ((marks.get(id) ?? 0) > expected) faults.push(`${definition.name}: ${marks.get(id)} scripts for ${expected} runs`);
    marks.delete(id);
  }
  for (const id of marks.keys()) faults.push(`job ${id} of another home left a mark`);
  for (const run of runs) await checkRun(run, store, faults);
  return {
    instants,
    runs: runs.length,
    done: runs.filter(({ state }) => state === 'done').length,
    failed: runs.filter(({ state }) => state === 'failed').length,
    missed,
    takenOver: runs.filter(({ attempts }) => attempts > 0).length,
    faults,
  };
}

interface Rhythm {
  readonly ms: number;
  readonly begunAt: number;
  /** What the job waits for in the end. */
  readonly nextAt: number;
  /** As far as the clock ever was. */
  readonly latest: number;
}

/**
 * Every instant from the first to the last that the ledger knows was run once or is in a row of those that were left out; a row says
 * how many it stands for; and nothing else was run. A clock that was set back to before the job was made runs it there as well:
 * of those times only the runs are looked at.
 */
function checkInstants(
  ledger: readonly JobRun[],
  { ms, begunAt, nextAt, latest }: Rhythm,
  tell: (fault: string) => void,
): { readonly instants: number; readonly missed: number } {
  const runAt = ledger.flatMap(({ state, instant }) => (state === 'missed' ? [] : [instant]));
  const ranges = ledger.flatMap(({ missed }) => missed ?? []);
  const known = new Set(runAt);
  if (known.size !== runAt.length) tell('an instant was run twice');
  for (const at of runAt) if (at % ms !== 0 || at > latest) tell(`${iso(at)} is no instant of it`);
  for (const range of ranges) checkRange(range, ms, tell);
  const last = Math.max(nextAt - 1, ...runAt, ...ranges.map(({ through }) => through));
  let [instants, missed] = [0, 0];
  for (let at = Math.ceil((begunAt + 1) / ms) * ms; at <= last; at += ms) {
    instants++;
    if (known.has(at)) continue;
    if (ranges.some((range) => range.from <= at && at <= range.through)) missed++;
    else tell(`${iso(at)} was neither run nor left out`);
  }
  return { instants, missed };
}

function checkRange({ from, through, count, isMore }: MissedInstants, ms: number, tell: (fault: string) => void): void {
  const size = (through - from) / ms + 1;
  const isRight = isMore === true ? size > count : size === count;
  if (from % ms !== 0 || through % ms !== 0 || !isRight) tell(`${iso(from)} to ${iso(through)} are ${size} instants and not ${count}`);
}

const iso = (at: number): string => new Date(at).toISOString();

/** A run that is done has one session with one message and one answer, and one delivery; nothing is left open. */
async function checkRun(
  { id, jobId, jobName, instant, state, sessionId, result }: JobRun,
  store: SqliteStore,
  faults: string[],
): Promise<void> {
  const name = `${jobName} ${new Date(instant).toISOString()} (${id})`;
  if (state === 'running' || state === 'waiting') faults.push(`${name}: it is ${state} at the end`);
  const key = `cron:${jobId}:${instant}:${JSON.stringify([ORIGIN.platform, ORIGIN.account, ORIGIN.chatId, ''])}`;
  const deliveries = await store.gateway.deliveries({ key });
  if (deliveries.length !== 1) faults.push(`${name}: ${deliveries.length} deliveries (${state}, ${result?.why ?? ''})`);
  if (sessionId === undefined) return;
  const entries = await store.entries(sessionId);
  const said = (role: string): number =>
    entries.filter((entry) => entry.type === 'message' && entry.message.role === role && entry.origin !== 'system').length;
  const outcomes = entries.filter(({ type }) => type === 'outcome').length;
  if (said('user') !== 1 || outcomes !== 1)
    faults.push(`${name}: ${said('user')} messages and ${outcomes} outcomes in session ${sessionId}`);
}

function countMarks(root: string): Map<string, number> {
  const marks = new Map<string, number>();
  try {
    for (const line of readFileSync(join(root, 'marks'), 'utf8').trim().split('\n')) {
      const [id = ''] = line.split(' ');
      marks.set(id, (marks.get(id) ?? 0) + 1);
    }
  } catch {
    // No script has run.
  }
  return marks;
}
