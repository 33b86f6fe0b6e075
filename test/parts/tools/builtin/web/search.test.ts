import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolFailure } from '../../../../../src/contracts/tool.ts';
import { webSearchTool } from '../../../../../src/parts/tools/builtin/web/search-tool.ts';
import { answer, words } from '../../setup.ts';
import { context, withFakes } from './setup.ts';

const LABELS = { exa: 'Exa', tavily: 'Tavily', firecrawl: 'Firecrawl', parallel: 'Parallel', brave: 'Brave', searxng: 'SearXNG' };

for (const [name, label] of Object.entries(LABELS))
  test(`${label}: a question goes out in its form and its hits come back as lines`, async () => {
    const { options, fakes } = await withFakes([name]);
    const tool = webSearchTool(options);
    assert.equal(await tool.available?.(), true);
    const output = await tool.run({ query: '  deep   sea ', limit: 2 }, context);
    const more = name === 'exa' ? ' … Another part.' : '';
    assert.equal(
      words(output),
      [
        `1. ${label} 1`,
        '   https://site1.example/page',
        `   About deep sea, number 1.${more}`,
        `2. ${label} 2`,
        '   https://site2.example/page',
        `   About deep sea, number 2.${more}`,
      ].join('\n'),
    );
    assert.equal(output.foreign, `web search (${label})`);
    assert.equal(fakes.asked.length, 1);
    assert.equal(words(await tool.run({ query: 'nothing' }, context)), 'No results for "nothing". Try other words.');
  });

test('five results unless more are asked for; pages are turned where a service gives few at once', async () => {
  const counts: Record<string, number> = {};
  for (const name of Object.keys(LABELS)) {
    const { options, fakes } = await withFakes([name]);
    const tool = webSearchTool(options);
    const count = async (limit?: number) =>
      words(await tool.run({ query: 'q', ...(limit !== undefined && { limit }) }, context)).match(/^\d+\. /gm)?.length;
    assert.equal(await count(), 5, name);
    const before = fakes.asked.length;
    counts[name] = (await count(45)) ?? 0;
    if (name === 'brave' || name === 'searxng') assert.ok(fakes.asked.length - before > 1, `${name} is asked page by page`);
  }
  assert.deepEqual(counts, { exa: 45, tavily: 20, firecrawl: 45, parallel: 45, brave: 45, searxng: 45 });
});

test('the same question is asked once while its answer is fresh, also when asked twice at once', async () => {
  const { options, fakes } = await withFakes(['exa']);
  let now = 1_000_000;
  const tool = webSearchTool({ ...options, now: () => now });
  const run = (query: string, limit = 3) => answer(tool, { query, limit }, context);
  const [one, two] = await Promise.all([run('a b'), run(' a  b ')]);
  assert.equal(one, two);
  assert.equal(fakes.asked.length, 1);
  now += 19 * 60_000;
  assert.equal(await run('a b'), one);
  assert.equal(fakes.asked.length, 1);
  await run('a b', 4);
  await run('a c');
  assert.equal(fakes.asked.length, 3);
  now += 2 * 60_000;
  await run('a b');
  assert.equal(fakes.asked.length, 4);
});

test('one who leaves does not take the answer from the others; when all have left the request ends; a failure is not kept', async () => {
  const { options, fakes } = await withFakes(['exa']);
  const tool = webSearchTool(options);
  const leaving = new AbortController();
  const left = tool.run({ query: 'x' }, { ...context, signal: leaving.signal });
  const stays = answer(tool, { query: 'x' }, context);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.match(await stays, /^1\. Exa 1/);
  assert.equal(fakes.asked.length, 1);
  const alone = new AbortController();
  const lonely = tool.run({ query: 'y' }, { ...context, signal: alone.signal });
  alone.abort(new Error('gone'));
  await assert.rejects(lonely, /gone/);
  assert.match(await answer(tool, { query: 'y' }, context), /^1\. Exa 1/);
  fakes.broken.set('exa', [500, 'oops']);
  assert.match(await answer(tool, { query: 'z' }, context), /^FAILED The search failed\. Exa: it answered 500, oops\./);
  fakes.broken.clear();
  assert.match(await answer(tool, { query: 'z' }, context), /^1\. Exa 1/);
});

