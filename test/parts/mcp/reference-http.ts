import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The reference server listens on every interface; tests stay on loopback, on a port that is free. */
const ON_LOOPBACK = `
import net from 'node:net';
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, 0, '127.0.0.1', ...rest).once('listening', () => console.log('PORT ' + this.address().port));
};`;

export interface ReferenceServer extends AsyncDisposable {
  readonly url: string;
}

/** server-everything behind an address. */
export async function referenceOverHttp(kind: 'streamableHttp' | 'sse'): Promise<ReferenceServer> {
  const main = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const preload = `data:text/javascript,${encodeURIComponent(ON_LOOPBACK)}`;
  const child = spawn(process.execPath, ['--import', preload, main, kind], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.resume();
  const port = await new Promise<string>((found, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = /^PORT (\d+)$/.exec(line)?.[1];
      if (told !== undefined) found(told);
    });
  });
  return {
    url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
