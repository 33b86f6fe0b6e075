import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPath } from '../../../src/base/json.ts';
import { isAlive } from '../../../src/base/process-identity.ts';
import { hears, readHooks, type Hook } from '../../../src/parts/hooks/hook-folder.ts';
import { openHooks } from '../../../src/parts/hooks/hooks.ts';
import { runHandler } from '../../../src/parts/hooks/run-handler.ts';
import { revokeHook, trustHook, type TrustStore } from '../../../src/parts/hooks/entries/trust.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-hooks-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A home with one hook, and what was trusted there. */
function place(handler: string, text: string) {
  const root = mkdtempSync(join(folder, 'home-'));
  const path = join(root, 'hooks', 'note');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'HOOK.yaml'), 'name: note\ndescription: keeps notes\nevents: [gateway:startup]\n');
  writeFileSync(join(path, handler), text);
  const facts = new Map<string, string>();
  const store: TrustStore = {
    fact: async (key) => facts.get(key),
    learn: async (key, value) => (value === undefined ? facts.delete(key) : facts.set(key, value), true),
  };
  const hook = (): Hook => {
    const [reading] = readHooks(join(root, 'hooks'));
    return reading?.ok === true ? reading.hook : assert.fail(reading?.why);
  };
  const marks = (): string => (existsSync(join(root, 'marks')) ? readFileSync(join(root, 'marks'), 'utf8') : '');
  return { root, path, store, hook, marks };
}

test('a hook runs only as it was trusted: one that changed says so once, and runs once it is trusted again', async () => {
  const { root, path, store, hook, marks } = place('handler.sh', 'printf 1 >> "$HERMES_HOME/marks"\n');
  const log: string[] = [];
  await using hooks = openHooks({ root, store, log: (words) => log.push(words) });
  const start = async (): Promise<string> => {
    hooks.emit('gateway:startup', { platforms: [] });
    await hooks.idle();
    return marks();
  };
  assert.equal(await start(), '');
  await trustHook(hook(), store);
  assert.equal(await start(), '1');
  writeFileSync(join(path, 'more.txt'), 'any file of the folder counts');
  assert.equal(await start(), '1');
  assert.equal(await start(), '1');
  await trustHook(hook(), store);
  assert.equal(await start(), '11');
  await revokeHook('note', store);
  assert.equal(await start(), '11');
  const mend = `. Read ${path}, then type: hermes hooks trust note`;
  assert.deepEqual(
    log.map((line) => line.replace(/\(now \w+\)/, '(now HASH)')),
    [
      `hook note does not run: you have not trusted it yet${mend}`,
      `hook note does not run: its files changed since you trusted it (now HASH)${mend}`,
    ],
  );
});

test('a handler that takes too long is ended with all it started, and told', async () => {
  const { root, hook, marks } = place('handler.sh', 'sleep 3600 & echo $! > "$HERMES_HOME/marks"\necho begun\nwait\n');
  const run = await runHandler(hook(), 'gateway:startup', {}, { root, timeoutMs: 300 });
  assert.deepEqual(run, { ok: false, why: 'it took longer than 0.3 s and was ended', output: 'begun' });
  // What it started dies with it, a moment later.
  while (isAlive({ pid: Number(marks()), started: '' })) await sleep(5);
});

test('what a handler prints is bounded', async () => {
  const { root, hook } = place('handler.js', `process.stdout.write('x'.repeat(1_000_000));\n`);
  const { ok, output } = await runHandler(hook(), 'gateway:startup', {}, { root });
  assert.deepEqual([ok, output.length], [true, 16_000]);
});

test('links are refused: what they lead to could change unseen', () => {
  const { root, path } = place('handler.sh', 'true\n');
  symlinkSync('/etc/hostname', join(path, 'elsewhere'));
  assert.deepEqual(readHooks(join(root, 'hooks')), [
    { ok: false, name: 'note', why: 'elsewhere is a link or no file. Replace it with a copy.' },
  ]);
});

test('wildcards stand for a kind of event, and a kind alone for nothing', () => {
  const rows = [
    [['agent:*'], 'agent:step', true],
    [['command:*'], 'command:new', true],
    [['agent:*'], 'session:end', false],
    [['agent'], 'agent:end', false],
    [['command:new'], 'command:newest', false],
  ] as const;
  for (const [events, event, heard] of rows) assert.equal(hears({ events }, event), heard, `${events.join()} ${event}`);
});

const python = spawnSync('python3', ['--version']).status === 0 ? {} : { skip: 'python3 is not installed' };
for (const [handler, text] of [
  ['handler.py', 'import helper\ndef handle(event, context):\n    helper.mark()\n'],
  ['handler.sh', 'python3 -c "import helper; helper.mark()"\n'],
] as const)
  test(`a compiled module that somebody put beside ${handler} is not run`, python, async () => {
    const { root, path, hook, marks } = place(handler, text);
    const mark = (word: string): string => `import os\ndef mark():\n    open(os.environ['HERMES_HOME'] + '/marks', 'a').write('${word}')\n`;
    writeFileSync(join(path, 'helper.py'), mark('planted'));
    // Taken without a look at the source.
    const compiled = spawnSync('python3', ['-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', path]);
    assert.equal(compiled.status, 0, compiled.stderr.toString());
    assert.ok(existsSync(join(path, '__pycache__')));
    writeFileSync(join(path, 'helper.py'), mark('trusted'));
    assert.deepEqual(await runHandler(hook(), 'gateway:startup', {}, { root }), { ok: true, output: '' });
    assert.equal(marks(), 'trusted');
  });

test('events that wait for a slow hook when it stops have their turn at the next start; a hook that had begun is not run again', async () => {
  const { root, store, hook, marks } = place('handler.sh', 'read line; echo "$line" >> "$HERMES_HOME/marks"; sleep 600\n');
  await trustHook(hook(), store);
  const log: string[] = [];
  const seen = (): readonly unknown[] =>
    marks()
      .split('\n')
      .filter(Boolean)
      .map((line) => readPath(JSON.parse(line), 'context', 'platforms', 0));
  for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await using hooks = openHooks({ root, store, log: (words) => log.push(words) });
    if (expected.length === 1) for (const name of ['a', 'b', 'c']) hooks.emit('gateway:startup', { platforms: [name] });
    while (seen().length < expected.length) await sleep(10);
    assert.deepEqual(seen(), expected);
  }
  await using last = openHooks({ root, store, log: (words) => log.push(words) });
  await last.idle();
  assert.deepEqual(seen(), ['a', 'b', 'c']);
  assert.equal(await store.fact('hook-events'), undefined);
});
