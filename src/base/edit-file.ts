import { spawn } from 'node:child_process';
import type { Env } from './env.ts';
import { UsageError } from './errors.ts';

/** Opens a file in the editor the person has chosen, on this terminal, and waits until it is closed. */
export async function editFile(path: string, env: Env): Promise<void> {
  const editor = [env['VISUAL'], env['EDITOR']].find((name) => name !== undefined && name.trim() !== '') ?? 'vi';
  // The variable may hold arguments, as in `code --wait`; the shell reads it as every other program has it read.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code !== 0)
    throw new UsageError(`the editor "${editor}" ended with code ${code ?? 'none'}. Name another with EDITOR, as in EDITOR=nano.`);
}
