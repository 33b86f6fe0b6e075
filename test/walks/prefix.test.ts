import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer } from './hermes.ts';

/** A request's cached parts as bytes: tool table, system prompt, then each message, with Anthropic's cache marks set aside. */
function parts({ body }: RecordedRequest): { readonly head: string; readonly messages: readonly string[] } {
  const { messages, input, system, instructions, tools } = unmarked(body) as Record<string, unknown>;
  const list = (messages ?? input) as readonly unknown[];
  return { head: JSON.stringify([tools, system, instructions]), messages: list.map((message) => JSON.stringify(message)) };
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => (key === 'cache_control' ? [] : [[key, unmarked(member)]])));
}

function assertStable(requests: readonly RecordedRequest[]): void {
  const all = requests.map(parts);
  for (const [index, request] of all.entries()) {
    const next = all[index + 1];
    if (next === undefined) break;
    assert.equal(next.head, request.head, `tools and system of request ${index + 2}`);
    assert.deepEqual(next.messages.slice(0, request.messages.length), request.messages, `messages of request ${index + 2}`);
  }
}

/** Everything that could disturb a prefix: reasoning, parallel calls, odd arguments, silence, cut answers, failing tools. */
const REPLIES: readonly Reply[] = [
  {
    thinking: 'let me see',
    signature: 'sig-1',
    calls: [{ name: 'terminal', arguments: { workdir: '/tmp', command: 'echo é漢字 "quoted"' } }],
  },
  {
    text: 'two at once',
    calls: [
      { name: 'terminal', arguments: '{"command":"false"}' },
      { id: null, name: 'terminal', arguments: { command: 'printf "\\0\\377"' } },
    ],
  },
  { fault: { type: 'empty' } },
  { thinking: 'only thoughts', signature: 'sig-2' },
  { text: 'The first half ', finish: 'length' },
  { text: 'and the second.' },
];
const SECOND: readonly Reply[] = [
  { calls: [{ name: 'no_such_tool', arguments: {} }] },
  { thinking: 'done', text: '<think>unspoken</think>Done.' },
];

for (const apiMode of ['chat_completions', 'anthropic_messages', 'responses']) {
  test(`${apiMode}: every request repeats the bytes of the one before it, across turns and processes`, async () => {
    await using server = await startWireServer({ replies: [...REPLIES, ...SECOND, { text: 'Third.' }] });
    const home = tempHome();
    const first = await hermes(['chat', '-q', 'go', '--json', ...toServer(server.url, apiMode)], { home });
    assert.equal(first.code, 0, first.err);
    const lines = jsonLines(first.out);
    assert.equal(lines.at(-1)?.['text'], 'The first half and the second.');
    const id = String(lines[0]?.['id']);
    const second = await hermes(['chat', '-q', 'and then?', '--resume', id, '--cwd', '/tmp', ...toServer(server.url, apiMode)], { home });
    assert.equal(second.out, 'Done.\n', second.err);
    const third = await hermes(['chat', '-q', 'and?', '--resume', id.slice(0, -1), ...toServer(server.url, apiMode)], { home });
    assert.equal(third.code, 0, third.err);
    assert.equal(server.requests.length, REPLIES.length + SECOND.length + 1);
    assertStable(server.requests);
    assert.ok(
      !server.requests.some(({ text }) => text.includes('<think>') || text.includes('unspoken')),
      'no reasoning goes back as content',
    );
  });

  test(`${apiMode}: the closing call keeps the tool table and the prefix`, async () => {
    await using server = await startWireServer({
      answer: ({ index }) =>
        index < 2 ? { calls: [{ name: 'terminal', arguments: { command: `echo ${index}` } }] } : { text: 'Summary.' },
    });
    const ran = await hermes(['chat', '-q', 'go', '--max-turns', '2', ...toServer(server.url, apiMode)], { home: tempHome() });
    assert.deepEqual([ran.code, ran.out], [3, 'Summary.\n'], ran.err);
    assertStable(server.requests);
    const choice = (server.requests[2]?.body as Record<string, unknown> | undefined)?.['tool_choice'];
    assert.ok(choice === 'none' || (choice as { readonly type?: string } | undefined)?.type === 'none', JSON.stringify(choice));
  });
}

test('a session on a server of its own is resumed without naming the address, the wire or the model again', async () => {
  await using server = await startWireServer({ answer: ({ index }) => ({ text: `Answer ${index}.` }) });
  const home = tempHome();
  await hermes(['chat', '-q', 'one', ...toServer(server.url, 'responses')], { home });
  const ran = await hermes(['chat', '--continue', '-q', 'two'], { home });
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(
    server.requests.map((request) => request.protocol),
    ['openai-responses', 'openai-responses'],
  );
  assertStable(server.requests);
});
