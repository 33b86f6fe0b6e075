import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderAnchorLines } from '../../../../src/parts/context/recall/anchor-lines.ts';
import { findAnchors, collectAnchors } from '../../../../src/parts/context/recall/anchors.ts';
import { estimateTextTokens } from '../../../../src/parts/context/view/tokens.ts';
import { longLog } from './long-log.ts';
import { writeLog } from './setup.ts';

const of = (words: string): string[] => {
  const log = writeLog();
  log.user(words);
  return findAnchors(log.entries).map(({ kind, text }) => `${kind} ${text}`);
};

const TABLE: readonly (readonly [words: string, ...facts: readonly string[]])[] = [
  ['see src/parts/a-b.ts, please', 'path src/parts/a-b.ts'],
  ['in /etc/nginx/conf.d/site.conf.', 'path /etc/nginx/conf.d/site.conf'],
  ['in ~/notes/todo.md and ./run.sh', 'path ~/notes/todo.md', 'path ./run.sh'],
  ['rename package.json', 'path package.json'],
  ['open C:\\work\\app\\main.py', 'path C:\\work\\app\\main.py'],
  ['go to https://a.example/x?y=1#z.', 'url https://a.example/x?y=1#z'],
  ['db is postgres://db.local:5433/shop', 'url postgres://db.local:5433/shop'],
  ['$ make install PREFIX=/opt', 'command make install PREFIX=/opt'],
  ['run `git push --force-with-lease` then', 'command git push --force-with-lease'],
  ['at 7f3c9be4 now', 'sha 7f3c9be4'],
  ['id 123e4567-e89b-12d3-a456-426614174000', 'uuid 123e4567-e89b-12d3-a456-426614174000'],
  ['closes SHOP-981 and (#4512)', 'ticket SHOP-981', 'ticket #4512'],
  ['listens on port 8080 and redis:6380', 'port port 8080', 'port redis:6380'],
  ['on 10.0.3.17:8443', 'ip 10.0.3.17:8443'],
  ['needs v2.14.0-rc.1 or react@19.0.1', 'version v2.14.0-rc.1', 'version 19.0.1'],
  ['set MAX_RETRY_COUNT=7', 'env MAX_RETRY_COUNT=7'],
  ['the label says "Buy now, pay later"', 'quoted Buy now, pay later'],
  ['timeout: 30 and debug = true', 'setting timeout: 30', 'setting debug = true'],
  ['  ValueError: bad literal for int()', 'error ValueError: bad literal for int()'],
  ['npm ERR! code ENOENT', 'error npm ERR! code ENOENT'],
  ['process exited with code 137', 'exit exited with code 137'],
  ['not ok 12 - cart adds twice', 'test cart adds twice'],
  ['took 412 ms and 1,250 rows, $19.99', 'number 412 ms', 'number 1,250 rows', 'number $19.99'],
];
for (const [words, ...facts] of TABLE)
  test(`facts of: ${words}`, () => {
    const found = of(words);
    assert.deepEqual(
      facts.filter((fact) => !found.includes(fact)),
      [],
      `found ${JSON.stringify(found)}`,
    );
  });

const ONCE: readonly (readonly [words: string, ...facts: readonly string[]])[] = [
  ['path: src/cart-2.ts', 'path src/cart-2.ts'],
  ['url: https://a.example/x1', 'url https://a.example/x1'],
  ['commit: 7f3c9be4', 'sha 7f3c9be4'],
  ['port: 8080', 'port port: 8080'],
  ['MAX_RETRY_COUNT=7', 'env MAX_RETRY_COUNT=7'],
  ['see `src/cart.ts`', 'path src/cart.ts'],
  ['run `npm test -- cart`', 'command npm test -- cart'],
  ['listen = 10.0.3.17', 'ip 10.0.3.17', 'setting listen = 10.0.3.17'],
  ['timeout: 30', 'setting timeout: 30'],
  ['see http://localhost:9000/internal/v1/state', 'url http://localhost:9000/internal/v1/state'],
  ['run `curl -s http://a.example:9000/x/y`', 'command curl -s http://a.example:9000/x/y', 'url http://a.example:9000/x/y'],
  ['run `go vet ./tool/...`', 'command go vet ./tool/...', 'path ./tool/...'],
  ['  raise ValueError(key)'],
  ['if (!ok) throw new Error(key)'],
];
for (const [words, ...facts] of ONCE) test(`one fact, one anchor: ${words}`, () => assert.deepEqual(of(words).toSorted(), facts));

test('the arguments of a call are told once, and a fact keeps the kind that says most', () => {
  const log = writeLog();
  log.user('first "make deploy2 now" and then look');
  log.act('', 'read_file', { path: 'src/cart-2.ts' }, '{"path": "src/cart-2.ts"}');
  log.act('', 'terminal', { command: 'make deploy2 now' }, 'fine');
  log.act('', 'terminal', { command: 'python3 run.py' }, 'fine');
  assert.deepEqual(
    findAnchors(log.entries).map(({ kind, text, count }) => `${kind} ${text} ${count}`),
    ['command make deploy2 now 2', 'path src/cart-2.ts 2', 'command python3 run.py 1', 'path run.py 1'],
  );
});

