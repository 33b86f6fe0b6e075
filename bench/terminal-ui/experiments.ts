import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../experiments.ts';
import { quantile } from '../statistics.ts';
import { frameSizes } from './frames.ts';
import { makeBenchHome, makeLongSession } from './home.ts';
import { sendLine, typeLetters, untilEditable, waitUntilQuiet } from './keys.ts';
import { buildFloor, hermesScreen, installPi, leave, type EditorProgram } from './programs.ts';
import { openPty } from './pty.ts';

export interface BenchOptions {
  /** What is kept from run to run: the store, pi. */
  readonly dir: string;
  /** The address of the model. */
  readonly url: string;
  readonly runs: number;
  readonly messages: number;
  readonly lines: number;
}
export type ScreenExperiment = (options: BenchOptions) => Promise<readonly Figure[]>;

/** Each in turns with what it is compared with, so that a busy minute of the machine meets both. */
export const SCREEN_EXPERIMENTS: Readonly<Record<string, ScreenExperiment>> = {
  start: async (options) => {
    const floor = await buildFloor(options.dir);
    const home = await makeBenchHome(options);
    const [below = [], ours = []] = await startInTurns([floor, hermesScreen], home, options.runs);
    return [
      figure('to an editable prompt', 'ms', { ratio: 2 }, below, ours, ({ editableMs }) => editableMs),
      figure('to an editable prompt, alone', 'ms', { most: 250 }, [], ours, ({ editableMs }) => editableMs),
      figure('to the first frame', 'ms', { ratio: 2 }, below, ours, ({ frameMs }) => frameMs),
      figure('processor time to an editable prompt', 'ms', { ratio: 2 }, below, ours, ({ cpuMs }) => cpuMs),
    ];
  },
  keys: async (options) => {
    const rounds: Typing[] = [];
    for (let run = 0; run < Math.min(options.runs, MAX_TYPING_ROUNDS); run += 1) rounds.push(await typeThrough(options));
    const of = (read: (round: Typing) => number) => rounds.map(read);
    const compare = (name: string, ratio: number, share: number, floor: keyof Times, ours: keyof Times): Figure => ({
      name: `${name}, p${share * 100}`,
      unit: 'ms',
      goal: { ratio },
      floor: of(({ times }) => quantile(times[floor], share)),
      ours: of(({ times }) => quantile(times[ours], share)),
    });
    return [
      compare('key at 200 tokens/s beside idle', 3, 0.99, 'idle', 'stream'),
      compare('key at 200 tokens/s beside idle', 3, 0.5, 'idle', 'stream'),
      compare(`key with ${options.lines} lines beside none`, 1.2, 0.99, 'idle', 'longIdle'),
      compare(`key with ${options.lines} lines beside none`, 1.2, 0.5, 'idle', 'longIdle'),
      compare(`the same at 200 tokens/s`, 1.2, 0.99, 'stream', 'longStream'),
      compare(`the same at 200 tokens/s`, 1.2, 0.5, 'stream', 'longStream'),
      { name: 'frame at 200 tokens/s, p99', unit: 'bytes', goal: { most: 4096 }, floor: [], ours: of(({ frameBytes }) => frameBytes) },
    ];
  },
  resume: async (options) => {
    const home = await makeBenchHome({ ...options, messages: 0 });
    const session = await makeLongSession(home);
    const [fresh = [], resumed = []] = await showInTurns(
      [
        { args: [], shown: 'attaches a file' },
        { args: ['--resume', session.id], shown: session.end },
      ],
      home,
      options.runs,
    );
    const added = resumed.map((run, index) => ({
      ms: run.shownMs - (fresh[index]?.shownMs ?? 0),
      cpuMs: run.cpuMs - (fresh[index]?.cpuMs ?? 0),
    }));
    const name = '10,000 messages resumed';
    return [
      figure(`${name}, from the start`, 'ms', { most: 300 }, [], resumed, ({ shownMs }) => shownMs),
      figure(`${name}, beside a new session`, 'ms', { ratio: 2 }, fresh, resumed, ({ shownMs }) => shownMs),
      figure(`${name}, what that adds`, 'ms', { most: 300 }, [], added, ({ ms }) => ms),
      figure(`${name}, processor time added`, 'ms', { most: 300 }, [], added, ({ cpuMs }) => cpuMs),
      figure(`${name}, memory`, 'MB', { most: 200 }, [], resumed, ({ memoryMB }) => memoryMB),
    ];
  },
  pi: async (options) => {
    const home = await makeBenchHome({ ...options, messages: 0 });
    const pi = installPi(options.dir);
    const [theirs = [], ours = []] = await startInTurns([pi, hermesScreen], home, options.runs);
    const [theirKeys = [], ourKeys = []] = await typeInTurns([pi, hermesScreen], home, Math.min(options.runs, MAX_TYPING_ROUNDS));
    const beside = { ratio: 1 };
    return [
      figure('pi: to an editable prompt', 'ms', beside, theirs, ours, ({ editableMs }) => editableMs),
      figure('pi: processor time to that', 'ms', beside, theirs, ours, ({ cpuMs }) => cpuMs),
      figure('pi: memory when it is ready', 'MB', beside, theirs, ours, ({ memoryMB }) => memoryMB),
      ...[0.5, 0.99].flatMap((share) => [
        figure(`pi: key at idle, p${share * 100}`, 'ms', beside, theirKeys, ourKeys, ({ idle }) => quantile(idle, share)),
        figure(`pi: key at 200 tokens/s, p${share * 100}`, 'ms', beside, theirKeys, ourKeys, ({ stream }) => quantile(stream, share)),
      ]),
    ];
  },
};

