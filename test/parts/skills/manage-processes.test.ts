import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJson } from '../../../src/base/json.ts';
import { manageSkill } from '../../../src/parts/skills/manage/manage.ts';
import { program } from '../../program.ts';
import { contextWith, page, put, world } from './tools-setup.ts';

const CHILD = program(join(import.meta.dirname, 'manage-child.ts'));

interface Started {
  readonly child: ChildProcess;
  readonly lines: () => string[];
  readonly closed: Promise<unknown>;
}

function start(userDir: string, mode: string, id: string, count: number, ...more: readonly string[]): Started {
  const child = spawn(process.execPath, [CHILD, userDir, mode, id, String(count), ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, lines: () => output.split('\n').slice(0, -1), closed: once(child, 'close') };
}

/** Kills it at a moment nobody chose, once it is at work. */
async function killAtWork({ child, lines, closed }: Started): Promise<void> {
  while (lines().length < 3) await once(child.stdout ?? child, 'data');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
  child.kill('SIGKILL');
  await closed;
}

const ROUNDS = 15;
const long = (word: string): string => `${`${word} `.repeat(2_000)}\n`.repeat(6);
const WHOLE = ['even', 'odd'].map(long);

test('a kill in the middle of a write leaves the old or the new, and the next change goes on', async (t) => {
  const home = world();
  const author = { sessionId: 'p', turnId: 't', foreign: [], signal: new AbortController().signal, approve: contextWith().context.approve };
  await manageSkill(home, { action: 'create', name: 'kept', content: page('kept', WHOLE[0]) }, author);
  const folder = join(home.userDir, 'general/kept');
  let changes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = start(home.userDir, 'churn', String(round), 10_000);
    await killAtWork(started);
    const lines = started.lines;
    changes += lines().length;
    assert.deepEqual(
      lines().filter((line) => !line.startsWith('done')),
      [],
      'nobody had to be asked',
    );
    assert.ok(
      WHOLE.some((text) => readFileSync(join(folder, 'SKILL.md'), 'utf8') === page('kept', text)),
      'SKILL.md is whole',
    );
    const linked = join(folder, 'references/a.md');
    assert.ok(!existsSync(linked) || WHOLE.includes(readFileSync(linked, 'utf8')), 'the linked file is whole');
    const brief = join(home.userDir, 'dev/brief');
    assert.ok(
      !existsSync(brief) || WHOLE.some((text) => readFileSync(join(brief, 'SKILL.md'), 'utf8') === page('brief', text)),
      'no half skill',
    );
    assert.notEqual(parseJson(readFileSync(join(home.userDir, '.made-by-agent.json'), 'utf8')), undefined, 'the ledger is whole');
    assert.deepEqual((await home.catalog.all()).problems, []);
    await manageSkill(home, { action: 'edit', name: 'kept', content: page('kept', WHOLE[0]) }, author);
    if (existsSync(brief)) await manageSkill(home, { action: 'delete', name: 'brief' }, author);
  }
  t.diagnostic(`${changes} changes, ${ROUNDS} kills`);
  assert.deepEqual(
    readdirSync(home.userDir).filter((name) => name.startsWith('.new-')),
    [],
    'nothing half built is left',
  );
  assert.deepEqual(readdirSync(folder, { recursive: true }).map(String).toSorted(), ['SKILL.md', 'references', join('references', 'a.md')]);
});

test('a copy of a bundled skill is there whole or not at all, while it is made and after a kill', async () => {
  const home = world();
  const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`ops/shipped/references/${index}.md`, `${index}`]));
  put(home.bundledDir, { ...files, 'ops/shipped/SKILL.md': page('shipped', 'as it came') });
  const copy = join(home.userDir, 'ops/shipped');
  const seen = new Set<number>();
  for (let round = 0; round < 3; round++) {
    const started = start(home.userDir, 'copy', String(round), 10_000, home.bundledDir);
    for (; started.lines().length < 8; await new Promise((resolve) => setImmediate(resolve))) seen.add(filesIn(join(copy, 'references')));
    await killAtWork(started);
    seen.add(filesIn(join(copy, 'references')));
    rmSync(copy, { recursive: true, force: true });
  }
  assert.deepEqual(
    [...seen].filter((count) => count !== 0 && count !== 150),
    [],
  );
  assert.equal(readFileSync(join(home.bundledDir, 'ops/shipped/SKILL.md'), 'utf8'), page('shipped', 'as it came'));
});

/** A folder that was opened is listed as it is, even when it is moved meanwhile. */
function filesIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

test('several processes lose no change and make no name twice', async () => {
  const home = world();
  const author = { sessionId: 'p', turnId: 't', foreign: [], signal: new AbortController().signal, approve: contextWith().context.approve };
  await manageSkill(home, { action: 'create', name: 'shared', content: page('shared', 'END') }, author);
  const [processes, count] = [4, 5];
  const all = Array.from({ length: processes }, (_, id) => start(home.userDir, 'crowd', String(id), count));
  await Promise.all(all.map(({ closed }) => closed));
  const told = all.flatMap(({ lines }) => lines());
  const wanted = told.filter((line) => line.startsWith('done create wanted-'));
  assert.equal(wanted.length, count, 'each wanted name went to one of them');
  assert.deepEqual(
    told.filter((line) => !line.startsWith('done') && !/^refused create wanted-\d+: The name .* is taken/.test(line)),
    [],
  );
  const { skills, problems } = await home.catalog.all();
  assert.deepEqual(problems, []);
  assert.equal(skills.length, 1 + processes * count + count);
  const lines = readFileSync(join(home.userDir, 'general/shared/SKILL.md'), 'utf8').split('\n');
  for (let id = 0; id < processes; id++)
    for (let index = 0; index < count; index++) assert.ok(lines.includes(`${id}:${index}`), `${id}:${index}`);
});
