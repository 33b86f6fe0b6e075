import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { runCommand } from '../../src/commands/run.ts';
import type { CommandContext, CommandValues } from '../../src/contracts/command.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { BackupService } from '../../src/contracts/services/backups.ts';
import type { ServiceOpeners } from '../../src/contracts/services/services.ts';
import type { CheckpointLine, RollbackRequest } from '../../src/contracts/services/undo.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-operations-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const registry = createBuiltinRegistry();
const context: CommandContext = {
  place: 'shell',
  cwd: folder,
  now: 0,
  signal: new AbortController().signal,
  commands: () => registry.at('shell'),
  report: () => {},
};
function run(name: string, values: CommandValues, services: Partial<ServiceOpeners>, more: Partial<CommandContext> = {}) {
  const command = registry.find(name);
  assert.ok(command !== undefined, name);
  return runCommand(command, values, { ...context, ...more }, { services, startedByAgent: () => false, isOn: async () => false });
}

async function storeWithFamily() {
  const store = await openSqliteStore({
    path: join(mkdtempSync(join(folder, 'store-')), 'state.db'),
    durability: 'process',
    notice: () => {},
  });
  const facts = { source: 'cli', cwd: folder, model: 'm', provider: 'p' };
  const grandparent = await store.create({ ...facts, title: 'first' });
  const parent = await store.create({ ...facts, parent: { sessionId: grandparent.id, kind: 'reset' } });
  const child = await store.create({ ...facts, title: 'third', parent: { sessionId: parent.id, kind: 'child' } });
  for (const { id } of [grandparent, parent, child]) {
    const claim = await store.claim(id);
    const message = { role: 'user' as const, content: [createTextBlock(`words of ${id}`, 'owner')] };
    await store.commit(claim, { append: [{ type: 'message', origin: 'user', message }] });
    await store.release(claim);
  }
  return { store, grandparent, parent, child, services: { store: async () => store } };
}

test('a session is shown with where it came from and what came from it', async () => {
  const { store, grandparent, parent, child, services } = await storeWithFamily();
  const shown = (await run('sessions show', { session: parent.id }, services)) as {
    readonly entries: readonly unknown[];
    readonly ancestors: readonly { readonly id: string }[];
    readonly children: readonly { readonly id: string }[];
  };
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  assert.deepEqual([shown.entries.length, ids(shown.ancestors), ids(shown.children)], [1, [grandparent.id], [child.id]]);
  await store[Symbol.asyncDispose]();
});

test('a session is named by id, beginning or title; what fits none or several is told', async () => {
  const { store, child, services } = await storeWithFamily();
  const shown = (await run('sessions show', { session: 'third' }, services)) as { readonly session: { readonly id: string } };
  assert.equal(shown.session.id, child.id);
  await assert.rejects(
    run('sessions show', { session: 'nope' }, services),
    new UsageError('there is no session nope; hermes sessions list shows them.'),
  );
  await assert.rejects(run('sessions show', { session: child.id.slice(0, 8) }, services), /could be .*, .*; name one of them\.$/);
  await store[Symbol.asyncDispose]();
});

test('a session is removed when somebody says so: by --yes, or when asked; else nothing is', async () => {
  const { store, parent, child, services } = await storeWithFamily();
  await assert.rejects(run('sessions delete', { session: 'third' }, services), /\(1 message\) for good; add --yes to do it\.$/);
  const asked: string[] = [];
  const confirm = (answer: boolean) => async (question: string) => (asked.push(question), answer);
  await assert.rejects(
    run('sessions delete', { session: 'third' }, services, { confirm: confirm(false) }),
    new UsageError('nothing was removed.'),
  );
  assert.deepEqual(asked, [`Remove session ${child.id} “third” (1 message) for good?`]);
  assert.equal((await store.find(child.id)).length, 1);
  await run('sessions delete', { session: 'third' }, services, { confirm: confirm(true) });
  await run('sessions delete', { session: parent.id, yes: true }, services, { confirm: () => assert.fail('was told') });
  assert.deepEqual([await store.find(child.id), await store.find(parent.id)], [[], []]);
  await store[Symbol.asyncDispose]();
});

