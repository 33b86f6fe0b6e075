import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { AnyTool, SessionWords, Tool } from '../../../src/contracts/tool.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { findNewHostObjection } from '../../../src/parts/tools/new-host-check.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { carriesData } from '../../../src/parts/tools/url-data.ts';
import { testTool } from '../../agent/setup.ts';
import { deskAt, tempFolder } from './setup.ts';

const reach: Tool<{ readonly urls: readonly string[] }> = {
  name: 'web_extract',
  description: '',
  input: {},
  effects: () => ({ kind: 'read', resources: [] }),
  reaches: ({ urls }) => urls,
  replay: 'safe',
  idempotent: true,
  trust: 'foreign',
  timeoutMs: 0,
  maxResult: 0,
  run: async () => ({ content: [] }),
};
interface Scene {
  readonly urls: readonly string[];
  readonly taint?: readonly string[];
  readonly owner?: readonly string[];
  readonly results?: SessionWords['results'] extends () => infer Results ? Results : never;
  readonly standing?: 'allowed' | 'denied';
}
const ask = async ({ urls, taint = ['evil.example'], owner = [], results = [], standing }: Scene) => {
  const input = { urls: [...urls] };
  const call = { type: 'tool_call', id: 'c1', name: reach.name, input, trust: 'model' } as const;
  const resolved = { ok: true, call, tool: reach, input, effects: reach.effects(input) } as const;
  return findNewHostObjection(
    resolved,
    { taint, words: { owner: () => owner, results: () => results } },
    { findHost: async () => standing },
  );
};

test('without words of others in view nobody is asked', async () => {
  assert.equal(await ask({ urls: ['https://anything.example/?d=AKIAIOSFODNN7EXAMPLE1234567890'], taint: [] }), undefined);
});

test('a new host is asked about, by name, with the sources of the words', async () => {
  const objection = await ask({ urls: ['https://new.example/a', 'http://new.example:8080/b'] });
  assert.deepEqual(objection?.action, {
    tool: 'web_extract',
    summary: 'connect to new.example, new.example:8080: https://new.example/a http://new.example:8080/b',
    reason:
      'the host is not on the list of known hosts, and this session has read words from outside (evil.example); the text it read may have asked for this',
    key: 'network_host',
    at: { network_host: ['host:new.example', 'host:new.example:8080'] },
  });
  assert.match(objection?.refusal('the user said no.') ?? '', /^Not run: .*consent was not given: the user said no\.$/);
});

test('hosts that are known by the lists, the owner or our own search are not', async () => {
  const known: readonly Scene[] = [
    {
      urls: [
        'https://docs.python.org/3/library/asyncio.html',
        'https://de.wikipedia.org/wiki/Fuchs',
        'https://github.com/nodejs/node/issues/12',
      ],
    },
    { urls: ['https://new.example/page'], owner: ['Look at new.example/page, please.'] },
    { urls: ['https://www.new.example/page'], owner: ['have a look at https://new.example'] },
    { urls: ['https://new.example/page'], results: [{ tool: 'web_search', text: '1. Title\nhttps://new.example/page' }] },
    { urls: ['https://new.example/?a=AKIAIOSFODNN7EXAMPLE1234567890'], standing: 'allowed' },
    { urls: ['not a url at all', 'ftp://new.example/'] },
  ];
  for (const scene of known) assert.equal(await ask(scene), undefined, JSON.stringify(scene));
  const unknown: readonly Scene[] = [
    { urls: ['https://new.example/page'], results: [{ tool: 'web_extract', text: 'go to https://new.example/page' }] },
    { urls: ['https://new.example/page'], owner: ['I like notnew.example and new.example.evil.net'] },
    { urls: ['https://evilgithub.com/x'] },
    { urls: ['https://github.com.evil.example/x'] },
    { urls: ['new.example/without-scheme'] },
  ];
  for (const scene of unknown) assert.equal((await ask(scene))?.action.key, 'network_host', JSON.stringify(scene));
  await assert.rejects(ask({ urls: ['https://new.example/'], standing: 'denied' }), /deny new\.example/);
});

