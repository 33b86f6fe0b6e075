import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

type Work = (...args: unknown[]) => unknown;

/** From now on this process ends itself at its nth step on the disk; 0: never. Gives how many steps there were so far. */
export async function armed(at: number, scratch: string): Promise<() => number> {
  let steps = 0;
  /** Half of what is written may be on the disk when the end comes. */
  const step = (tear?: () => void): void => {
    steps += 1;
    if (steps !== at) return;
    tear?.();
    process.kill(process.pid, 'SIGKILL');
  };
  const watched = (target: object, names: readonly string[]): void => {
    for (const name of names) {
      const real = Reflect.get(target, name) as Work;
      Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
        step();
        return real.apply(this, args);
      });
    }
  };
  watched(fs, SYNC);
  watched(fs.promises, ['open', 'rename', 'rm']);
  const writeWhole = fs.writeFileSync;
  fs.writeFileSync = (file, data, options) => {
    step(() => typeof data === 'string' && writeWhole(file, data.slice(0, data.length / 2), options));
    writeWhole(file, data, options);
  };
  const handle = await handlePrototype(scratch);
  const writeThrough = handle['writeFile'] as Work;
  handle['writeFile'] = async function (this: { readonly fd: number }, data: unknown) {
    const bytes = Buffer.from(data as Buffer);
    step(() => void fs.writeSync(this.fd, bytes, 0, Math.floor(bytes.length / 2)));
    return writeThrough.call(this, data);
  };
  watched(handle, ['sync', 'chmod']);
  syncBuiltinESMExports();
  steps = 0;
  return () => steps;
}

const SYNC = [
  'openSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'rmSync',
  'mkdirSync',
  'linkSync',
  'unlinkSync',
  'rmdirSync',
  'chmodSync',
  'symlinkSync',
  'cpSync',
];

async function handlePrototype(scratch: string): Promise<Record<string, Work>> {
  const probe = await fs.promises.open(join(scratch, 'probe'), 'w');
  await probe.close();
  fs.unlinkSync(join(scratch, 'probe'));
  return Object.getPrototypeOf(probe) as Record<string, Work>;
}

/** At once: what is told must not wait in a buffer when the end comes. */
export const say = (words: string): void => void fs.writeSync(1, `${words}\n`);
