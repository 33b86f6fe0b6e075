import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWireServer, type WireServer } from '../../src/testing/wire-server/index.ts';
import { telegramStage, until, type TelegramStage } from '../testing/platforms/telegram/stage.ts';
import { MAIN, type Ran } from './hermes.ts';
import { placeWith } from './mcp-serve-stage.ts';
import type { Stage } from './stage.ts';

/** A home with a Telegram bot and a model, both of the test. */
export interface GatewayStage extends AsyncDisposable {
  readonly place: Stage;
  readonly model: WireServer;
  readonly telegram: TelegramStage;
  readonly env: Readonly<Record<string, string>>;
  /** Starts `hermes gateway run`; settles when it runs. */
  start(...more: readonly string[]): Promise<RunningProgram>;
  /** The same for another home. */
  startIn(home: string): Promise<RunningProgram>;
  /** What our bot has said in the private chat, in order. */
  said(): readonly string[];
  say(text: string): void;
}
export interface RunningProgram {
  readonly pid: number;
  err(): string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export async function gatewayStage(
  answer: Parameters<typeof startWireServer>[0] = {},
  settings: object = {},
  platforms: object = {},
): Promise<GatewayStage> {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startWireServer(answer));
  const telegram = opened.use(await telegramStage());
  const { server, bot, ann, dm } = telegram;
  const place = placeWith(model.url, { platforms: { telegram: { extra: { base_url: server.baseUrl } }, ...platforms }, ...settings });
  writeFileSync(join(place.home, '.env'), `TELEGRAM_BOT_TOKEN=${bot.token}\nTELEGRAM_ALLOWED_USERS=${ann.id}\n`);
  const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, HERMES_HOME: place.home, TMPDIR: join(place.home, '..', 'tmp') };
  const running: RunningProgram[] = [];
  opened.defer(async () => {
    for (const each of running) each.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
  });
  const kept = opened.move();
  const start = async (args: readonly string[], variables: Readonly<Record<string, string>>): Promise<RunningProgram> => {
    const program = startProgram(['gateway', 'run', ...args], place.cwd, variables);
    running.push(program);
    await Promise.race([until(() => /Gateway running/.test(program.err()), `it runs`), program.ended]);
    return program;
  };
  return {
    place,
    model,
    telegram,
    env,
    start: (...more) => start(more, env),
    startIn: (home) => start([], { ...env, HERMES_HOME: home }),
    said: () => server.log.visible(dm).flatMap(({ from, text }) => (from === bot.id ? [text] : [])),
    say: (text) => void server.people.say(dm, ann, text),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export function startProgram(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): RunningProgram {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  return {
    pid: child.pid ?? 0,
    err: () => err,
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => ({
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
    })),
  };
}

export const statusOf = ({ out, err }: Ran): Readonly<Record<string, unknown>> => {
  if (out === '') throw new Error(err);
  return JSON.parse(out);
};
