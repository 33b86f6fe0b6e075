import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDesk, talk, user, type Desk } from './setup.ts';

test('scripts without spaces are found by a word, a part of one and a single character', async () => {
  const desk = await openDesk();
  await desk.write([...talk(3), user('我们昨天讨论了数据库迁移的问题'), ...talk(3)]);
  await desk.write([...talk(3), user('明日の東京は雨が降るでしょう'), ...talk(3)]);
  await desk.write([...talk(3), user('เมื่อวานเราคุยเรื่องฐานข้อมูลกัน'), ...talk(3)]);
  const table: readonly [query: string, marked: string][] = [
    ['数据库', '我们昨天讨论了«数据库»迁移的问题'],
    ['昨天 迁移', '我们«昨天»讨论了数据库«迁移»的问题'],
    ['库', '我们昨天讨论了数据«库»迁移的问题'],
    ['東京', '明日の«東京»は雨が降るでしょう'],
    ['雨', '明日の東京は«雨»が降るでしょう'],
    ['ฐานข้อมูล', 'เมื่อวานเราคุยเรื่อง«ฐานข้อมูล»กัน'],
  ];
  for (const [query, marked] of table) {
    const answered = await desk.ask({ query });
    assert.match(answered, /^1 session matches/, query);
    assert.ok(answered.includes(`: ${marked}\n`), `${query}: ${answered}`);
    assert.ok(answered.includes(`#4 user: ${marked.replaceAll(/[«»]/g, '')}`));
  }
});

test('odd queries mean what they can mean', async () => {
  const desk = await openDesk();
  await desk.write([user('run docker-compose with --force and a "quoted phrase" in main()')]);
  const finds = [
    'docker-compose',
    '"docker-compose',
    'docker-compose AND',
    'OR docker',
    'docker OR',
    '"quoted phrase',
    'main()',
    '--force',
    'dock*',
  ];
  const misses = ['NOT', 'AND OR NOT', '-docker', '"""', '***', '()', '- - -', 'docker -compose'];
  for (const query of finds) assert.match(await desk.ask({ query }), /^1 session matches/, query);
  for (const query of misses) assert.match(await desk.ask({ query }), /^Nothing matches/, query);
});

/** Numbers that look random and are the same in every run. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

const WORDS = 'docker bridge OR AND NOT NEAR 数据库 雨 ก 😀 é ß 1 col:x'.split(' ');
const SIGNS = [
  ...`" ' - * ( ) : ^ + \\ % _ ; { } [ «`.split(' '),
  '\0',
  '\n',
  '\t',
  ' ',
  '--',
  "') --",
  '\u202e',
  '\u0002',
  '\u0003',
  '\ud83d',
  '\udc00',
];
const PIECES = [...WORDS, ...SIGNS, 'x'.repeat(90)];

const nonsense = (random: () => number): string =>
  Array.from({ length: Math.floor(random() * 12) }, () => PIECES[Math.floor(random() * PIECES.length)]).join(random() < 0.5 ? ' ' : '');

const answersPlainly = async (desk: Desk, query: string, running: string): Promise<boolean> => {
  const answered = await desk.ask({ query }, running);
  assert.ok(answered.length > 10 && answered.length <= 12_000 && answered.isWellFormed(), JSON.stringify(query));
  assert.match(answered, /^(?:\d+ sessions? match|Nothing|What matches|Recent sessions)/, JSON.stringify(query));
  return /^\d/.test(answered);
};

test('500 nonsense queries all get words, and some of them hits', async () => {
  const desk = await openDesk();
  await desk.write([user('the docker bridge (1) 数据库 x_y 100% {}[] 😀 « \\ col:x'), ...talk(3)]);
  await desk.write([user('雨 ก é ß NEAR ; + ^'), ...talk(3)]);
  const { id } = await desk.write([user('docker in the running one')]);
  const random = seeded(20_261_115);
  let hits = 0;
  for (let round = 0; round < 500; round++) if (await answersPlainly(desk, nonsense(random), id)) hits++;
  assert.ok(hits > 20, `${hits} hits`);
});
