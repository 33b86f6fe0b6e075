import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longLog } from './long-log.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { dice, openTool, writeLog } from './setup.ts';

const QUESTIONS: readonly (readonly [question: string, answer: string])[] = [
  ['Where are the invoice templates stored?', '/srv/acme/templates/invoice-v3.hbs'],
  ['Which port does the staging proxy listen on?', 'port 9443'],
  ['What did we decide to use for the job queue?', 'Postgres and SKIP LOCKED'],
  ['Why not Redis?', 'one more thing to run'],
  ['What error did the customer import fail with?', "TypeError: Cannot read properties of undefined (reading 'vatNumber')"],
  [
    'Which command restored the staging database from the backup?',
    'pg_restore --clean --if-exists -d acme_staging backups/2026-11-02.dump',
  ],
  ['What is the link to the onboarding design?', 'https://figma.example.com/file/Qx81Zk/onboarding-2027?node-id=42'],
  ['What is the upload size limit?', '40 MB'],
  ['Wie lang ist die Kündigungsfrist?', 'sechs Wochen'],
  ['数据库密码多久轮换一次?', '九十天'],
  ['サーバーの再起動はいつですか？', '火曜日'],
  ['Где хранятся резервные копии базы?', 'acme-backups-eu'],
  ['On which day must we not push to main?', 'Fridays'],
  ['What was the hash that git log showed for HEAD?', '7f3c9be41d02aa6c5b1e9d8847f60123456789ab'],
  ['commit 7f3c9be', '7f3c9be41d02aa6c5b1e9d8847f60123456789ab'],
  ['Which ticket was the rounding of discounts fixed under?', 'ACME-4711'],
  ['session ttl', 'SESSION_TTL_SECONDS=5400'],
  ['Are gift cards enabled on staging?', 'FEATURE_GIFT_CARDS=on'],
  ['what happend at import-customers.mjs:118', 'vatNumber'],
];

for (const seed of [7, 8, 9])
  test(`every needle of a long log is the first passage of the answer (log ${seed})`, async () => {
    const log = longLog(seed);
    assert.ok(log.entries.length >= 300);
    const { passages } = openTool(log);
    const missed: string[] = [];
    for (const [question, answer] of QUESTIONS) {
      const [first = '(nothing)'] = await passages(question);
      if (!first.includes(answer)) missed.push(`${question} -> ${first.slice(0, 200)}`);
    }
    assert.deepEqual(missed, []);
  });

test('of two values the newer stands first, and the older is still told', async () => {
  const { passages } = openTool(longLog());
  const [first = '', second = ''] = await passages('upload size limit');
  assert.match(first, /40 MB/);
  assert.match(second, /25 MB/);
});

test('a value that was changed several times: the newest first', async () => {
  const log = writeLog();
  log.user('Begin.');
  const values = [20, 35, 50, 10];
  for (const [turn, value] of values.entries()) {
    log.user(
      turn % 2 === 0
        ? `Set the connection pool size to ${value}.`
        : `The connection pool size should rather be ${value} from now on, I think.`,
    );
    log.model('Done.');
    for (let more = 0; more < 20; more++) log.act('', 'terminal', { command: `ls ${more}` }, `file-${more}.txt\npool-${more}.txt`);
  }
  log.compact(2, log.entries.length);
  const [first = ''] = await openTool(log).passages('What is the connection pool size?');
  assert.match(first, /\b10\b/);
});

test('a short answer is found by the question before it', async () => {
  const log = writeLog();
  log.user('Hello.');
  for (let more = 0; more < 30; more++) log.model(`Looking at file ${more}.`);
  log.model('Which region should the replicas of the warehouse run in?');
  log.user('Frankfurt.');
  for (let more = 0; more < 30; more++) log.model(`Looking at file ${more}.`);
  log.compact(2, log.entries.length);
  const [first = ''] = await openTool(log).passages('warehouse replicas region');
  assert.match(first, /Frankfurt/);
});

test('rows in view are named by number only, and the rest of the log is told', async () => {
  const log = writeLog();
  log.user('The passphrase of the vault is heron.');
  log.model('Noted.');
  const seen = log.user('The passphrase of the vault was changed to bittern.');
  log.compact(1, 2);
  const answer = await openTool(log).ask({ query: 'passphrase of the vault' });
  assert.match(answer, /heron/);
  assert.doesNotMatch(answer, /bittern/);
  assert.match(answer, new RegExp(`you still see: #${seen}\\b`));
});

test('the same words are told once, by their newest number', async () => {
  const log = writeLog();
  log.user('Begin.');
  const seqs = [1, 2, 3].map(() => log.act('', 'read_file', { path: 'a.conf' }, 'retention = 30 days\nbackup = nightly'));
  log.compact(2, log.entries.length);
  const answer = await openTool(log).ask({ query: 'retention' });
  assert.equal(answer.split('retention = 30 days').length - 1, 1);
  assert.match(answer, new RegExp(`^#${seqs[2]} `, 'm'));
});