test('a back end that fails is followed by the next one that is set up, with a word about it', async () => {
  const { options, fakes, keys } = await withFakes(['exa', 'tavily', 'brave', 'searxng'], { 'web.backend': 'tavily' });
  const tool = webSearchTool(options);
  const run = (query: string) => answer(tool, { query, limit: 1 }, context);
  assert.match(await run('1'), /^1\. Tavily 1\n/);
  fakes.broken.set('tavily', [432, 'plan']);
  assert.match(await run('2'), /^1\. Exa 1\n[^[]*\[Asked in vain: Tavily: it answered 432, its plan is used up\. Answered by Exa\.\]$/);
  keys.set('EXA_API_KEY', 'wrong-key');
  const third = await run('3');
  assert.match(third, /Tavily: .*; Exa: it answered 401, it does not accept the key\. Answered by Brave/);
  assert.doesNotMatch(third, /wrong-key/);
  fakes.broken.set('brave', [200, 'this is not JSON']);
  assert.match(await run('4'), /Brave: its answer was not readable JSON\. Answered by SearXNG/);
  fakes.broken.set('searxng', [200, { results: 'none' }]);
  const last = await run('5');
  assert.match(last, /^FAILED The search failed\. .*SearXNG: its answer has another shape than its documentation says\. Try again later/);
  fakes.broken.set('searxng', [403, 'no']);
  assert.match(await run('6'), /SearXNG: it answered 403, it does not give out JSON: add json to search\.formats/);
});

test('without a key or an address the tool is not there and says what it needs', async () => {
  const { options } = await withFakes([]);
  const tool = webSearchTool(options);
  assert.equal(await tool.available?.(), false);
  assert.match(tool.needs ?? '', /EXA_API_KEY.*SearXNG/);
  await assert.rejects(tool.run({ query: 'x' }, context), ToolFailure);
  const { options: ready } = await withFakes(['exa']);
  assert.equal(await answer(webSearchTool(ready), { query: '  ' }, context), 'FAILED Not searched: the query is empty.');
});

test('hits are one line each, whatever they hold; what is no web address is left out', async () => {
  const { options, fakes } = await withFakes(['tavily']);
  fakes.broken.set('tavily', [
    200,
    {
      results: [
        { title: 'a\nb\u001b[31m\u202e', url: 'https://one.example/', content: 'x '.repeat(600) },
        { title: 'js', url: 'javascript:alert(1)', content: '' },
        { title: 'file', url: 'file:///etc/passwd', content: '' },
        { title: '', url: 'https://one.example/', content: 'again' },
        { url: 'https://two.example/' },
        'nonsense',
      ],
    },
  ]);
  const [first, url, description, ...rest] = (await answer(webSearchTool(options), { query: 'x' }, context)).split('\n');
  assert.equal(first, '1. a b\ufffd');
  assert.equal(url, '   https://one.example/');
  assert.equal(description?.length, 504);
  assert.deepEqual(rest, ['2. (no title)', '   https://two.example/']);
});

test("a back end's redirect does not lead into this machine", async () => {
  const { options, fakes } = await withFakes(['searxng']);
  const { createServer } = await import('node:http');
  const elsewhere = createServer((_, response) =>
    response.writeHead(302, { location: `${fakes.bases['searxng'] ?? ''}/search?format=json` }).end(),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as { port: number };
  const settings = { ...options.settings, 'web.searxng_url': `http://127.0.0.1:${port}` };
  const result = await answer(webSearchTool({ ...options, settings }), { query: 'x' }, context);
  elsewhere.close();
  assert.match(result, /^FAILED The search failed\. SearXNG: Refused: 127\.0\.0\.1 is this machine/);
  assert.equal(fakes.asked.length, 0);
});