test('prose gives no facts', () => {
  assert.deepEqual(of('Note: this and/or that is fine. See the UTF-8 text: it says so; either way, go on.'), []);
});

test('a fact knows its first and last entry and how many have it', () => {
  const log = writeLog();
  log.user('edit src/cart.ts, I mean src/cart.ts');
  log.act('', 'read_file', { path: 'src/cart.ts' }, 'nothing here');
  log.act('', 'terminal', { command: 'wc -l src/cart.ts\n  | sort' }, '12 src/cart.ts');
  assert.deepEqual(
    findAnchors(log.entries).filter(({ kind }) => kind === 'path' || kind === 'command'),
    [
      { kind: 'path', text: 'src/cart.ts', seq: 1, count: 4, last: 5 },
      { kind: 'command', text: 'wc -l src/cart.ts ⏎ | sort', seq: 4, count: 1, last: 4 },
    ],
  );
});

const HOSTILE: readonly (readonly [name: string, piece: string])[] = [
  ['letters', 'a'],
  ['slashes', '/a'],
  ['quotes', '"'],
  ['ticks and blanks', '` '],
  ['dots', '.'],
  ['underscores', 'A_'],
  ['Error', 'Error'],
  ['digits', '1'],
  ['colons', 'a:1'],
  ['equals', 'a='],
  ['capital E', 'E'],
  ['blanks', ' '],
  ['hex', 'deadbeef1'],
  ['dashes', 'a-'],
  ['line ends', '\n'],
  ['ports', 'port '],
  ['schemes', 'a+b.'],
  ['facts', 'foo/bar.ts:12 Error: x=1 "q" PORT_A=1 10.0.0.1 v1.2.3\n'],
];
test('a megabyte of anything is read in time that grows with its length, and hides nothing', (context) => {
  const took = (piece: string, size: number): number => {
    const log = writeLog();
    log.act('', 'terminal', { command: 'x' }, `${piece.repeat(Math.ceil(size / piece.length))}\nsee https://end.example/needle`);
    const begin = performance.now();
    const found = findAnchors(log.entries);
    const ms = performance.now() - begin;
    assert.ok(
      found.some(({ text }) => text === 'https://end.example/needle'),
      piece,
    );
    assert.ok(found.length <= 16 * 60);
    return ms;
  };
  for (const [name, piece] of HOSTILE) {
    took(piece, 1 << 16);
    const [small, large] = [took(piece, 1 << 18), took(piece, 1 << 20)];
    context.diagnostic(`${name}: 256 KB ${small.toFixed(0)} ms, 1 MB ${large.toFixed(0)} ms, ratio ${(large / small).toFixed(1)}`);
  }
});

test('the facts of a log are bounded, and those said or repeated outlast those that came once', () => {
  const log = writeLog();
  log.user('Keep src/keep/me.ts as it is.');
  for (let row = 0; row < 600; row++)
    log.act('', 'terminal', { command: 'ls' }, Array.from({ length: 40 }, (_, n) => `/data/${row}/file-${n}.bin`).join('\n'));
  const found = findAnchors(log.entries);
  assert.ok(found.length <= 8_000, `${found.length}`);
  assert.ok(found.some(({ text }) => text === 'src/keep/me.ts'));
  assert.ok(found.some(({ text, count }) => text === 'ls' && count === 600));
});

test('lines for a summary keep to their budget, hold several kinds and what people said', () => {
  const { entries } = longLog();
  for (const budget of [0, 20, 200, 1_000, 3_000]) {
    const lines = renderAnchorLines(entries, budget);
    assert.ok(lines.reduce((sum, line) => sum + estimateTextTokens(line) + 1, 0) <= budget, String(budget));
    assert.ok(lines.every((line) => !line.includes('\n')));
  }
  const lines = renderAnchorLines(entries, 1_500);
  const kinds = new Set(lines.map((line) => line.slice(0, line.indexOf(':'))));
  assert.ok(kinds.size >= 8, [...kinds].join(' '));
  for (const fact of [
    '/srv/acme/templates/invoice-v3.hbs',
    'port 9443',
    'ACME-4711',
    '40 MB',
    'SESSION_TTL_SECONDS=5400',
    'vatNumber',
    'https://figma.example.com',
  ])
    assert.ok(
      lines.some((line) => line.includes(fact)),
      fact,
    );
});

test('of a setting with many values the newest is told, and nothing that a longer fact holds', () => {
  const log = writeLog();
  log.user('retention = 36 for now, by `make keep N=36`');
  log.user('retention = 96 from today');
  const lines = renderAnchorLines(log.entries, 1_000);
  assert.ok(lines.some((line) => line.startsWith('setting: retention = 96')));
  assert.ok(!lines.some((line) => line.startsWith('setting: retention = 36') || line.startsWith('setting: N=36')));
});

test('what was pasted between fences is no speech: a fact of speech comes before it', () => {
  const log = writeLog();
  log.user('the host is 10.0.0.1\n```\n10.0.0.2 ok\n10.0.0.3 ok\n```\nand 10.0.0.4 too');
  const found = collectAnchors(log.entries).map(({ text, said }) => `${text} ${said}`);
  assert.deepEqual(found, ['10.0.0.1 3', '10.0.0.2 0', '10.0.0.3 0', '10.0.0.4 3']);
});
