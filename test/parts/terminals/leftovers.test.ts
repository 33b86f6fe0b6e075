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
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { identifyOwnProcess, type ProcessIdentity } from '../../../src/base/process-identity.ts';
import { sweepProcesses } from '../../../src/parts/terminals/local/leftovers.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-leftovers-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 86_400_000;
const NOW = Date.now();

function left(name: string, days: number, who?: Partial<ProcessIdentity> | string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const file of ['log', 'exit']) writeFileSync(join(path, file), '0\n');
  if (who !== undefined)
    writeFileSync(join(path, 'who'), typeof who === 'string' ? who : JSON.stringify({ ...identifyOwnProcess(), ...who }));
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
  sweepProcesses(folder, undefined, NOW);
  const stays = ['alive', 'beside', 'foreign', 'link', 'talks', 'young'].filter((name) => name !== 'foreign' || process.getuid?.() === 0);
  assert.deepEqual(readdirSync(folder).toSorted(), ['elsewhere', ...stays.map((name) => `hermes-process-${name}`), 'other']);
  assert.ok(existsSync(join(folder, 'elsewhere/log')));
});

const hiding = () => ({ push: (piece: string) => piece.replaceAll('s3cret', '***'), end: () => '' });
const said = (path: string): string => readFileSync(join(path, 'log'), 'utf8');

test('what ended while nobody was there keeps its words, but no secret in them; what runs is left alone', () => {
  const above = join(folder, 'raw');
  const [over, alive, fresh] = [
    left('raw/hermes-process-over', 1, { started: 'another time' }),
    left('raw/hermes-process-alive', 1, {}),
    left('raw/hermes-process-fresh', 0, { started: 'another time' }),
  ];
  for (const path of [over, alive, fresh]) writeFileSync(join(path, 'log'), 'it is s3cret\n');
  for (const path of [over, alive]) utimesSync(join(path, 'log'), (NOW - DAY) / 1_000, (NOW - DAY) / 1_000);
  sweepProcesses(above, hiding, NOW);
  assert.deepEqual([over, alive, fresh].map(said), ['it is ***\n', 'it is s3cret\n', 'it is s3cret\n']);
  assert.equal(statSync(join(over, 'log')).mode & 0o777, 0o600);
});

/** An agent whose process says a secret; it leaves in different ways. */
const AGENT = `
import { localTerminal } from ${JSON.stringify(join(import.meta.dirname, '../../../src/parts/terminals/local/local.ts'))};
const [logs, how] = process.argv.slice(1);
const clean = () => ({ push: (piece) => piece.replaceAll('s3cret', '***'), end: () => '' });
const terminal = await localTerminal.open({ cwd: '/', env: { PATH: process.env.PATH }, logs });
const running = await terminal.start('echo it is s3cret; exit 3', { maxOutput: 100, outlive: true, clean });
console.log(running.pid, running.trace.log);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
if (how === 'is busy to its own end') for (const until = Date.now() + 800; Date.now() < until;);
else while (running.status().state === 'running') await pause(5);
if (how === 'leaves at once') process.exit(0);
if (how === 'stays') { await pause(900); process.kill(process.pid, 'SIGKILL'); }
`;
for (const how of ['stays', 'leaves at once', 'goes by itself', 'is busy to its own end']) {
  test(`the log lies in the folder that was named, for its owner alone, and holds no secret once its end is known: the agent ${how}`, () => {
    const [logs, tmp] = [join(folder, `logs ${how}`), join(folder, `tmp ${how}`)];
    mkdirSync(tmp);
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', AGENT, logs, how], {
      env: { ...process.env, TMPDIR: tmp },
      encoding: 'utf8',
    });
    const [, pid = '', log = ''] = /^(\d+) (.*)\n$/.exec(stdout) ?? [];
    assert.equal(join(log, '../..'), logs);
    assert.deepEqual(
      [logs, join(log, '..'), log].map((path) => statSync(path).mode & 0o777),
      [0o700, 0o700, 0o600],
    );
    assert.equal(said(join(log, '..')), 'it is ***\n');
    assert.equal(readFileSync(join(log, '../exit'), 'utf8'), '3\n');
    const who: unknown = JSON.parse(readFileSync(join(log, '../who'), 'utf8'));
    assert.equal(Reflect.get(Object(who), 'pid'), Number(pid));
    assert.deepEqual(readdirSync(tmp), []);
  });
}
