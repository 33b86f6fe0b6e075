import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPath, readStringAt } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer, type Ran } from './hermes.ts';

const MB = 1024 * 1024;

/** The words of the last user message on the chat wire. */
function lastUser(request: RecordedRequest | undefined): string {
  const messages = readPath(request?.body, 'messages');
  const last = Array.isArray(messages) ? messages.findLast((message) => readStringAt(message, 'role') === 'user') : undefined;
  return readStringAt(last, 'content') ?? readStringAt(last, 'content', 0, 'text') ?? '';
}
const noStack = ({ err }: Ran) => assert.ok(!/^\s+at /m.test(err) && !err.includes('bug in hermes'), err);

test('a query file that is not UTF-8, with NUL bytes, is asked all the same, with marks where letters were lost', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const home = tempHome();
  writeFileSync(join(home, 'q'), Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9, 0x20, 0xff, 0xfe, 0x00]), Buffer.from('end')]));
  const ran = await hermes(['chat', '--query-file', 'q', ...toServer(server.url)], { home });
  assert.deepEqual([ran.code, ran.out], [0, 'ok\n'], ran.err);
  assert.equal(lastUser(server.requests[0]), 'caf\u{fffd} \u{fffd}\u{fffd}\u{fffd}end');
  const shown = await hermes(['sessions', 'list', '--json'], { home });
  assert.equal(shown.code, 0, shown.err);
});

test('a query of 10 MB is stored and sent whole', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'long' }) });
  const home = tempHome();
  const words = `${'abcdefghi '.repeat(MB)}last`;
  writeFileSync(join(home, 'q'), words);
  const ran = await hermes(['chat', '--query-file', 'q', ...toServer(server.url)], { home });
  noStack(ran);
  assert.deepEqual([ran.code, ran.out], [0, 'long\n'], ran.err);
  assert.equal(lastUser(server.requests[0]), words);
});

test('the message from stdin, with lone surrogates in JSON escapes of a tool call, keeps every request valid', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'fine \ud83d' }) });
  const command = 'printf "a\\0b\\377\\355\\240\\275c"';
  server.script(
    { calls: [{ name: 'terminal', arguments: `{"command": ${JSON.stringify(command)}, "workdir": "/\\ud83d"}` }] },
    { calls: [{ name: 'terminal', arguments: { command } }] },
  );
  const home = tempHome();
  const ran = await hermes(['chat', '-q', '-', '--json', ...toServer(server.url)], { home, stdin: 'a\u0000b \u{1f600}' });
  noStack(ran);
  assert.equal(ran.code, 0, ran.err);
  const next = await hermes(['chat', '-q', 'more', '--continue', ...toServer(server.url)], { home });
  assert.deepEqual([next.code, next.out], [0, 'fine \u{fffd}\n'], next.err);
  assert.equal(lastUser(server.requests[0]), 'a\u{fffd}b \u{1f600}');
  for (const { text } of server.requests) {
    assert.ok(text.isWellFormed() && !/\\ud83d(?!\\ude)/i.test(text), 'no half of a character on the wire');
    assert.ok(!text.includes('\\u0000'), 'no NUL on the wire');
  }
  assert.equal(String(jsonLines(ran.out).at(-1)?.['text']).toWellFormed(), 'fine \u{fffd}');
});

const EMPTY: readonly (readonly [name: string, args: readonly string[], stdin?: string])[] = [
  ['an empty query', ['-q', '']],
  ['a query of spaces', ['-q', ' \n\t']],
  ['empty stdin', ['-q', '-'], ''],
];
for (const [name, args, stdin = ''] of EMPTY) {
  test(`${name} is refused with exit code 2 and makes no session`, async () => {
    const home = tempHome();
    const { code, out, err } = await hermes(['chat', ...args, '--base-url', 'http://127.0.0.1:9', '-m', 'm'], { home, stdin });
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /empty/);
    assert.equal((await hermes(['sessions', 'list', '--json'], { home })).out, '[]\n');
  });
}

test('a query file, a working directory or a session that is not there is named, exit code 2', async () => {
  const home = tempHome();
  const rows: readonly (readonly [args: readonly string[], words: RegExp])[] = [
    [['--query-file', 'nowhere.txt'], /nowhere\.txt.*no such file/i],
    [['-q', 'hi', '--resume', 'nowhere'], /no session nowhere.*sessions list/],
    [['-q', 'hi', '--continue'], /no earlier session in .*leave out --continue/],
    [['--continue'], /no earlier session/],
    [['-q', 'hi', '--cwd', '/no/such/folder'], /\/no\/such\/folder/],
  ];
  for (const [args, words] of rows) {
    const ran = await hermes(['chat', ...args, '--base-url', 'http://127.0.0.1:9', '-m', 'm'], { home });
    assert.deepEqual([ran.code, ran.out], [2, ''], `${args.join(' ')}: ${ran.err}`);
    assert.match(ran.err, words);
    noStack(ran);
  }
});

test('an ambiguous beginning names the candidates; --continue takes the newest of the folder', async () => {
  await using server = await startWireServer({ answer: ({ index }) => ({ text: `answer ${index}` }) });
  const home = tempHome();
  for (const query of ['one', 'two']) await hermes(['chat', '-q', query, ...toServer(server.url)], { home });
  const rows = JSON.parse((await hermes(['sessions', 'list', '--json'], { home })).out) as {
    readonly id: string;
    readonly title: string;
  }[];
  const ran = await hermes(['chat', '-q', 'more', '--resume', '20', ...toServer(server.url)], { home });
  assert.equal(ran.code, 2);
  for (const { id } of rows) assert.ok(ran.err.includes(id), ran.err);
  const went = await hermes(['chat', '-q', 'three', '--continue', ...toServer(server.url)], { home });
  assert.deepEqual([went.code, went.out], [0, 'answer 2\n'], went.err);
  assert.ok(server.requests[2]?.text.includes('two') && !server.requests[2].text.includes('"one"'), 'the newest session went on');
});

test('a variable that names a setting is checked like the file', async () => {
  const ran = await hermes(['chat', '-q', 'hi'], { home: tempHome(), env: { HERMES_STREAM_STALE_TIMEOUT: 'soon' } });
  assert.deepEqual([ran.code, ran.out], [2, '']);
  assert.match(ran.err, /HERMES_STREAM_STALE_TIMEOUT: .*must be a number, not "soon"/);
});
