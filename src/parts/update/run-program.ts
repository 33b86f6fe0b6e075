import { execFile } from 'node:child_process';
import { UsageError } from '../../base/errors.ts';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}
const MAX_OUTPUT = 16_000_000;

/** Runs a program and gives what it printed. What it complained about is in the error. */
export function runProgram(file: string, args: readonly string[], { cwd, env }: ProgramOptions): Promise<string> {
  return new Promise((done, fail) => {
    execFile(file, args, { cwd, env, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      if (error === null) return done(stdout.trim());
      const said = stderr.trim().split('\n').slice(-5).join('\n') || error.message;
      fail(new UsageError(`${file} ${args.join(' ')} failed:\n${said}`, { cause: error }));
    });
  });
}
