import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EditorProgram } from './terminal-ui/programs.ts';
import { monotonic } from './wire.ts';

export interface Ask {
  readonly url: string;
  readonly model: string;
  readonly home: string;
  /** Where it stands; the home when absent. */
  readonly cwd?: string;
  /** Notes the peak of memory, which costs a little time. */
  readonly weigh?: boolean;
  readonly more?: readonly string[];
}
export interface Ran {
  readonly startedAt: number;
  readonly wallMs: number;
  readonly peakMB: number;
}
export type Program = (ask: Ask) => Promise<Ran>;

/** `hermes` as a user starts it: launcher, bundle, durable log. */
export const hermes: Program = (ask) =>
  run(
    resolve('bin/hermes'),
    ['chat', '-q', 'hi', '--base-url', `${ask.url}/v1`, '-m', ask.model, '--max-turns', '0', ...(ask.more ?? API)],
    ask,
  );
const API = ['--api-mode', 'chat_completions'];

export const floor: Program = (ask) => runFloor(ask);
/** The same without the parts of node:http that nobody asked for. */
export const leanFloor: Program = (ask) => runFloor(ask, 'lean');
const runFloor = (ask: Ask, ...how: readonly string[]): Promise<Ran> =>
  run(process.execPath, [join(import.meta.dirname, 'floor.mjs'), `${ask.url}/v1`, ask.model, 'hi', ...how], ask);

/** pi, asked once without its screen. */
export const piProgram = (install: () => EditorProgram): Program => {
  let pi: EditorProgram | undefined;
  return async (ask) => {
    pi ??= install();
    const folder = join(ask.home, '.pi', 'agent');
    mkdirSync(folder, { recursive: true });
    const models = [{ id: ask.model, contextWindow: 2_000_000, maxTokens: 100_000 }];
    const providers = { bench: { baseUrl: `${ask.url}/v1`, api: 'openai-completions', apiKey: 'none', models } };
    writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers }));
    const { command, args = [], env } = pi.start(ask.home, ['--provider', 'bench', '--model', ask.model, '-p', 'hi']);
    return run(command, args, ask, env);
  };
};

async function run(
  command: string,
  args: readonly string[],
  { home, cwd = home, weigh }: Ask,
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const peak = join(home, 'peak');
  const preload = weigh === true ? { BENCH_PEAK: peak, NODE_OPTIONS: `--require=${join(import.meta.dirname, 'at-exit.cjs')}` } : {};
  const startedAt = monotonic();
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home, ...preload, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((done) => child.once('close', done));
  const wallMs = monotonic() - startedAt;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}: ${said}`);
  return { startedAt, wallMs, peakMB: weigh === true ? Number(readFileSync(peak, 'utf8')) / 1024 : Number.NaN };
}
