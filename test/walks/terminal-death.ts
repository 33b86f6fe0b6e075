import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { stageLauncher } from '../faces/tui/terminal/shell-stage.ts';
import { hermes, MAIN } from './hermes.ts';
import { findJob, isRunning, sitDown, untilEnded, type Job, type ShellUser } from './shell-user.ts';
import { answerByWords, MOMENTS, type Moment } from './terminal-moments.ts';

/** What happens to hermes: to it alone, to the whole job, or to the terminal. */
export type Blow = 'SIGKILL' | 'SIGHUP' | 'SIGTERM' | 'SIGTSTP' | 'Ctrl-Z' | 'terminal closed';
export interface DeathPoint {
  /** A name of `MOMENTS`; `start` counts from when the process is there. */
  readonly moment: string;
  readonly blow: Blow;
  /** So long after the moment was seen. */
  readonly afterMs: number;
}
export interface Death extends DeathPoint {
  /** What is not as it should be. */
  readonly problems: readonly string[];
}

/** The place of all stories: a launcher, a server, and a home in which something was said already. */
export interface DeathStage extends AsyncDisposable {
  die(point: DeathPoint): Promise<Death>;
}

const STOPS: readonly Blow[] = ['SIGTSTP', 'Ctrl-Z'];
const START: Moment = { name: 'start', reach: [], shown: /^/, sent: [] };
const KEY = { OPENAI_API_KEY: 'sk-not-a-key-000000' };