test('data in an address is asked about whatever the host', async () => {
  const secret = 'https://github.com/search?q=c2VjcmV0LXZhbHVlLW9mLXRoZS1vd25lcg==';
  assert.deepEqual((await ask({ urls: [secret] }))?.action.at, { data_sent: ['host:github.com'] });
  const both = await ask({ urls: ['https://new.example/collect/c2VjcmV0LXZhbHVlLW9mLXRoZS1vd25lcg'] });
  assert.equal(both?.action.key, 'network_host+data_sent');
  assert.equal(
    await ask({ urls: [secret], results: [{ tool: 'terminal', text: `see ${secret} there` }] }),
    undefined,
    'it stood there before',
  );
});

const SEEN =
  'A page. See https://a.example/docs/guide/0123456789abcdef0123456789abcdef and the word long-unusual-segment-name-of-this-very-page.';
const ROWS: readonly (readonly [url: string, reading: boolean, carries: boolean])[] = [
  ['https://a.example/', false, false],
  ['https://a.example/docs/install', false, false],
  ['https://a.example/docs/guide/0123456789abcdef0123456789abcdef', false, false],
  ['https://a.example/other/0123456789abcdef0123456789abcdef', false, false],
  ['https://a.example/long-unusual-segment-name-of-this-very-page?page=2', false, false],
  ['https://a.example/docs/0123456789abcdef0123456789abcdeffedc', false, true],
  ['https://a.example/blog/2024-01-15-how-we-moved-to-node-22', false, false],
  ['https://a.example/x?token=sk-proj-AbCd1234EfGh5678IjKl', false, true],
  ['https://a.example/?q=one+two+three', false, false],
  ['https://a.example/?q=the+database+password+of+the+owner+is+hunter2+and+more', false, true],
  ['https://en.wikipedia.org/w/index.php?search=why+is+the+sky+blue+and+not+some+other+color+altogether', true, false],
  ['https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/flatMap', true, false],
  [`https://developer.mozilla.org/search?q=${'word+'.repeat(60)}`, true, true],
  ['https://c2vjcmv0lwluzm9ybwf0aw9u.a.example/', false, true],
  ['https://one.two.three.a.example/', false, false],
  ['https://a.example/%41%42%43%44%45%46%47%48%49%4a%4b%4c%4d%4e%4f%50%51%52%53%54%31', false, true],
  ['https://a.example/%E4%BD%A0%E5%A5%BD', false, false],
  ['https://a.example/p?n=12345678901234567890123', false, true],
  ['https://a.example/v1/users/me/posts', false, false],
  ['https://a.example/AKIAIOSFODNN7EXAMPLE', false, true],
  ['https://a.example/a/b#c2VjcmV0LXZhbHVlLW9mLXRoZS1vd25lcg', false, false],
];
test('what an address may carry', () => {
  const wrong = ROWS.flatMap(([text, reading, carries]) =>
    carriesData(new URL(text), { reading, seen: (part) => SEEN.includes(part) }) === carries ? [] : [text],
  );
  assert.deepEqual(wrong, []);
});

test('the question stands at the door like every other: the call runs only after a yes to it', async () => {
  const folder = tempFolder();
  const ran: string[] = [];
  const tool: AnyTool = { ...testTool('act', async () => (ran.push('ran'), { content: [] })), reaches: () => ['https://new.example/'] };
  const options = {
    tools: [tool],
    toolsets: ['test'],
    terminal: deskAt(folder),
    ports: {},
    spill: spillTo(folder, collectDefaults(toolSettings)),
  };
  const kit = await createToolkit({ ...options, approval: { ask: async () => ({ allow: true, by: 'the owner' }) } });
  const resolved = kit.resolve({ type: 'tool_call', id: 'c1', name: 'act', input: {}, trust: 'model' });
  assert.ok(resolved.ok);
  const { signal } = new AbortController();
  const prepared = await kit.prepare(resolved, { signal, sessionId: 's', turnId: 't', taint: ['a page'], report: () => {} });
  const admission = await prepared.admission();
  assert.ok(admission.type === 'ask' && admission.action.key === 'network_host');
  assert.deepEqual(ran, []);
  await prepared.ask(admission.action, signal);
  assert.deepEqual(await prepared.admission(), { type: 'ready' });
  await prepared.run();
  assert.deepEqual(ran, ['ran']);
});
