import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a throw-away machine with a network reaches of the real one: where packages come from. */
export const RELAYED: ReadonlySet<string> = new Set(
  `registry.npmjs.org pypi.org files.pythonhosted.org proxy.golang.org sum.golang.org index.crates.io static.crates.io crates.io
  raw.githubusercontent.com api.github.com`.split(/\s+/),
);

/** Takes connections of throw-away machines out to those hosts; gives the folder of its socket. */
export async function openRelay(): Promise<{ readonly folder: string; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'world-relay-'));
  const server = createServer((inside) => {
    // Whoever waits for the machines keeps this going.
    inside.unref().on('error', () => {});
    inside.once('data', (first: Buffer) => {
      const end = first.indexOf(10);
      const host = first.subarray(0, end).toString('latin1');
      if (!RELAYED.has(host)) return void inside.destroy();
      const there = connect(443, host).unref();
      there.on('error', () => inside.destroy());
      there.write(first.subarray(end + 1));
      there.pipe(inside).pipe(there);
    });
  });
  await new Promise<void>((ready) => server.listen(join(folder, 'socket'), () => ready()));
  return {
    folder,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
