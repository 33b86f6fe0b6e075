import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../../../base/env.ts';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { identifyProcess, isAlive } from '../../../base/process-identity.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLogFile } from './log-file.ts';
import { readReport } from './state-file.ts';

/** Set in a gateway that nobody but itself starts again. */
const DETACHED_VARIABLE = 'HERMES_GATEWAY_DETACHED';
export const isDetached = (env: Env): boolean => env[DETACHED_VARIABLE] === '1';

/** How this program is started: Node with its options and our file. */
export const ownCommand = (): readonly string[] => [process.execPath, ...process.execArgv, process.argv[1] ?? ''];

/** Starts a gateway of a home that goes on without the process that started it. Gives its pid. */
export function launchGateway(root: string, env: Env): number {
  const [program = '', ...args] = ownCommand();
  const output = lastWordsFile(root);
  makeFolder(dirname(output));
  const file = openSync(output, 'w', 0o600);
  try {
    const child = spawn(program, [...args, 'gateway', 'run'], {
      detached: true,
      cwd: root,
      env: { ...env, HERMES_HOME: root, [DETACHED_VARIABLE]: '1' },
      stdio: ['ignore', file, file],
    });
    child.unref();
    if (child.pid === undefined) throw new UsageError('the gateway could not be started. Try hermes gateway run to see why.');
    return child.pid;
  } finally {
    closeSync(file);
  }
}

/** What the process wrote before its log was open, and when it broke. */
const lastWordsFile = (root: string): string => join(dirname(findLogFile(root)), 'gateway-output.log');

const LOOK_MS = 50;

/** Waits until a gateway says that it runs. `false` when it still starts after this time; throws its last words when it ended. */
export async function waitUntilRunning(root: string, pid: number, maxMs: number): Promise<boolean> {
  const identity = identifyProcess(pid);
  for (let waited = 0; waited < maxMs; waited += LOOK_MS) {
    if (readReport(root, pid)?.phase === 'running') return true;
    if (!isAlive(identity)) throw new UsageError(`the gateway ended at once. It said:\n${readLastWords(root)}`);
    await sleep(LOOK_MS);
  }
  return false;
}

function readLastWords(root: string): string {
  try {
    return readFileSync(lastWordsFile(root), 'utf8').trim().split('\n').slice(-10).join('\n');
  } catch {
    return 'nothing';
  }
}