export async function openDeathStage(): Promise<DeathStage> {
  const server = await startWireServer({ answer: answerByWords });
  const folder = mkdtempSync(join(tmpdir(), 'hermes-death-'));
  // The launcher of the project where the bundle is run, else one that runs the sources.
  const staged = MAIN === resolve('dist/main.cjs') ? undefined : stageLauncher(MAIN);
  const settings = { model: { base_url: `${server.url}/v1`, default: 'test-model', context_length: 128_000 } };
  const [home, cwd] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(home);
  mkdirSync(cwd);
  const write = (place: string, more: object): void => writeFileSync(join(place, 'config.yaml'), JSON.stringify({ ...settings, ...more }));
  write(home, {});
  // The first words are in the log before anything happens.
  const first = await hermes(['chat', '-q', 'hello'], { home, cwd, env: KEY });
  if (first.code !== 0) throw new Error(`the first words failed: ${first.err}`);
  writeFileSync(join(folder, 'edit'), '#!/bin/sh\necho in the editor\nsleep 2\necho left the editor\n', { mode: 0o755 });
  let count = 0;
  return {
    die: async (point) => {
      count += 1;
      const place = join(folder, String(count));
      const moment = MOMENTS.find(({ name }) => name === point.moment) ?? START;
      cpSync(home, join(place, 'home'), { recursive: true });
      rmSync(join(cwd, 'marks'), { force: true });
      write(join(place, 'home'), moment.settings ?? {});
      const scene = {
        cwd,
        home: join(place, 'home'),
        launcher: staged?.launcher ?? resolve('bin/hermes'),
        env: { ...KEY, HERMES_HOME: join(place, 'home'), EDITOR: join(folder, 'edit') },
      };
      const problems = await dieAndGoOn(scene, moment, point).catch((error: unknown) => [String(error)]);
      if (problems.length === 0) rmSync(place, { recursive: true, force: true });
      return { ...point, problems };
    },
    [Symbol.asyncDispose]: async () => {
      staged?.[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

interface Scene {
  readonly cwd: string;
  readonly home: string;
  readonly launcher: string;
  readonly env: Readonly<Record<string, string>>;
}

async function dieAndGoOn(scene: Scene, moment: Moment, point: DeathPoint): Promise<string[]> {
  const user = await sitDown(scene.cwd, scene.env);
  try {
    user.shell.type(`${scene.launcher} -c\r`);
    const job = await findJob(user.shell.pid);
    await user.follow(moment.reach);
    await user.until(moment.shown);
    await waitAt(user, moment, point.afterMs);
    const damage = await strike(user, job, point);
    // A stop that comes when the program is on its way out may find it gone.
    const stopped = STOPS.includes(point.blow) && isRunning(job.program);
    if (stopped && moment.ends === true) await endStopped(user);
    const after = stopped && moment.ends !== true ? await comeBack(user, moment) : await startAgain(scene, moment, point.blow);
    return [...damage, ...after, ...(await readLog(scene, moment))];
  } finally {
    user.shell.close();
  }
}

/** The time until the blow; where the moment is a change of size, the size changes. */
async function waitAt({ shell }: ShellUser, { resized }: Moment, ms: number): Promise<void> {
  if (resized !== true) return pause(ms);
  for (let step = 0; step < 6; step += 1) {
    shell.resize([80, 57, 110][step % 3] ?? 80, [24, 31, 12][step % 3] ?? 24);
    await pause(ms / 6);
  }
}

async function strike(user: ShellUser, job: Job, { blow }: DeathPoint): Promise<string[]> {
  const since = user.shell.output.length;
  if (blow === 'terminal closed') {
    user.shell.close();
    await untilEnded(job.program);
    return [];
  }
  if (blow === 'Ctrl-Z') user.shell.type('\u001a');
  else if (blow === 'SIGHUP') signal(-job.launcher, blow);
  else signal(job.program, blow);
  await user.shell.until(/§ /, since);
  return user.findDamage();
}
/** Whoever is gone already needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function endStopped({ shell }: ShellUser): Promise<void> {
  const since = shell.output.length;
  shell.type('fg\r');
  await shell.until(/§ $/, since);
}
async function comeBack(user: ShellUser, moment: Moment): Promise<string[]> {
  const from = await user.lines();
  const since = user.shell.output.length;
  user.shell.type('fg\r');
  // oxlint-disable-next-line no-control-regex -- sequences are what this is about
  const until = await user.shell.until(/\u001b\[\?2004h/, since);
  if (moment.name === 'editor' && !until.includes('left the editor')) return ['the terminal was taken from the editor'];
  await rest(user, moment, from);
  return quit(user);
}
async function startAgain({ launcher, cwd, env }: Scene, moment: Moment, blow: Blow): Promise<string[]> {
  const user = await sitDown(cwd, env);
  try {
    user.shell.type(`${launcher} -c\r`);
    await user.until(/hello\n[^]*Answer to hello\./);
    // Who is told to end ends the turn; who is killed leaves it to go on.
    if (blow === 'SIGKILL') await rest(user, moment, 0);
    else for (const words of moment.sent) await user.until(new RegExp(`[❯↪] ${words}`));
    return await quit(user);
  } finally {
    user.shell.close();
  }
}
async function rest(user: ShellUser, { rest: steps = [], over = /test-model │/ }: Moment, from: number): Promise<void> {
  await user.follow(steps, from);
  await user.until(over, from);
}
async function quit(user: ShellUser): Promise<string[]> {
  const since = user.shell.output.length;
  await pause(100);
  // Whatever is open or typed goes first.
  user.shell.type('\u0003');
  await pause(100);
  user.shell.type('\u0004');
  await user.shell.until(/§ $/, since);
  return user.findDamage();
}

interface Stored {
  readonly type: string;
  readonly origin: string;
  readonly message?: {
    readonly role: string;
    readonly call_id?: string;
    readonly content: readonly { readonly type: string; readonly id?: string; readonly text?: string }[];
  };
}
/** What was sent is in the log once, and nothing was done twice. */
async function readLog({ home, cwd }: Scene, { sent }: Moment): Promise<string[]> {
  const listed = await hermes(['sessions', 'list', '--json'], { home });
  const rows = JSON.parse(listed.out) as { readonly id: string }[];
  if (rows.length !== 1) return [`${rows.length} sessions instead of one`];
  const shown = await hermes(['sessions', 'show', rows[0]?.id ?? '', '--json'], { home });
  const { entries } = JSON.parse(shown.out) as { readonly entries: readonly Stored[] };
  const blocks = entries.flatMap((entry) =>
    entry.message === undefined ? [] : entry.message.content.map((block) => ({ ...block, entry })),
  );
  const words = blocks.flatMap(({ text, entry }) => (entry.message?.role === 'user' && entry.origin !== 'nudge' ? [text ?? ''] : []));
  const calls = blocks.flatMap(({ type, id }) => (type === 'tool_call' ? [id] : []));
  const results = entries.flatMap(({ message }) => (message?.role === 'tool' ? [message.call_id] : []));
  const marks = existsSync(join(cwd, 'marks')) ? readFileSync(join(cwd, 'marks'), 'utf8').trim().split('\n') : [];
  const expected = ['hello', ...sent];
  return [
    ...(words.toSorted().join('|') === expected.toSorted().join('|')
      ? []
      : [`said: ${words.join(' | ')} instead of ${expected.join(' | ')}`]),
    ...(calls.every((id) => results.filter((other) => other === id).length === 1) ? [] : ['a call without exactly one result']),
    ...(new Set(marks).size === marks.length ? [] : [`done twice: ${marks.join(', ')}`]),
    ...(marks.includes('asked') ? ['done without consent'] : []),
  ];
}