const figure = <Value>(
  name: string,
  unit: string,
  goal: Figure['goal'],
  floor: readonly Value[],
  ours: readonly Value[],
  read: (value: Value) => number,
): Figure => ({ name, unit, goal, floor: floor.map(read), ours: ours.map(read) });

type Start = Awaited<ReturnType<typeof untilEditable>> & { readonly memoryMB: number };

async function startInTurns(programs: readonly EditorProgram[], home: string, runs: number): Promise<Start[][]> {
  const values: Start[][] = programs.map(() => []);
  // The first round fills caches, for which a program has to end by itself, and is not counted.
  for (let run = 0; run <= runs; run += 1)
    for (const [index, program] of programs.entries()) {
      await using pty = openPty(program.start(home));
      const started = await untilEditable(pty, program);
      await waitUntilQuiet(pty);
      if (run > 0) values[index]?.push({ ...started, memoryMB: pty.memoryMB() });
      await leave(pty);
    }
  return values;
}

interface Shown {
  readonly shownMs: number;
  readonly cpuMs: number;
  readonly memoryMB: number;
}

/** Starts hermes in each way, in turns, until what is named is on the screen. */
async function showInTurns(
  ways: readonly { readonly args: readonly string[]; readonly shown: string }[],
  home: string,
  runs: number,
): Promise<Shown[][]> {
  const values: Shown[][] = ways.map(() => []);
  for (let run = 0; run <= runs; run += 1)
    for (const [index, { args, shown }] of ways.entries()) {
      await using pty = openPty(hermesScreen.start(home, args));
      const at = await pty.seen(shown, { fromStart: true });
      const cpuMs = pty.cpuMs();
      await waitUntilQuiet(pty, 500);
      if (run > 0) values[index]?.push({ shownMs: at - pty.startedAt, cpuMs, memoryMB: pty.memoryMB() });
      await leave(pty);
    }
  return values;
}

/** A round of typing takes minutes. */
const MAX_TYPING_ROUNDS = 3;
const LETTERS = 100;

interface ShortTimes {
  readonly idle: readonly number[];
  readonly stream: readonly number[];
}
interface Times extends ShortTimes {
  readonly longIdle: readonly number[];
  readonly longStream: readonly number[];
}
interface Typing {
  readonly times: Times;
  readonly frameBytes: number;
}

async function typeInTurns(programs: readonly EditorProgram[], home: string, rounds: number): Promise<ShortTimes[][]> {
  const values: ShortTimes[][] = programs.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, program] of programs.entries()) {
      await using pty = openPty(program.start(home));
      await untilEditable(pty, program);
      await waitUntilQuiet(pty);
      values[index]?.push({ idle: await typeLetters(pty, LETTERS), stream: await typeDuringStream(pty) });
    }
  return values;
}

/** One program with nothing said yet, then the same with a long transcript above it. */
async function typeThrough(options: BenchOptions): Promise<Typing> {
  await using pty = openPty(hermesScreen.start(await makeBenchHome({ ...options, messages: 0 })));
  await untilEditable(pty, hermesScreen);
  await waitUntilQuiet(pty);
  const idle = await typeLetters(pty, LETTERS);
  const begin = pty.chunks.length;
  const stream = await typeDuringStream(pty);
  const frameBytes = quantile(frameSizes(pty.chunks.slice(begin)), 0.99);
  await sendLine(pty, `lines ${options.lines}`);
  await pty.seen(`line ${options.lines - 1} of many`);
  await waitUntilQuiet(pty, 3_000);
  return { times: { idle, stream, longIdle: await typeLetters(pty, LETTERS), longStream: await typeDuringStream(pty) }, frameBytes };
}

const STREAM_SECONDS = 25;

async function typeDuringStream(pty: ReturnType<typeof openPty>): Promise<number[]> {
  await sendLine(pty, `stream ${STREAM_SECONDS}`);
  await pause(1_500);
  const times = await typeLetters(pty, LETTERS);
  await waitUntilQuiet(pty, 2_500);
  return times;
}
