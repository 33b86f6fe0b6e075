import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { homeAt } from '../../src/base/home.ts';
import { visibleText, type JsonObject } from '../../src/contracts/message.ts';
import type { Toolkit } from '../../src/contracts/tool.ts';
import { loadConfig } from '../../src/app/config.ts';
import { openToolkit } from '../../src/app/toolkit.ts';
import { trashOf } from '../../src/app/undo-store.ts';
import { sandboxHere } from '../../src/parts/terminals/sandbox/probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-toolkit-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const home = homeAt({ HERMES_HOME: join(folder, 'home') });
const question = {
  flags: {},
  home,
  config: await loadConfig(home.config, {}),
  env: { PATH: process.env['PATH'] },
  cwd: folder,
  kept: undefined,
};

test('a small window bounds what tools give, a large one leaves it to the settings', async () => {
  writeFileSync(join(folder, 'long.txt'), `${'x'.repeat(99)}\n`.repeat(120));
  for (const [window, spills] of [
    [8_192, true],
    [200_000, false],
  ] as const) {
    const { toolkit, terminal } = await openToolkit({ ...question, window });
    await using _ = terminal;
    const call = async (name: string, input: JsonObject) => {
      const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
      assert.ok(resolved.ok);
      return visibleText(
        await toolkit.execute(resolved, {
          signal: new AbortController().signal,
          sessionId: `s${window}`,
          turnId: 't',
          taint: [],
          report: () => {},
        }),
      );
    };
    assert.equal((await call('terminal', { command: 'cat long.txt' })).includes(join(home.spill, `s${window}`, 'c.txt')), spills);
    assert.equal((await call('read_file', { path: 'long.txt' })).startsWith('Refused: these 120 lines'), spills);
  }
});

test('clarify is there exactly when the face can ask', async () => {
  for (const ports of [{}, { clarify: async () => 'yes' }]) {
    const { toolkit, terminal } = await openToolkit({ ...question, ports });
    await using _ = terminal;
    assert.equal(
      toolkit.definitions.some(({ name }) => name === 'clarify'),
      'clarify' in ports,
    );
  }
});

test('a tool that a resumed session was promised answers a call, also where it is not available', async () => {
  const asked = await openToolkit({ ...question, ports: { clarify: async () => 'yes' } });
  await using _asked = asked.terminal;
  const kept = { slots: [], tools: asked.toolkit.definitions, model: 'm', provider: 'p', toolsets: ['hermes-cli'] };
  const { toolkit, terminal } = await openToolkit({ ...question, kept });
  await using _ = terminal;
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'clarify', input: { question: 'which?' }, trust: 'model' });
  assert.ok(resolved.ok);
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
  assert.match(visibleText(await toolkit.execute(resolved, run)), /nobody can answer here/);
  assert.ok(!toolkit.definitions.some(({ name }) => name === 'clarify'));
});

async function answerOf(toolkit: Toolkit, name: string, input: JsonObject): Promise<string> {
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
  assert.ok(resolved.ok, resolved.ok ? '' : resolved.words);
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
  return visibleText(await toolkit.execute(resolved, run));
}

test('file tools may write no more than a command may: what runs by itself later needs consent, consents themselves nobody writes', async () => {
  const { toolkit, terminal } = await openToolkit(question);
  await using _ = terminal;
  const patch = (path: string) => ({ mode: 'patch', patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` });
  const rows: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['write_file', { path: 'plain.txt', content: 'x' }, /^Created/],
    ['write_file', { path: '.git/hooks/pre-commit', content: 'x' }, /^Not run: .*run or trusted later.*nobody is there/],
    ['patch', patch('.git/hooks/pre-commit'), /^Not run: .*run or trusted later/],
    ['write_file', { path: join(folder, '.git', 'config'), content: 'x' }, /^Not run/],
    ['write_file', { path: '/dev/sda', content: 'x' }, /^Not run, and nobody can allow it/],
    ['write_file', { path: join(home.root, 'approvals.json'), content: '[]' }, /^Refused: .*what the owner allowed/],
    ['patch', patch(join(home.root, 'allowed-files.json')), /Refused: .*what the owner allowed/],
  ];
  for (const [name, input, expected] of rows) assert.match(await answerOf(toolkit, name, input), expected, JSON.stringify(input));
  assert.equal(existsSync(join(folder, '.git')), false);
});

const sandbox = await sandboxHere();
test(
  'a patch in a sandbox deletes the sandbox’s file, never the owner’s of the same name',
  { skip: sandbox.ok ? false : sandbox.why },
  async () => {
    const work = join(folder, 'work');
    mkdirSync(work);
    const [outside, inside] = [join(tmpdir(), `hermes-outside-${process.pid}.txt`), join(work, 'mine.txt')];
    after(() => rmSync(outside, { force: true }));
    for (const path of [outside, inside]) writeFileSync(path, 'the owner’s\n');
    const { toolkit, terminal } = await openToolkit({ ...question, cwd: work, platform: 'telegram' });
    await using _ = terminal;
    assert.equal(terminal.kind, 'sandbox');
    await answerOf(toolkit, 'write_file', { path: outside, content: 'of the sandbox\n' });
    const gone = (path: string) => ({ mode: 'patch', patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` });
    for (const path of [outside, inside]) assert.match(await answerOf(toolkit, 'patch', gone(path)), /^Patched 1 file/);
    assert.equal(readFileSync(outside, 'utf8'), 'the owner’s\n');
    assert.equal(existsSync(inside), false);
    assert.deepEqual(
      trashOf(home, question.config.settings)
        .list()
        .map(({ path }) => path),
      [inside],
    );
  },
);
