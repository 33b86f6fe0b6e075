import { execFile } from 'node:child_process';
import type { Env } from '../../base/env.ts';
import { readErrorCode, UsageError } from '../../base/errors.ts';
import { toPluginLine } from '../words/plugin-words.ts';

const LIMITS = { timeout: 300_000, maxBuffer: 16_000_000 } as const;

/** Runs the owner's npm and gives what it printed. No script of any package ever runs. */
export function runNpm(args: readonly string[], cwd: string, env: Env): Promise<string> {
  return new Promise((done, fail) => {
    execFile('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, env, ...LIMITS }, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const said = readErrorCode(error) === 'ENOENT' ? 'npm is not there. Install Node.js with npm.' : lastLines(stderr) || error.message;
      fail(new UsageError(`npm ${args[0] ?? ''} failed: ${said}`, { cause: error }));
    });
  });
}
/** Packages can have npm print anything. */
const lastLines = (text: string): string =>
  text
    .trim()
    .split('\n')
    .slice(-5)
    .map((line) => toPluginLine(line))
    .join(' ↵ ');
