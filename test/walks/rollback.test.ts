import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { hermes, jsonLines, tempHome, toServer, type Ran } from './hermes.ts';

interface Row {
  readonly number: number;
  readonly id: string;
  readonly tool: string;
  readonly what: string;
  readonly files: readonly { readonly path: string; readonly change: string }[];
}
const rowsOf = ({ out }: Ran): Row[] => JSON.parse(out);
const call = (name: string, input: Record<string, unknown>): Reply => ({ calls: [{ name, arguments: input }] });
interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
const messagesOf = (request: RecordedRequest | undefined): Body['messages'] =>
  request === undefined ? [] : (request.body as Body).messages;

function place() {
  const root = tempHome();
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'notes.txt'), 'my notes\n');
  writeFileSync(join(cwd, 'src', 'run.sh'), '#!/bin/sh\necho hi\n');
  chmodSync(join(cwd, 'src', 'run.sh'), 0o755);
  writeFileSync(join(cwd, 'old.txt'), 'to be patched away\n');
  const at = (name: string): string => join(cwd, name);
  return { home, cwd, at, text: (name: string): string => readFileSync(at(name), 'utf8') };
}

test('what an agent overwrote and deleted comes back, the model hears of it, and the rollback can be undone', async () => {
  const { home, cwd, at, text } = place();
  const replies: Reply[] = [
    call('write_file', { path: 'notes.txt', content: 'overwritten\n' }),
    call('terminal', { command: 'rm src/run.sh && echo made > made.txt' }),
    call('patch', { mode: 'patch', patch: '*** Begin Patch\n*** Delete File: old.txt\n*** End Patch' }),
    { text: 'Done.' },
    { text: 'I see.' },
  ];
  await using server = await startWireServer({ replies });
  const run = (...args: string[]) => hermes(args, { home, cwd });
  const first = await run('chat', '-q', 'tidy up', '--yolo', '--json', ...toServer(server.url));
  assert.equal(first.code, 0, first.err);
  assert.deepEqual(
    [text('notes.txt'), existsSync(at('src/run.sh')), existsSync(at('old.txt')), text('made.txt')],
    ['overwritten\n', false, false, 'made\n'],
  );

  const rows = rowsOf(await run('checkpoints', 'list', '--json'));
  assert.deepEqual(
    rows.map(({ number, tool, what, files }) => ({
      number,
      tool,
      what,
      files: files.map((file) => `${file.change} ${file.path.slice(cwd.length + 1)}`).toSorted(),
    })),
    [
      { number: 1, tool: 'patch', what: 'old.txt', files: ['deleted old.txt'] },
      { number: 2, tool: 'terminal', what: 'rm src/run.sh && echo made > made.txt', files: ['deleted src/run.sh', 'made made.txt'] },
      { number: 3, tool: 'write_file', what: 'notes.txt', files: ['changed notes.txt'] },
    ],
  );
  const trashed = JSON.parse((await run('trash', 'list', '--json')).out) as { path: string; by: string }[];
  assert.deepEqual(
    trashed.map(({ path, by }) => [path, by]).toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
    noSandbox === undefined
      ? [
          [at('old.txt'), 'patch'],
          [at('src/run.sh'), undefined],
        ]
      : [[at('old.txt'), 'patch']],
    'what a tool deleted, and in a sandbox what rm did',
  );

  const one = await run('chat', '--continue', '-q', '/rollback 1');
  assert.equal(one.code, 0, one.err);
  assert.match(one.out, /restored +.*old\.txt/);
  assert.equal(text('old.txt'), 'to be patched away\n');
  assert.equal(text('notes.txt'), 'overwritten\n');

  const shown = await run('chat', '--continue', '-q', '/rollback diff 4');
  assert.match(shown.out, /-overwritten\n\+my notes/);
  const all = await run('chat', '--continue', '-q', '/rollback 4');
  assert.equal(all.code, 0, all.err);
  assert.deepEqual(
    [text('notes.txt'), text('src/run.sh'), statSync(at('src/run.sh')).mode & 0o777],
    ['my notes\n', '#!/bin/sh\necho hi\n', 0o755],
  );
  assert.equal(existsSync(at('made.txt')), false);
  assert.equal(
    rowsOf({ ...(await run('trash', 'list', '--json')) }).length,
    noSandbox === undefined ? 3 : 2,
    'what was removed is in the trash',
  );

  const next = await run('chat', '--continue', '-q', 'what now?', ...toServer(server.url));
  assert.deepEqual([next.code, next.out], [0, 'I see.\n']);
  const sent = messagesOf(server.requests.at(-1));
  assert.deepEqual(
    sent.slice(-5).map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant', 'user'],
  );
  assert.match(
    JSON.stringify(sent.slice(-3)),
    /rolled back changes.*notes\.txt \(restored\).*made\.txt \(removed\)|made\.txt \(removed\).*notes\.txt \(restored\)/s,
  );
  const [session] = jsonLines(first.out);
  const replayed = await run('replay', String(session?.['id']));
  assert.equal(replayed.code, 0, replayed.out + replayed.err);

  const undone = await run('checkpoints', 'restore', '1');
  assert.equal(undone.code, 0, undone.err);
  assert.deepEqual([text('notes.txt'), existsSync(at('src/run.sh')), text('made.txt')], ['overwritten\n', false, 'made\n']);
});

