import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pty, PtyOptions } from './pty.ts';

/** A program with an editor on a terminal. */
export interface EditorProgram {
  readonly name: string;
  /** What it writes with its first frame. */
  readonly drawn: string | RegExp;
  /** How it is started in a home. `more`: arguments of hermes. */
  start(home: string, more?: readonly string[]): PtyOptions;
}

const environment = (home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
  OPENAI_API_KEY: 'sk-bench',
});

/** Bracketed paste is on: everything after it is the first frame. */
const READY = '\u001b[?2004h';

/** `hermes` as a user starts it. */
export const hermesScreen: EditorProgram = {
  name: 'hermes',
  drawn: new RegExp(`${RegExp.escape(READY)}[^]*❯`),
  start: (home, more = []) => ({
    command: resolve('bin/hermes'),
    args: more,
    cwd: home,
    env: { ...environment(home), HERMES_HOME: home },
  }),
};

/** pi-tui's editor and nothing else, made into one file by our bundler, with Node's compile cache as ours has. */
export async function buildFloor(dir: string): Promise<EditorProgram> {
  const folder = join(dir, 'floor');
  const bundle = await rolldown({
    input: { floor: join(import.meta.dirname, 'floor-editor.ts') },
    platform: 'node',
    tsconfig: false,
    logLevel: 'warn',
  });
  await bundle.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: { compress: true, mangle: false, codegen: false },
  });
  await bundle.close();
  return {
    name: 'floor',
    drawn: new RegExp(`${RegExp.escape(READY)}[^]*───`),
    start: (home) => ({
      command: process.execPath,
      args: [join(folder, 'floor.cjs')],
      cwd: home,
      env: { ...environment(home), NODE_COMPILE_CACHE: join(folder, 'compiled') },
    }),
  };
}

const PI = '@earendil-works/pi-coding-agent';
const PI_VERSION = '0.87.1';

/** pi, installed beside the benchmark's other files, for it is no dependency of ours. */
export function installPi(dir: string): EditorProgram {
  const folder = join(dir, 'pi');
  const bin = join(folder, 'node_modules', PI, 'dist', 'bundle', 'cli.js');
  if (!existsSync(bin)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', `${PI}@${PI_VERSION}`], {
      cwd: folder,
      stdio: 'inherit',
    });
  }
  return {
    name: `pi ${PI_VERSION}`,
    drawn: new RegExp(`${RegExp.escape(READY)}[^]*───`),
    start: (home, more = []) => ({
      command: process.execPath,
      args: [bin, ...more],
      cwd: home,
      env: { ...environment(home), PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' },
    }),
  };
}

/** Leaves it as a person does; only a program that ends by itself keeps its compiled code. */
export async function leave(pty: Pty): Promise<void> {
  pty.type('\u0015');
  await pause(200);
  pty.type('\u0004');
  await Promise.race([pty.ended, pause(3_000)]);
}
