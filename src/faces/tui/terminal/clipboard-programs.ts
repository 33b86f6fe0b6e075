import { spawn } from 'node:child_process';
import type { Env } from '../../../base/env.ts';

/** A program that puts what it reads on the clipboard of this machine. */
interface CopyProgram {
  readonly program: string;
  readonly args: readonly string[];
  fits(env: Env, platform: string): boolean;
}
const PROGRAMS: readonly CopyProgram[] = [
  { program: 'wl-copy', args: [], fits: (env) => (env['WAYLAND_DISPLAY'] ?? '') !== '' },
  { program: 'xclip', args: ['-selection', 'clipboard', '-in'], fits: (env) => (env['DISPLAY'] ?? '') !== '' },
  { program: 'pbcopy', args: [], fits: (_, platform) => platform === 'darwin' },
];

/** Through ssh the clipboard of this machine is not the one in front of the user: nothing is copied, and that is told. */
export async function copyByProgram(text: string, env: Env, platform: string): Promise<boolean> {
  if ((env['SSH_CONNECTION'] ?? '') !== '') return false;
  for (const { program, args, fits } of PROGRAMS) if (fits(env, platform) && (await feed(program, args, text))) return true;
  return false;
}

/** A display that does not answer keeps nobody waiting. */
const MAX_COPY_MS = 3_000;

function feed(program: string, args: readonly string[], text: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: MAX_COPY_MS });
  child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
  child.stdin.on('error', () => undefined).end(text);
  return promise;
}