test('what the owner changed since is left alone, unless everything is asked for; one file can be had alone', async () => {
  const { home, cwd, at, text } = place();
  const replies: Reply[] = [call('terminal', { command: 'sed -i s/my/your/ notes.txt && rm old.txt' }), { text: 'Done.' }];
  await using server = await startWireServer({ replies });
  const run = (...args: string[]) => hermes(args, { home, cwd });
  assert.equal((await run('chat', '-q', 'go', '--yolo', ...toServer(server.url))).code, 0);
  writeFileSync(at('notes.txt'), 'mine again\n');
  const file = await run('chat', '--continue', '-q', '/rollback 1 old.txt', '--json');
  assert.deepEqual(JSON.parse(file.out), [{ path: at('old.txt'), fate: 'restored' }]);
  const left = await run('checkpoints', 'restore', '2');
  assert.equal(left.code, 1);
  assert.match(left.out, /left alone +.*notes\.txt: it was changed after the agent last wrote it/);
  assert.equal(text('notes.txt'), 'mine again\n');
  const [, way = ''] = /To take it, too:\n {2}hermes (.*)/.exec(left.out) ?? [];
  assert.match(way, /^checkpoints restore c_\w{16} --all$/);
  const taken = await run(...way.split(' '));
  assert.equal(taken.code, 0, taken.err);
  assert.equal(text('notes.txt'), 'my notes\n');
  const [, undo = ''] = /To undo this:\n {2}hermes (.*)/.exec(taken.out) ?? [];
  assert.equal((await run(...undo.split(' '))).code, 0);
  assert.equal(text('notes.txt'), 'mine again\n');
  const inChat = await run('chat', '--continue', '-q', '/rollback 4 notes.txt');
  assert.match(inChat.out, /To take it, too:\n {2}\/rollback c_\w{16} notes\.txt --all\n$/);
});

test('the way on holds for what was asked: half of it taken back, the rest by the same checkpoint from anywhere', async () => {
  const { home, cwd, at, text } = place();
  const replies: Reply[] = [
    call('write_file', { path: 'notes.txt', content: 'one\n' }),
    call('write_file', { path: 'old.txt', content: 'two\n' }),
    { text: 'Done.' },
  ];
  await using server = await startWireServer({ replies });
  const run = (...args: string[]) => hermes(args, { home, cwd });
  assert.equal((await run('chat', '-q', 'go', '--yolo', ...toServer(server.url))).code, 0);
  writeFileSync(at('notes.txt'), 'mine again\n');
  const numbers = rowsOf(await run('checkpoints', 'list', '--json')).map(({ number }) => number);
  const half = await run('checkpoints', 'restore', String(numbers.length));
  assert.deepEqual([half.code, text('notes.txt'), text('old.txt')], [1, 'mine again\n', 'to be patched away\n']);
  const [, way = ''] = /To take it, too:\n {2}hermes (.*)/.exec(half.out) ?? [];
  const rest = await hermes(way.split(' '), { home, cwd: home });
  assert.equal(rest.code, 0, rest.err);
  assert.equal(text('notes.txt'), 'my notes\n');
});