test('answers of the tool itself are no source', async () => {
  const log = writeLog();
  log.user('The mascot is a walrus.');
  log.act('', 'context_recall', { query: 'what is the mascot?' }, '#1 user: The mascot is a walrus.');
  log.compact(1, log.entries.length);
  const [first = '', ...more] = await openTool(log).passages('what is the mascot?');
  assert.match(first, /^#1 user/);
  assert.deepEqual(more, []);
});

test('reasoning and wire-only words stay where they are', async () => {
  const log = writeLog();
  log.user('Begin.');
  log.push('model', {
    type: 'message',
    message: { role: 'assistant', content: [{ type: 'thinking', text: 'the ptarmigan plan', trust: 'model' }] },
  });
  log.push('user', {
    type: 'message',
    message: { role: 'user', content: [{ type: 'text', text: 'go on', trust: 'owner' }] },
    wireOnly: [{ type: 'text', text: 'a ptarmigan from memory', trust: 'owner' }],
  });
  log.compact(1, log.entries.length);
  const { ask } = openTool(log);
  assert.doesNotMatch(await ask({ query: 'ptarmigan' }), /ptarmigan/);
  assert.doesNotMatch(await ask({ from: 1, to: 3 }), /ptarmigan/);
});

test('a query may be narrowed to a span and to a file', async () => {
  const log = longLog();
  const { ask } = openTool(log);
  const all = await ask({ query: 'upload size limit' });
  const [, older = ''] = /#(\d+) user[^\n]*\n {2}Set the upload size limit to 25 MB/.exec(all) ?? [];
  const narrowed = await ask({ query: 'upload size limit', from: Number(older), to: Number(older) });
  assert.match(narrowed, /25 MB/);
  assert.doesNotMatch(narrowed, /40 MB/);
  assert.match(await ask({ query: 'session ttl', file: 'deploy/staging.env' }), /5400/);
  assert.doesNotMatch(await ask({ query: 'upload limit', file: 'deploy/staging.env' }), /MB/);
});

test('only the running session is searched', async () => {
  const [mine, other] = [writeLog('s1'), writeLog('s2')];
  for (const [log, bird] of [
    [mine, 'heron'],
    [other, 'bittern'],
  ] as const) {
    log.user(`The code name is ${bird}.`);
    log.compact(1, 1);
  }
  const { ask } = openTool(mine, other);
  assert.match(await ask({ query: 'code name' }, 's1'), /heron/);
  assert.doesNotMatch(await ask({ query: 'code name' }, 's1'), /bittern/);
  assert.match(await ask({ query: 'code name' }, 's2'), /bittern/);
});

test('the index is carried on: a second call reads only new rows', async () => {
  const log = longLog();
  const { ask, read } = openTool(log);
  await ask({ query: 'upload' });
  await ask({ query: 'billing' });
  const before = read.at(-1) ?? 0;
  assert.deepEqual(read, [before, before]);
  log.user('The kingfisher nests at the north pier.');
  log.model('Good to know.');
  log.compact(2, log.entries.length);
  assert.match(await ask({ query: 'kingfisher' }), /north pier/);
  assert.equal(read.at(-1), before + 2);
});

test('another log under the same id is indexed anew', async () => {
  const [old, fresh] = [writeLog('s1'), writeLog('s1')];
  old.user('The old log is about herons.');
  old.user('More of it.');
  fresh.user('The new log is about bitterns.');
  fresh.compact(1, 1);
  const logs = [old.entries];
  const renamed = fresh.entries.map((entry) => ({ ...entry, id: `other-${entry.seq}` }));
  const { contextRecallTool } = await import('../../../../src/parts/context/recall/tool.ts');
  const { contextOf, wordsOf } = await import('./setup.ts');
  const tool = contextRecallTool({ entries: async () => logs[0] ?? [] });
  await tool.run({ query: 'herons' }, contextOf('s1'));
  logs[0] = renamed;
  assert.match(wordsOf(await tool.run({ query: 'bitterns' }, contextOf('s1'))), /new log/);
});

test('no query throws, and every answer is bounded and well-formed', async () => {
  const log = longLog();
  log.user('😀'.repeat(3_000) + ' odd \u{d83d} row ' + '\\"\'`'.repeat(500));
  log.user('x'.repeat(50_000));
  log.compact(2, log.entries.length);
  const { ask } = openTool(log);
  const roll = dice(99);
  const pieces = [
    'the',
    'port',
    '"',
    '`',
    '(',
    '[a-z]+',
    '\\',
    '/',
    '..',
    'constructor',
    '__proto__',
    '😀',
    '\u{d83d}',
    '数',
    '据库',
    'é',
    '\n',
    '\0',
    '-',
    '#12',
    '9443',
    '%s',
    'ß',
    'เวลา',
    'مرحبا',
    '$&',
    'toString',
    ' ',
    'a'.repeat(300),
  ];
  for (let round = 0; round < 150; round++) {
    const query = Array.from({ length: roll(12) }, () => pieces[roll(pieces.length)]).join(roll(2) === 0 ? ' ' : '');
    const answer = await ask({ query, limit: roll(40) - 5 });
    assert.ok(answer.length > 0 && answer.length <= 10_500 && answer.isWellFormed(), JSON.stringify(query));
  }
});

test('words of the notes lead to rows that share none with the question', async () => {
  const log = writeLog();
  log.user('Have a look at the relay.');
  log.model('seed_catalog_fixture loads all of it for each module.');
  for (let index = 0; index < 20; index++) log.model(`Part ${index} is as it was.`);
  const notes = [
    createTextBlock('## Goal\nfaster tests\n', 'tool'),
    createTextBlock('- the suite crawls because of seed_catalog_fixture\n- the rest is fine', 'tool'),
  ];
  const question = 'Why does the suite crawl?';
  const bare = writeLog();
  bare.entries.push(...log.entries);
  bare.compact(1, bare.entries.length);
  assert.ok(!(await openTool(bare).ask({ query: question })).includes('loads all of it'));
  log.push('summary', { type: 'compaction', fromSeq: 1, toSeq: log.entries.length, summary: { role: 'user', content: notes } });
  assert.match(await openTool(log).ask({ query: question }), /seed_catalog_fixture loads all of it/);
});
