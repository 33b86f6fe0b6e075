/**
 * A process that works with checkpoints and is killed at one of its own steps on the disk.
 *   node killed.ts FOLDER STEP     STEP 0: not at all; prints how many steps there were
 * What is promised to be durable is told on stdout, at once.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { bench, put } from './setup.ts';

const [top = '', at = '0'] = process.argv.slice(2);
let steps = 0;

/** Half of what is written may be on the disk when the end comes. */
function step(tear?: () => void): void {
  steps += 1;
  if (steps !== Number(at)) return;
  tear?.();
  process.kill(process.pid, 'SIGKILL');
}

type Work = (...args: unknown[]) => unknown;
const watched = (target: object, names: readonly string[]): void => {
  for (const name of names) {
    const real = Reflect.get(target, name) as Work;
    Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
      step();
      return real.apply(this, args);
    });
  }
};
const say = (words: string): void => void fs.writeSync(1, `${words}\n`);

watched(fs, [
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
]);
watched(fs.promises, ['open', 'rename', 'rm']);
const writeWhole = fs.writeFileSync;
fs.writeFileSync = (file, data, options) => {
  step(() => typeof data === 'string' && writeWhole(file, data.slice(0, data.length / 2), options));
  writeWhole(file, data, options);
};
const probe = await fs.promises.open(join(top, 'probe'), 'w');
const handle = Object.getPrototypeOf(probe) as Record<string, Work>;
const writeThrough = handle['writeFile'] as Work;
await probe.close();
fs.unlinkSync(join(top, 'probe'));
handle['writeFile'] = async function (this: { readonly fd: number }, data: unknown) {
  const bytes = Buffer.from(data as Buffer);
  step(() => void fs.writeSync(this.fd, bytes, 0, Math.floor(bytes.length / 2)));
  return writeThrough.call(this, data);
};
watched(handle, ['sync', 'chmod']);
syncBuiltinESMExports();
steps = 0;

const here = bench(top);
const started = (name: string): string | undefined => here.list().find(({ head }) => head.what.includes(name))?.head.id;

const edit = {
  tool: 'write_file',
  input: {},
  cwd: here.work,
  sessionId: 's1',
  effects: { kind: 'write', resources: [`path:${here.at('a.txt')}`] },
} as const;
await here.undo.before(edit, 't1');
say(`kept ${started('a.txt')}`);
put(here.work, { 'a.txt': 'edited' });
await here.undo.after(edit, 't1');

const command = {
  tool: 'terminal',
  input: { command: 'rm b.txt' },
  cwd: here.work,
  sessionId: 's1',
  effects: { kind: 'write', resources: ['*'] },
} as const;
await here.undo.before(command, 't1');
say(`kept ${started('rm b.txt')}`);
fs.rmSync(here.at('b.txt'));
put(here.work, { 'made.txt': 'made' });
fs.chmodSync(here.at('run.sh'), 0o600);
await here.undo.after(command, 't1');

const fates = await here.back(1);
say(`rolled ${fates.length}`);
await here.store.prune();
say('pruned');
say(`steps ${steps}`);