test('an id from another folder rolls back that folder and no other', async () => {
  const { home, cwd, at, text } = place();
  const apart = join(cwd, '..', 'apart');
  mkdirSync(apart);
  const run = (folder: string, ...args: string[]) => hermes(args, { home, cwd: folder });
  for (const folder of [cwd, apart]) {
    await using server = await startWireServer({ replies: [call('write_file', { path: 'new.txt', content: 'x\n' }), { text: 'Done.' }] });
    assert.equal((await run(folder, 'chat', '-q', 'go', '--yolo', ...toServer(server.url))).code, 0);
  }
  const [row] = rowsOf(await run(cwd, 'checkpoints', 'list', '--json'));
  const back = await run(home, 'checkpoints', 'restore', row?.id ?? '');
  assert.equal(back.code, 0, back.err);
  assert.deepEqual([existsSync(at('new.txt')), existsSync(join(apart, 'new.txt'))], [false, true]);
  assert.equal(text('notes.txt'), 'my notes\n');
});

test('a file nobody touched, an empty name and an unknown flag are told, and nothing is done', async () => {
  const { home, cwd, text } = place();
  await using server = await startWireServer({ replies: [call('write_file', { path: 'notes.txt', content: 'one\n' }), { text: 'Done.' }] });
  const run = (...args: string[]) => hermes(args, { home, cwd });
  assert.equal((await run('chat', '-q', 'go', '--yolo', ...toServer(server.url))).code, 0);
  const [row] = rowsOf(await run('checkpoints', 'list', '--json'));
  const chat = (words: string) => ['chat', '--continue', '-q', words];
  const slips: readonly (readonly [readonly string[], RegExp])[] = [
    [['checkpoints', 'restore', '1', 'typo.txt'], /no checkpoint since 1 touched typo\.txt; hermes checkpoints show c_/],
    [['checkpoints', 'diff', '1', 'typo.txt', '--json'], /no checkpoint since 1 touched typo\.txt/],
    [['checkpoints', 'restore', '1', ''], /name of the file is empty/],
    [['checkpoints', 'restore', ''], /the id is empty/],
    [['checkpoints', 'restore', 'c_'], /is too short/],
    [['checkpoints', 'show', ''], /the id is empty/],
    [chat('/rollback 1 typo.txt'), /no checkpoint since 1 touched typo\.txt/],
    [chat('/rollback 1 --json'), /\/rollback does not know --json here/],
    [chat('/rollback c_ffffffff'), /there is no checkpoint with the id c_ffffffff/],
  ];
  for (const [args, told] of slips) {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.match(err, told);
  }
  assert.equal(text('notes.txt'), 'one\n');
  writeFileSync(join(cwd, 'notes.txt'), 'my notes\n');
  const same = await run('checkpoints', 'restore', row?.id ?? '', 'notes.txt');
  assert.deepEqual([same.code, same.out], [0, 'Nothing to do: the files are as they were then.\n']);
});

test('wishes that cannot be granted say what can be done', async () => {
  const { home, cwd } = place();
  const run = (...args: string[]) => hermes(args, { home, cwd });
  const none = await run('chat', '-q', '/rollback 1');
  assert.deepEqual([none.code, none.out], [2, '']);
  assert.match(none.err, /hermes checkpoints list/);
  const missing = await run('checkpoints', 'restore', '3');
  assert.equal(missing.code, 2);
  assert.match(missing.err, /there is none here/);
  assert.equal((await run('checkpoints', 'clear')).code, 2);
  assert.equal((await run('trash', 'empty')).code, 2);
  assert.equal((await run('trash', 'restore', 'd_0')).code, 2);
});
