import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What a fake service runs commands with: a shell of this machine whose home is the sandbox. */
export const sandboxEnv = (home: string): Record<string, string> => ({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8' });

export function runShell(command: string, home: string): Promise<{ readonly exitCode: number; readonly result: string }> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: home, env: sandboxEnv(home), stdio: ['ignore', 'pipe', 'pipe'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
    child.once('exit', (code) => setTimeout(() => resolve({ exitCode: code ?? -1, result: Buffer.concat(pieces).toString() }), 5));
  });
}

/** A sandbox that stops takes everything with it: all that was started with this home and nothing else. */
export function endAllOf(home: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
}
