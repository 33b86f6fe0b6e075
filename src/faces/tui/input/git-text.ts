import { execFile } from 'node:child_process';

export type GitText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };
/** Runs git in a folder and gives what it prints. */
export type RunGit = (args: readonly string[], signal: AbortSignal) => Promise<GitText>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Nothing that the settings of a repository name is run. */
const PLAIN = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

export const gitIn =
  (cwd: string): RunGit =>
  (args, signal) =>
    new Promise((resolve) => {
      const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
      execFile('git', [...PLAIN, ...args], { cwd, env, signal, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES }, (error, out, errors) => {
        const why = errors.trim().split('\n', 1)[0] ?? '';
        resolve(error === null ? { ok: true, text: out } : { ok: false, why: why === '' ? error.message : why });
      });
    });

/** No program of somebody else's draws the difference. */
export const DIFF_ARGUMENTS = ['--no-ext-diff', '--no-textconv', '--no-color'] as const;
