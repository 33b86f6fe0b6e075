/**
 * A process that works with checkpoints and is killed at one of its own steps on the disk.
 *   node killed.ts FOLDER STEP     STEP 0: not at all; prints how many steps there were
 * What is promised to be durable is told on stdout, at once.
 */
import fs from 'node:fs';
import { armed, say } from '../killing.ts';
import { bench, put } from './setup.ts';

const [top = '', at = '0'] = process.argv.slice(2);
const steps = await armed(Number(at), top);
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
say(`steps ${steps()}`);
