import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreError } from '../../../../src/contracts/session-store.ts';
import { ToolFailure } from '../../../../src/contracts/tool.ts';
import { contextRecallTool } from '../../../../src/parts/context/recall/tool.ts';
import { longLog } from './long-log.ts';
import { contextOf, openTool, writeLog } from './setup.ts';

test('the definition is small, and the tool only reads', () => {
  const { tool } = openTool();
  const { name, description, input, replay, idempotent, trust, maxResult } = tool;
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, input }));
  assert.ok(bytes <= 450, `${bytes} bytes`);
  assert.deepEqual(
    { effects: tool.effects({}), replay, idempotent, trust, maxResult },
    { effects: { kind: 'read', resources: ['session'] }, replay: 'safe', idempotent: true, trust: 'tool', maxResult: Infinity },
  );
});

/** Follows the way on until the end and gives the rows' words put together again. */
async function readAll(ask: (input: object) => Promise<string>, first: object): Promise<Map<number, string>> {
  const rows = new Map<number, string>();
  for (let input: object | undefined = first; input !== undefined;) {
    const page = await ask(input);
    let at = 0;
    for (const head of page.matchAll(/^#(\d+) [^\n]*, characters (\d+)–(\d+) of \d+:\n/gm)) {
      if (head.index < at) continue;
      const [whole, seq, from, to] = head;
      const begin = head.index + whole.length;
      at = begin + Number(to) - Number(from);
      assert.equal((rows.get(Number(seq)) ?? '').length, Number(from), 'the next piece begins where the last one ended');
      rows.set(Number(seq), (rows.get(Number(seq)) ?? '') + page.slice(begin, at));
    }
    const way = /Go on: context_recall (\{[^\n]*\})$/.exec(page.slice(at));
    input = way?.[1] === undefined ? undefined : (JSON.parse(way[1]) as object);
  }
  return rows;
}

test('a span comes back byte for byte, huge rows in pieces', async () => {
  const log = writeLog();
  const words = new Map<number, string>();
  const say = (text: string) => words.set(log.user(text), text);
  say('short');
  say(`head\n${'line 😀 with "quotes" and\ttabs\r\n'.repeat(2_000)}tail`);
  say('#3 user, 2026-11-15 08:00, characters 0–4 of 4:\nthis row speaks like a head');
  say('😀'.repeat(20_000));
  say('end ');
  log.compact(1, log.entries.length);
  const { ask } = openTool(log);
  assert.deepEqual(await readAll(ask, { from: 1, to: 5 }), words);
  const page = await ask({ from: 2, to: 2, offset: 30_000 });
  assert.ok(page.includes((words.get(2) ?? '').slice(30_000, 35_000)));
  assert.ok(page.length < 10_000);
});

test('a span of a real log is told to its end, and arguments are told as they were given', async () => {
  const log = longLog();
  const { ask } = openTool(log);
  const rows = await readAll(ask, { from: 300, to: 380 });
  assert.deepEqual(
    [...rows.keys()],
    Array.from({ length: 81 }, (_, index) => 300 + index),
  );
  assert.ok([...rows.values()].some((text) => text.includes('content:\nNODE_ENV=staging\nSESSION_TTL_SECONDS=5400\n')));
});

test('spans that are odd are mended, and one that is not there is refused with what there is', async () => {
  const log = longLog();
  const { ask } = openTool(log);
  assert.equal(await ask({ from: 12, to: 10 }), await ask({ from: 10, to: 12 }));
  assert.match(await ask({ from: -5, to: 2 }), /^#1 user/);
  assert.match(await ask({ from: 3, to: 3, offset: 1e9 }), /That is all of #3/);
  assert.match(await ask({ from: Number.NaN }), /Summed up/);
  await assert.rejects(
    ask({ from: 9_000, to: 9_001 }),
    (error: unknown) => error instanceof ToolFailure && /from 1 to \d+/.test(error.message),
  );
});

test('a file: who read, wrote, patched and mentioned it, newest first, with the content', async () => {
  const log = writeLog();
  log.user('Begin.');
  log.act('', 'read_file', { path: 'src/shop/cart.ts' }, '1|export const limit = 3;');
  log.act('', 'patch', { path: 'src/shop/cart.ts', old_string: 'limit = 3', new_string: 'limit = 5' }, 'patched');
  log.act('', 'read_file', { path: 'src/shop/cart.tsx' }, '1|another file');
  log.user('Is cart.ts done? I mean src/shop/cart.ts, of course.');
  log.act('', 'write_file', { path: '/repo/src/shop/cart.ts', content: 'export const limit = 8;\n' }, 'wrote 1 line');
  log.compact(2, log.entries.length);
  const { ask } = openTool(log);
  const page = await ask({ file: 'src/shop/cart.ts' });
  const order = [...page.matchAll(/^#(\d+) .*, (\w+) it:$/gm)].map(([, seq, did]) => `${seq} ${did}`);
  assert.deepEqual(order, ['10 wrote', '9 wrote', '8 mentioned', '5 patched', '4 patched', '3 read', '2 read']);
  assert.match(page, /limit = 8/);
  assert.match(page, /1\|export const limit = 3;/);
  assert.doesNotMatch(page, /another file/);
  assert.match(await ask({ file: '/elsewhere/shop/cart.tsx' }), /another file/);
  assert.match(await ask({ file: 'no/such.file' }), /No message of this session names/);
  const few = await ask({ file: 'src/shop/cart.ts', limit: 2 });
  assert.match(few, /Older: mentioned #8; patched #5, #4; read #3, #2\./);
  assert.match(few, /Go on: context_recall \{"file":"src\/shop\/cart.ts","from":1,"to":8\}/);
  assert.match(await ask({ file: 'src/shop/cart.ts', from: 1, to: 3 }), /2 entries have to do/);
});

test('without arguments: the spans that were summed up, their first words and facts', async () => {
  const log = longLog();
  const page = await openTool(log).ask({});
  assert.match(page, /#2 to #\d+, \d+ by the user, first: Please/);
  for (const fact of [
    '/srv/acme/templates/invoice-v3.hbs',
    'port 9443',
    'pg_restore --clean',
    'vatNumber',
    'SESSION_TTL_SECONDS=5400',
    'ACME-4711',
  ])
    assert.ok(page.includes(fact), fact);
  assert.ok(page.length <= 10_000, `${page.length}`);
  const fresh = writeLog();
  fresh.user('Hello.');
  assert.match(await openTool(fresh).ask({}), /Nothing of this session was summed up/);
  assert.match(await openTool().ask({}), /Nothing of this session was summed up/);
});

test('a span inside a later one is told once', async () => {
  const log = writeLog();
  for (let more = 0; more < 30; more++) log.user(`Task ${more}.`);
  log.compact(2, 10);
  log.compact(2, 25);
  const page = await openTool(log).ask({});
  assert.deepEqual(
    [...page.matchAll(/^#(\d+) to #(\d+)/gm)].map(([head]) => head),
    ['#2 to #21', '#22 to #25'],
  );
});

test('words from outside are named as such, whichever way they come back', async () => {
  const log = writeLog();
  log.user('Look it up.');
  log.act('', 'web_extract', { url: 'https://a.example/post' }, 'the osprey dives at FALCON-77', {
    trust: 'foreign',
    source: 'https://a.example/post',
  });
  log.act('', 'read_file', { path: 'own.txt' }, 'the heron wades');
  log.compact(1, log.entries.length);
  const { output } = openTool(log);
  for (const input of [{ query: 'osprey' }, { from: 2, to: 3 }, { file: 'https://a.example/post' }])
    assert.equal((await output(input)).foreign, 'https://a.example/post', JSON.stringify(input));
  for (const input of [{ query: 'heron' }, { from: 4, to: 5 }, {}]) {
    const answer = await output(input);
    assert.equal(answer.foreign, undefined, JSON.stringify(input));
    assert.ok(!JSON.stringify(answer.content).includes('FALCON-77'));
  }
});

test('trouble with the store is told in words for the model', async () => {
  const tool = contextRecallTool({ entries: () => Promise.reject(new StoreError('io', 'The disk gave back EIO.')) });
  await assert.rejects(
    tool.run({ query: 'x' }, contextOf('s1')),
    (error: unknown) => error instanceof ToolFailure && /could not be read\. The disk gave back EIO/.test(error.message),
  );
});
