import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEntry } from '../../contracts/entry.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { createAnswerEntry, beginSampleSession, createUserEntry, createToolResultEntry, type OpenStore } from './session-store-samples.ts';

const TEXTS = [
  'The quick brown fox jumps over the lazy dog',
  'Deploy the Docker container to production; see src/main.ts and run main()',
  'We talked about kubernetes and C++ in Zürich, go figure',
  '中欧红利基金的表现怎么样',
  '我用GPT模型写代码',
  '東京タワーは日本のデータベースです',
  '데이터베이스 검색을 테스트합니다',
  'ภาษาไทยเขียนโดยไม่เว้นวรรค',
  'قاعدةُ البيانات العربية',
] as const;

/** What is typed, and the texts (by position) that must come, newest first. */
const TABLE: readonly (readonly [string, readonly number[]])[] = [
  ['fox', [0]], // a word
  ['FOX', [0]], // case
  ['kuber', [2]], // a beginning
  ['kuber*', [2]],
  ['bernet', [2]], // the middle of a word
  ['bernet*', []], // a beginning that is none
  ['the', [1, 0]], // newest first
  ['docker production', [1]], // all words
  ['docker fox', []],
  ['"quick brown"', [0]], // a phrase
  ['"brown quick"', []],
  ['fox OR docker', [1, 0]],
  ['the -fox', [1]],
  ['the NOT fox', [1]],
  ['src/main.ts', [1]],
  ['main()', [1]],
  ['C++', [2]],
  ['go', [2]], // a short word
  ['zurich', [2]], // accents
  ['欧', [3]], // one character
  ['红利', [3]], // two
  ['中欧红利', [3]],
  ['红利 基金', [3]],
  ['GPT模型', [4]], // across the border of scripts
  ['用G', [4]],
  ['模型写', [4]],
  ['タワー', [5]],
  ['は日本', [5]],
  ['데이터', [6]],
  ['검색', [6]],
  ['เขียน', [7]],
  ['ไทย', [7]],
  ['البيانات', [8]],
  ['قاعدة', [8]], // vowel signs
  // Nothing typed is an error.
  ['', []],
  ['"', []],
  ['""', []],
  ['"lazy dog', [0]],
  ['AND OR NOT', []],
  ['fox AND', [0]],
  ['OR fox', [0]],
  ['-fox', []],
  ['fox NOT', [0]],
  ['(quick OR kubernetes)', [2, 0]],
  ["* ^ : { } [ ] + \\ ' ; --", []],
  ['fox"brown', [0]],
  ['\0', []],
];

/** Search over the log. */
export function testSearch(open: OpenStore): void {
  test('search finds words, parts, phrases and every script', async () => {
    await using store = await open();
    const { claim } = await beginSampleSession(store);
    for (const words of TEXTS) await store.commit(claim, { append: [createUserEntry(words)] });
    for (const [typed, expected] of TABLE) {
      const found = (await store.search({ text: typed })).map((hit) => hit.seq - 1);
      deepEqual(found, expected, `searching ${JSON.stringify(typed)}`);
    }
  });

  test('a hit says where it is and shows the words around it', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.retitle(session.id, 'Animals', 'user');
    const [entry] = await store.commit(claim, {
      append: [createUserEntry(`${'before '.repeat(100)}the Fox\nand the fox ${'after '.repeat(100)}`)],
    });
    const [hit, ...others] = await store.search({ text: 'fox' });
    ok(entry !== undefined && hit !== undefined && others.length === 0);
    deepEqual(
      { ...hit, snippet: '' },
      { sessionId: session.id, entryId: entry.id, seq: 1, at: entry.at, role: 'user', title: 'Animals', snippet: '' },
    );
    ok(hit.snippet.includes('the \u0002Fox\u0003 and the \u0002fox\u0003 after'), hit.snippet);
    ok(hit.snippet.length < 400);
  });

  test('search looks at what people saw: answers, tool results and titles, not reasoning, sidecars or details', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const sidecar: NewEntry = { ...createUserEntry('a plain question'), wireOnly: [{ type: 'text', text: 'whispered', trust: 'owner' }] };
    const result = createToolResultEntry('listed on paper', { kind: 'data', data: { note: 'sketched beside' } });
    await store.commit(claim, { append: [sidecar, createAnswerEntry('spoken aloud'), result] });
    await store.retitle(session.id, 'Heading of chapters', 'user');
    const roles = async (text: string) => (await store.search({ text })).map((hit) => hit.role);
    deepEqual([await roles('aloud'), await roles('paper'), await roles('heading')], [['assistant'], ['tool'], ['title']]);
    for (const hidden of ['pondered', 'whispered', 'argumentative', 'sketched']) deepEqual(await roles(hidden), []);
    await store.retitle(session.id, 'Renamed since', 'user');
    deepEqual([await roles('heading'), await roles('renamed')], [[], ['title']]);
  });

  test('search finds what was taken back and marks it, and what was said since not', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store, { title: 'A word of its own' });
    await store.commit(claim, { append: [createUserEntry('word one'), createUserEntry('word two'), createUserEntry('word three')] });
    await store.commit(claim, { append: [{ type: 'rewind', origin: 'user', toSeq: 2 }, createUserEntry('word five')] });
    const marked = async (query: Parameters<SessionStore['search']>[0]) =>
      (await store.search(query))
        .toSorted((a, b) => (a.role === b.role ? a.seq - b.seq : a.role < b.role ? -1 : 1))
        .map(({ role, seq, rewound }) => [role, seq, rewound]);
    const title = ['title', 1, undefined];
    const rows = (...rewound: readonly number[]) => [1, 2, 3, 5].map((seq) => ['user', seq, rewound.includes(seq) ? true : undefined]);
    deepEqual(await marked({ text: 'word' }), [title, ...rows(3)]);
    deepEqual(await marked({ text: 'word', sessionId: session.id }), rows(3));
    await store.commit(claim, { append: [{ type: 'rewind', origin: 'user', toSeq: 1 }] });
    deepEqual(await marked({ text: 'word' }), [title, ...rows(2, 3, 5)]);
  });

  test('search keeps to a limit and to a session', async () => {
    await using store = await open();
    const [one, two] = [await beginSampleSession(store), await beginSampleSession(store)];
    for (let i = 0; i < 5; i++) await store.commit(one.claim, { append: [createUserEntry(`common word ${i}`)] });
    await store.commit(two.claim, { append: [createUserEntry('common word elsewhere')] });
    const where = async (query: Parameters<SessionStore['search']>[0]) =>
      (await store.search(query)).map((hit) => [hit.sessionId, hit.seq]);
    deepEqual(await where({ text: 'common', limit: 2 }), [
      [two.session.id, 1],
      [one.session.id, 5],
    ]);
    deepEqual(await where({ text: 'common -elsewhere', limit: 1 }), [[one.session.id, 5]]);
    deepEqual((await where({ text: 'common', sessionId: one.session.id })).length, 5);
    equal((await where({ text: 'common', sessionId: 'no-such-session' })).length, 0);
  });
}
