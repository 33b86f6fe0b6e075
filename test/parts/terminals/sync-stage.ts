import { spawn } from 'node:child_process';
import { READER, type RemoteShell } from '../../../src/parts/terminals/line/line.ts';

/** The shortest line there is: a bash of this machine with another home. It can be cut. */
export function bashLine(home: string): RemoteShell & { readonly said: string[]; broken: boolean } {
  const said: string[] = [];
  const line = {
    name: 'the next room',
    said,
    broken: false,
    exec: (input: Buffer, hear: Parameters<RemoteShell['exec']>[1]) => {
      said.push(input.toString('latin1'));
      if (line.broken) return { over: Promise.resolve('the line is cut'), release: () => {} };
      const child = spawn('bash', ['-c', READER], {
        env: { PATH: process.env['PATH'] ?? '', HOME: home },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdout.on('data', hear.output);
      child.stderr.on('data', hear.told);
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      const over = new Promise<undefined>((resolve) => child.once('close', () => resolve(undefined)));
      return { over, release: () => void child.kill() };
    },
    close: async () => {},
  };
  return line;
}
