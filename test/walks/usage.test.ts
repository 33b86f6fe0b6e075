import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer } from './hermes.ts';

const REPLIES: readonly Reply[] = [
  {
    text: 'Looking.',
    calls: [{ name: 'terminal', arguments: { command: 'true' } }],
    usage: { input: 400, output: 30, cacheWrite: 1_600, reasoning: 12 },
  },
  { text: 'Done.', usage: { input: 120, output: 20, cacheRead: 1_900, cacheWrite: 80 } },
  { text: 'Again.', usage: { input: 2_200, output: 5 } },
];
/** What each wire has a place for: OpenAI's say nothing of cache writes, Anthropic's nothing of reasoning. */
const TOTALS: Readonly<Record<string, Record<string, number>>> = {
  anthropic_messages: { input: 2_720, output: 55, cache_read: 1_900, cache_write: 1_680 },
  chat_completions: { output: 55, cache_read: 1_900, reasoning: 12 },
  responses: { output: 55, cache_read: 1_900, reasoning: 12 },
};

for (const [apiMode, expected] of Object.entries(TOTALS)) {
  test(`${apiMode}: usage gives the figures the server reported`, async () => {
    await using server = await startWireServer({ replies: REPLIES });
    const home = tempHome();
    const first = await hermes(['chat', '-q', 'go', '--json', ...toServer(server.url, apiMode)], { home });
    assert.equal(first.code, 0, first.err);
    const id = String(jsonLines(first.out)[0]?.['id']);
    const rebuilt = await hermes(['sessions', 'rebuild-prompt', id], { home });
    assert.equal(rebuilt.code, 0, rebuilt.err);
    const second = await hermes(['chat', '-q', 'again', '--resume', id, ...toServer(server.url, apiMode)], { home });
    assert.equal(second.out, 'Again.\n', second.err);
    const all = await figures(['usage', '--json'], home);
    const { total } = all;
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, total[key]])), expected);
    const prompt = Number(total['input']) + Number(total['cache_read']) + Number(total['cache_write']);
    assert.equal(prompt, 400 + 1_600 + 120 + 1_900 + 80 + 2_200, 'no prompt token is lost or counted twice');
    assert.equal(total['cache_share'], 1_900 / prompt);
    assert.deepEqual([total['calls'], total['cost'], total['unpriced_calls']], [3, null, 3]);
    assert.deepEqual(all.models, [{ provider: 'custom', model: 'test-model', ...total }]);
    const { calls, ...session } = await figures(['usage', '--session', id, '--json'], home);
    assert.deepEqual(session, { ...all, session: id, days: null, compactions: [] });
    await assertCalls(calls ?? [], total, home);
    const screen = await hermes(['usage'], { home });
    assert.match(screen.out, /3 calls without a known price/);
    assert.ok(screen.out.includes('1,900') && !screen.out.includes('\u001b') && !screen.out.includes('$'), screen.out);
  });
}

/** Each call by itself: together they are the sums, and each id is one `--explain` takes. */
async function assertCalls(calls: readonly Row[], total: Row, home: string): Promise<void> {
  assert.equal(calls.length, 3);
  assert.deepEqual(Object.keys(calls[0] ?? {}), CALL);
  for (const key of ['input', 'output', 'cache_read', 'cache_write', 'reasoning'])
    assert.equal(
      calls.reduce((sum, call) => sum + Number(call[key]), 0),
      total[key],
      key,
    );
  const last = calls.at(-1);
  assert.deepEqual([last?.['model'], last?.['provider'], last?.['result'], last?.['cost']], ['test-model', 'custom', 'stop', null]);
  const explained: Row = JSON.parse((await hermes(['usage', '--explain', String(last?.['id']), '--json'], { home })).out);
  assert.deepEqual([explained['at'], explained['cause']], [last?.['at'], last?.['cause']]);
}
const CALL = 'id at model provider result input output cache_read cache_write reasoning cost cause changed_segment why'.split(' ');
type Row = Readonly<Record<string, unknown>>;

interface Figures {
  readonly calls?: readonly Row[];
  readonly total: Record<string, unknown>;
  readonly models: readonly unknown[];
}
async function figures(args: readonly string[], home: string): Promise<Figures> {
  const ran = await hermes(args, { home });
  assert.equal(ran.code, 0, ran.err);
  const read: Figures = JSON.parse(ran.out);
  return read;
}

test('--explain names what broke the prefix, by id or by its beginning', async () => {
  await using server = await startWireServer({ replies: [...REPLIES, { text: 'Other.', usage: { input: 2_300, output: 5 } }] });
  const home = tempHome();
  const flags = toServer(server.url, 'anthropic_messages');
  const first = await hermes(['chat', '-q', 'go', '--json', ...flags], { home });
  const id = String(jsonLines(first.out)[0]?.['id']);
  await hermes(['chat', '-q', 'again', '--resume', id, ...flags], { home });
  const other = await hermes(['chat', '-q', 'and you?', '--resume', id, ...flags, '-m', 'other-model'], { home });
  assert.equal(other.out, 'Other.\n', other.err);
  const rows: readonly { readonly call: string }[] = JSON.parse((await hermes(['replay', id, '--json'], { home })).out);
  const calls = rows.map(({ call }) => call);
  const explained: Record<string, unknown>[] = [];
  for (const call of calls) explained.push(JSON.parse((await hermes(['usage', '--explain', call, '--json'], { home })).out));
  assert.deepEqual(
    explained.map(({ call, cause, first_difference: segment, previous }) => ({ call, cause, segment, previous })),
    [
      { call: calls[0], cause: 'first_call', segment: null, previous: null },
      { call: calls[1], cause: 'cache_used', segment: null, previous: calls[0] },
      { call: calls[2], cause: 'prefix_unchanged', segment: null, previous: calls[1] },
      { call: calls[3], cause: 'model_changed', segment: 'system', previous: calls[2] },
    ],
  );
  const short = await hermes(['usage', '--explain', calls[3]?.slice(0, -2) ?? ''], { home });
  assert.equal(short.code, 0, short.err);
  assert.match(short.out, /first difference: system — the model changed from test-model to other-model/);
  const none = await hermes(['usage', '--explain', 'c_ffff'], { home });
  assert.deepEqual([none.code, /no call c_ffff; hermes usage --session ID/.test(none.err)], [2, true], none.err);
  const vague = await hermes(['usage', '--explain', 'c_'], { home });
  assert.equal(vague.code, 2, vague.out);
});

test('nothing used yet is said, not drawn', async () => {
  const ran = await hermes(['usage'], { home: tempHome() });
  assert.deepEqual([ran.code, ran.out], [0, 'No model was called in the last 30 days.\n']);
});