test('an export goes to the file that is named, readable by its owner alone', async () => {
  const { store, child, services } = await storeWithFamily();
  const file = join(folder, 'talk.md');
  const result = (await run('sessions export', { session: child.id, file, format: 'md' }, services)) as { readonly text: string };
  assert.equal(readFileSync(file, 'utf8'), result.text);
  assert.match(result.text, /^# third\n\n\*.+\*\n\n## You\n\nwords of /);
  await assert.rejects(
    run('sessions export', { session: child.id, file: '/nowhere/x', format: 'md' }, services),
    /could not be written to \/nowhere\/x: .*Name another file\.$/,
  );
  await store[Symbol.asyncDispose]();
});

const line = (number: number, id: string): CheckpointLine => ({
  number,
  id,
  at: number,
  tool: 'patch',
  what: 'x',
  root: folder,
  sessionId: 's',
  turnId: 't',
  cutOff: false,
  files: [],
});

/** The files' side of a rollback, which has tests of its own; here only what is asked of it. */
function checkpointsAsked(lines: readonly CheckpointLine[], touched = true) {
  const asked: RollbackRequest[] = [];
  const told: (readonly [string, string])[] = [];
  const done = { path: join(folder, 'a.txt'), fate: 'restored' as const };
  const service = {
    list: () => lines,
    diff: async (request: RollbackRequest) => (asked.push(request), { rows: [], touched }),
    restore: async (request: RollbackRequest) => (
      asked.push(request),
      { ok: true as const, touched, files: touched ? [done] : [], sessions: ['other'], made: 'c_made' }
    ),
    tell: async (sessionId: string, words: string) => void told.push([sessionId, words]),
    prune: () => Promise.reject(new Error('not asked')),
    clear: () => Promise.reject(new Error('not asked')),
    status: () => assert.fail('not asked'),
  };
  return { asked, told, services: { checkpoints: async () => service } };
}

test('a rollback is asked for by the full id, tells every session it concerns, and says how to go on', async () => {
  const { asked, told, services } = checkpointsAsked([line(1, 'c_1111aaaa'), line(2, 'c_2222bbbb')]);
  const result = await run('checkpoints restore', { checkpoint: '2', file: 'a.txt', cwd: folder }, services);
  assert.deepEqual(
    asked.map(({ checkpoint, only }) => [checkpoint, only]),
    [['c_2222bbbb', join(folder, 'a.txt')]],
  );
  assert.deepEqual(result, {
    ok: true,
    files: [{ path: join(folder, 'a.txt'), fate: 'restored' }],
    next: {
      all: `hermes checkpoints restore c_2222bbbb a.txt --all --cwd ${folder}`,
      undo: `hermes checkpoints restore c_made --cwd ${folder}`,
    },
  });
  assert.deepEqual(
    told.map(([id]) => id),
    ['', 'other'],
  );
  assert.match(told[1]?.[1] ?? '', /^I rolled back changes you made to files\. .*\n- .*a\.txt \(restored\)\nRead them anew/s);
});

test('a file no checkpoint touched, and a checkpoint that is not there, are told', async () => {
  const untouched = checkpointsAsked([line(1, 'c_1111aaaa')], false);
  await assert.rejects(
    run('checkpoints diff', { checkpoint: '1', file: 'b.txt' }, untouched.services),
    /no checkpoint since 1 touched b\.txt; hermes checkpoints show c_1111aaaa names the files of that one\.$/,
  );
  assert.deepEqual(untouched.told, []);
  const none = checkpointsAsked([]);
  await assert.rejects(run('checkpoints show', { checkpoint: '3' }, none.services), /there is no checkpoint 3: there is none here/);
  await assert.rejects(run('checkpoints diff', { checkpoint: '1', file: '' }, untouched.services), /the name of the file is empty/);
});

test('the passphrase of a backup is asked for twice, and taken as it is when it is piped in', async () => {
  const asked: string[] = [];
  const given: (string | undefined)[] = [];
  const backups = async (): Promise<BackupService> => ({
    home: folder,
    backup: async (file, { passphrase }) => {
      given.push(passphrase);
      return { file, bytes: 1, files: 1, sessions: 0, encrypted: true, hasReadableKeys: false };
    },
    isEncrypted: async () => true,
    restore: () => assert.fail('nothing is restored here'),
  });
  const answers = ['hunter2', 'hunter3', 'hunter2', 'hunter2', 'piped'];
  const readSecret: NonNullable<CommandContext['readSecret']> = async ({ question }) => {
    asked.push(question);
    return answers.shift() ?? '';
  };
  await assert.rejects(run('backup', { encrypt: true }, { backups }, { readSecret }), /the two passphrases differ/);
  await run('backup', { encrypt: true }, { backups }, { readSecret });
  await run('backup', { encrypt: true }, { backups }, { readSecret, readPiped: () => '' });
  assert.deepEqual([given, asked.length], [['hunter2', 'piped'], 5]);
});
