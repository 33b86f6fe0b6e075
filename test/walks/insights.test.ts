import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

interface Figures {
  readonly total: Readonly<Record<string, number>>;
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly failed: number; readonly timed: number }[];
  readonly exits: unknown;
  readonly sources: unknown;
  readonly by_day: readonly unknown[];
}

test('insights tell what two turns took and how they ended, as text, JSON and a page', async () => {
  await using server = await startWireServer({
    replies: [
      {
        text: 'Looking.',
        calls: [{ name: 'terminal', arguments: { command: 'true' } }],
        usage: { input: 400, output: 30, cacheRead: 600 },
      },
      { text: 'Done.', usage: { input: 100, output: 20, cacheRead: 900 } },
      { calls: [{ name: 'read_file', arguments: { path: 'not-there' } }], usage: { input: 100, output: 20, cacheRead: 900 } },
      { text: 'Sorry.', usage: { input: 100, output: 20, cacheRead: 900 } },
    ],
  });
  const home = tempHome();
  for (const words of ['go', 'again']) {
    const { code, err } = await hermes(['chat', '-q', words, ...(words === 'again' ? ['--continue'] : []), ...toServer(server.url)], {
      home,
    });
    assert.equal(code, 0, err);
  }
  const json = await hermes(['insights', '--json'], { home });
  const { total, tools, exits, sources, by_day: byDay } = JSON.parse(json.out) as Figures;
  assert.deepEqual([total['calls'], total['tokens'], total['cache_read'], byDay.length], [4, 4090, 3300, 30]);
  assert.deepEqual(
    tools.map(({ name, calls, failed, timed }) => [name, calls, failed, timed]),
    [
      ['read_file', 1, 1, 1],
      ['terminal', 1, 0, 1],
    ],
  );
  assert.deepEqual([exits, sources], [[{ reason: 'answered', turns: 2 }], [{ source: 'cli', sessions: 1 }]]);
  const text = await hermes(['insights', '--days', '1'], { home });
  assert.match(text.out, /^Insights: today\n/);
  assert.match(text.out, /\nterminal +█+ +1\b/);
  const typed = await hermes(['chat', '--continue', '-q', '/insights'], { home });
  assert.match(typed.out, /\nHow turns ended\n/, typed.err);
  const page = await hermes(['insights', '--html', 'insights.html'], { home });
  assert.equal(page.out, `Wrote ${join(home, 'insights.html')}. Open it in a browser.\n`, page.err);
  assert.match(readFileSync(join(home, 'insights.html'), 'utf8'), /<h1>Hermes insights: the last 30 days<\/h1>/);
  const again = await hermes(['insights', '--html', 'insights.html'], { home });
  assert.deepEqual([again.code, again.out], [2, '']);
  assert.match(again.err, /already exists and was left as it is/);

  const [session] = JSON.parse((await hermes(['sessions', 'list', '--json'], { home })).out) as { readonly id: string }[];
  const exported = await hermes(['sessions', 'export', session?.id ?? '', '--format', 'html', '-o', 'talk.html'], { home });
  assert.deepEqual([exported.code, exported.out], [0, ''], exported.err);
  assert.match(readFileSync(join(home, 'talk.html'), 'utf8'), /<code>terminal true<\/code>[\s\S]*Sorry\./);
  const twice = await hermes(['sessions', 'export', session?.id ?? '', 'one.html', '-o', 'two.html'], { home });
  assert.match(twice.err, /one file, not to one\.html and two\.html/);
});
