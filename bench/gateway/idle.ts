import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCurrentBuild } from '../../scripts/builds.ts';
import { openDiscordServer } from '../../src/testing/platforms/discord/server.ts';
import { openSlackServer } from '../../src/testing/platforms/slack/server.ts';
import { openTelegramServer } from '../../src/testing/platforms/telegram/index.ts';

export interface IdleMemory {
  readonly ours: number;
  /** One thread that has loaded everything. */
  readonly floor: number;
  /** With a worker for each platform that has loaded its adapter. */
  readonly threadedFloor: number;
}

/** How long a program that runs is left alone before it is weighed. */
const REST_MS = 15_000;
const ENTRIES = new Set(['main.cjs', 'adapter-worker.cjs']);

/**
 * The memory of `hermes gateway run` with three platforms that nobody writes in, and of a process that has loaded the same files
 * and does nothing, in MB as the kernel counts them.
 */
export async function measureIdle(): Promise<IdleMemory> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-idle-'));
  try {
    await using places = await openPlaces();
    writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ platforms: places.platforms }));
    const env = { PATH: process.env['PATH'], HOME: folder, HERMES_HOME: folder, ...places.env };
    const program = [resolve('dist/main.cjs'), 'gateway', 'run'];
    const loaded = join(folder, 'loaded');
    const preload = `--require=${join(import.meta.dirname, 'loaded-files.cjs')}`;
    // Once to see what it loads, and once to weigh it as it is.
    await weigh([preload, ...program], { ...env, BENCH_LOADED: loaded });
    const files = [...new Set(readFileSync(loaded, 'utf8').trim().split('\n'))].filter((file) => !ENTRIES.has(basename(file)));
    const floor = (worker: string) => weigh([join(import.meta.dirname, 'idle-floor.cjs'), worker, ...files], env);
    return {
      ours: await weigh(program, env),
      floor: await floor(''),
      threadedFloor: await floor(resolve('dist', findCurrentBuild('dist') ?? '', 'adapter-worker.cjs')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openPlaces() {
  await using opened = new AsyncDisposableStack();
  const [telegram, discord, slack] = [
    opened.use(await openTelegramServer({})),
    opened.use(await openDiscordServer()),
    opened.use(await openSlackServer()),
  ];
  const slackBot = slack.install(slack.addWorkspace());
  const kept = opened.move();
  return {
    platforms: {
      telegram: { extra: { base_url: telegram.baseUrl } },
      discord: { extra: { api_url: discord.apiUrl } },
      slack: { extra: { api_url: slack.apiUrl } },
    },
    env: {
      TELEGRAM_BOT_TOKEN: telegram.people.addBot({ name: 'Hermes', username: 'hermes_bench_bot' }).token,
      DISCORD_BOT_TOKEN: discord.addBot('hermes').token,
      SLACK_BOT_TOKEN: slackBot.botToken,
      SLACK_APP_TOKEN: slackBot.app.appToken,
      GATEWAY_ALLOW_ALL_USERS: 'true',
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function weigh(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // As the launcher starts it.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const ended = new Promise((done) => child.once('close', done));
  try {
    while (!said.includes('Gateway running')) {
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended: ${said}`);
      await sleep(100);
    }
    await sleep(REST_MS);
    if (process.env['BENCH_DEBUG'] === '1') console.error(said);
    if (child.exitCode !== null) throw new Error(`${args[0]} ended while it was weighed: ${said}`);
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
