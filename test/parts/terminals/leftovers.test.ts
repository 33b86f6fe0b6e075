import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { thisProcess, type ProcessIdentity } from '../../../src/base/process-identity.ts';
import { sweepProcesses } from '../../../src/parts/terminals/leftovers.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-leftovers-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 86_400_000;
const NOW = Date.now();

function left(name: string, days: number, who?: Partial<ProcessIdentity> | string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const file of ['log', 'exit']) writeFileSync(join(path, file), '0\n');
  if (who !== undefined) writeFileSync(join(path, 'who'), typeof who === 'string' ? who : JSON.stringify({ ...thisProcess(), ...who }));
  const at = (NOW - days * DAY) / 1_000;
  for (const file of [...readdirSync(path).map((each) => join(path, each)), path]) utimesSync(file, at, at);
  return path;
}

test('what has been over for a week goes; what runs, is younger, somebody else’s or something else stays', () => {
  const gone = { started: 'another time' };
  left('hermes-process-old', 8, gone);
  left('hermes-process-unsigned', 8);
  left('hermes-process-cut', 8, '{"pid":');
  left('hermes-process-young', 6, gone);
  left('hermes-process-alive', 90, {});
  left('hermes-process-beside', 90, { ...gone, space: 'pid:[1]' });
  left('other', 90, gone);
  const log = join(left('hermes-process-talks', 90, gone), 'log');
  utimesSync(log, NOW / 1_000, NOW / 1_000);
  symlinkSync(left('elsewhere', 90, gone), join(folder, 'hermes-process-link'));
  const foreign = left('hermes-process-foreign', 90, gone);
  if (process.getuid?.() === 0) chownSync(foreign, 12_345, 12_345);
  else rmSync(foreign, { recursive: true });
  sweepProcesses(folder, NOW);
  const stays = ['alive', 'beside', 'foreign', 'link', 'talks', 'young'].filter((name) => name !== 'foreign' || process.getuid?.() === 0);
  assert.deepEqual(readdirSync(folder).toSorted(), ['elsewhere', ...stays.map((name) => `hermes-process-${name}`), 'other']);
  assert.ok(existsSync(join(folder, 'elsewhere/log')));
});

test('the first process in the background sweeps, and signs its own folder', () => {
  const above = join(folder, 'tmp');
  mkdirSync(above);
  const src = join(import.meta.dirname, '../../../src/parts/terminals');
  const old = left('tmp/hermes-process-old', 8, { started: 'another time' });
  const program = `
import { readFileSync } from 'node:fs';
import { localTerminal } from ${JSON.stringify(`${src}/local.ts`)};
const terminal = await localTerminal.open({ cwd: '/', env: { PATH: process.env.PATH } });
const running = await terminal.start('true', { maxOutput: 100, outlive: true });
await new Promise((resolve) => setTimeout(resolve, 50));
console.log(running.pid, running.trace.log);
`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, TMPDIR: above },
    encoding: 'utf8',
  });
  const [pid, log = ''] = stdout.trim().split(' ');
  assert.equal(existsSync(old), false);
  const who: unknown = JSON.parse(readFileSync(join(log, '../who'), 'utf8'));
  assert.equal(Reflect.get(Object(who), 'pid'), Number(pid));
});
