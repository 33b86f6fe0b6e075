import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { MAIN } from './hermes.ts';
import { placeWith, serveOnStdio, serveOverHttp, startTokenProxy, type HttpServed, type ServedEvent } from './mcp-serve-stage.ts';
import { command } from './stage.ts';

const run = promisify(execFile);
const TOOLS = [
  'conversations_list',
  'conversation_get',
  'messages_read',
  'attachments_fetch',
  'channels_list',
  'events_poll',
  'events_wait',
  'messages_send',
  'permissions_list_open',
  'permissions_respond',
];

test('a client on standard input reads conversations, sends messages, follows what happens and answers no question it may not', async () => {
  await using server = await startWireServer({ replies: [{ text: 'From the terminal.' }, { text: 'Hello client.' }] });
  const place = placeWith(server.url);
  assert.equal((await place.run(['chat', '-q', 'the first question'])).code, 0);
  await using served = await serveOnStdio(place);
  const { call, client } = served;
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    TOOLS,
  );
  const { conversations } = await call('conversations_list');
  assert.deepEqual(
    conversations.map(({ source }) => source),
    ['cli'],
  );
  const id = conversations[0]?.id ?? '';
  const read = await call('messages_read', { conversation_id: id });
  assert.deepEqual(
    read.messages.map(({ role, text }) => [role, text]),
    [
      ['user', 'the first question'],
      ['assistant', 'From the terminal.'],
    ],
  );
  assert.deepEqual((await call('attachments_fetch', { conversation_id: id, message_id: read.messages[0]?.id })).attachments, []);
  assert.deepEqual((await call('channels_list')).channels, []);
  const { cursor } = await call('events_poll');
  const sent = await call('messages_send', { text: 'hi from a client' });
  assert.deepEqual([sent.status, sent.text], ['answered', 'Hello client.']);
  const got = await call('conversation_get', { conversation_id: sent.conversation_id });
  assert.deepEqual([got.conversation['platform'], got.conversation['source'], got.conversation['messages']], ['mcp', 'mcp', 2]);
  const news = await call('events_poll', { cursor });
  assert.deepEqual(
    news.events.map(({ type }) => type),
    ['message', 'message', 'turn_ended'],
  );
  assert.deepEqual((await call('events_poll', { cursor: news.cursor })).events, [], 'nothing is told twice');
  // What another process says is heard by a client that waits.
  server.script({ text: 'Again.' });
  const waiting = call('events_wait', { cursor: news.cursor, timeout_seconds: 40 });
  assert.equal((await place.run(['chat', '--continue', '-q', 'a second question'])).code, 0);
  const [event] = (await waiting).events;
  assert.deepEqual([event?.type, event?.conversation_id], ['message', id]);
  for (const [name, input, words] of [
    ['messages_read', { conversation_id: 'nothing' }, /no conversation nothing\. conversations_list shows/],
    ['messages_read', {}, /messages_read: conversation_id is missing/],
    ['messages_read', { conversation_id: id, limit: 'many' }, /limit must be a whole number, not "many"/],
    ['conversations_list', { nonsense: 1 }, /has no parameter nonsense\. It takes: limit, search, source/],
    ['events_poll', { cursor: 'x' }, /not one that events_poll returned/],
    ['permissions_respond', { permission_id: 'x', decision: 'allow' }, /only the owner can allow this.*--allow-approvals/],
    ['no_such_tool', {}, /There is no tool no_such_tool/],
  ] as const)
    assert.match(String((await call(name, input)).refused), words);
});

test('a client is told the chats that hermes send knows, and none of programs it is not shown', async () => {
  await using server = await startWireServer({ replies: [] });
  const place = placeWith(server.url);
  assert.equal((await place.run(['webhook', 'add', 'alerts', '--url', 'https://example.org/hook'])).code, 0);
  const listed: readonly { readonly target: string }[] = JSON.parse((await place.run(['send', '--list', '--json'])).out);
  assert.deepEqual(
    listed.map(({ target }) => target),
    ['webhook:alerts'],
  );
  await using all = await serveOnStdio(place);
  assert.deepEqual((await all.call('channels_list')).channels, listed);
  await using some = await serveOnStdio(place, '--source', 'cli');
  assert.deepEqual((await some.call('channels_list')).channels, []);
});

test('what needs consent is denied and kept; a client that may allow lets it happen once, another sees only what it is let', async () => {
  const line = 'git branch -D old; echo ran >> marks';
  await using server = await startWireServer({ replies: [command(line), { text: 'I could not.' }, command(line), { text: 'Done.' }] });
  const place = placeWith(server.url, { terminal: { backend: 'local' } });
  await using served = await serveOnStdio(place, '--allow-approvals');
  const { call } = served;
  const sent = await call('messages_send', { text: 'open it' });
  assert.equal(sent.text, 'I could not.');
  assert.deepEqual(place.marks(), []);
  const open = await call('permissions_list_open');
  assert.deepEqual(
    open.permissions.map(({ tool, summary, conversation_id: of }) => [tool, summary, of]),
    [['terminal', line, sent.conversation_id]],
  );
  const { cursor } = sent;
  // A part of an id could mean another question than the one that was read.
  for (const part of ['', open.permissions[0]?.permission_id.slice(0, -1) ?? ''])
    assert.match(
      String((await call('permissions_respond', { permission_id: part, decision: 'allow' })).refused),
      /there is no open question/,
    );
  const answer = await call('permissions_respond', {
    permission_id: open.permissions[0]?.permission_id,
    decision: 'allow',
  });
  assert.deepEqual(answer, { permission_id: open.permissions[0]?.permission_id, state: 'allowed', told: true });
  // The session goes on by itself.
  for (let ended = 0, from = cursor; ended < 2;) {
    const news = await call('events_wait', { cursor: from, timeout_seconds: 40 });
    assert.ok(news.events.length > 0, 'the session did not go on');
    ended += news.events.filter(({ type }) => type === 'turn_ended').length;
    from = news.cursor;
  }
  assert.deepEqual(place.marks(), ['ran']);
  await using narrow = await serveOnStdio(place, '--source', 'cli', '--tools', 'conversations_list,messages_read');
  assert.deepEqual(
    (await narrow.client.listTools()).tools.map(({ name }) => name),
    ['conversations_list', 'messages_read'],
  );
  assert.deepEqual((await narrow.call('conversations_list')).conversations, []);
  assert.match(String((await narrow.call('messages_read', { conversation_id: sent.conversation_id })).refused), /there is no conversation/);
});

test('a turn that takes long goes on, a message sent meanwhile joins it, and a server that was killed in it is finished by the next', async () => {
  await using server = await startWireServer({
    replies: [{ text: 'word '.repeat(400), chunk: 5, paceMs: 50 }, { text: 'Finished after all.' }, { text: 'And the other one.' }],
  });
  const place = placeWith(server.url);
  const first = await serveOverHttp(place);
  await using client = await first.connect();
  const sent = await client.call('messages_send', { text: 'take your time', wait_seconds: 0 });
  assert.equal(sent.status, 'running');
  const { conversation_id: id, cursor } = sent;
  const joined = await client.call('messages_send', {
    text: 'one more thing',
    conversation_id: id,
    wait_seconds: 0,
  });
  assert.deepEqual({ ...joined, cursor: '' }, { conversation_id: id, joined: true, status: 'running', cursor: '' });
  first.child.kill('SIGKILL');
  await using second = await serveOnStdio(place);
  const seen: ServedEvent[] = [];
  for (let from = cursor; !seen.some(({ type }) => type === 'turn_ended');) {
    const news = await second.call('events_wait', { cursor: from, timeout_seconds: 40 });
    assert.ok(news.events.length > 0, JSON.stringify(seen));
    seen.push(...news.events);
    from = news.cursor;
  }
  assert.deepEqual(
    seen.map(({ type, exit_reason: reason, message }) => (type === 'message' ? [message?.role, message?.text] : [type, reason])),
    [
      ['user', 'take your time'],
      ['assistant', 'Finished after all.'],
      ['user', 'one more thing'],
      ['assistant', 'And the other one.'],
      ['turn_ended', 'answered'],
    ],
  );
});

/** The status of one request with these headers. */
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const statusOf = (url: string, headers: Record<string, string>, body = PING, method = 'POST'): Promise<number> =>
  new Promise((done, failed) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      answer.resume();
      done(answer.statusCode ?? 0);
    });
    sent.on('error', failed);
    sent.end(body);
  });

const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const CONFORMANCE = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const INSPECTOR = join('node_modules', '.bin', 'mcp-inspector');

test('over HTTP it answers only with the token and only by its own name; the conformance scenarios and the inspector agree', async () => {
  await using server = await startWireServer({ replies: [{ text: 'Hello.' }] });
  const place = placeWith(server.url);
  await using served = await serveOverHttp(place);
  const { url, token } = served;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  assert.equal(statSync(join(place.home, 'mcp-tokens', 'serve-token')).mode & 0o777, 0o600);
  const authorization = `Bearer ${token}`;
  const statuses: readonly (readonly [Record<string, string>, number])[] = [
    [{}, 401],
    [{ authorization: 'Bearer wrong' }, 401],
    [{ authorization: token }, 401],
    [{ authorization, host: 'evil.example' }, 403],
    [{ authorization, host: '127.0.0.1.evil.example' }, 403],
    [{ authorization, origin: 'http://evil.example' }, 403],
    [{ authorization, origin: 'null' }, 403],
    [{ authorization, 'mcp-session-id': 'gone', accept: 'application/json, text/event-stream' }, 404],
    [{ authorization, accept: 'application/json, text/event-stream' }, 400],
  ];
  for (const [headers, status] of statuses) assert.equal(await statusOf(url, headers), status, JSON.stringify(headers));
  assert.equal(await statusOf(url.replace('/mcp', '/other'), { authorization }), 404);
  // A page may not even ask what it may send, and nothing is read without end.
  assert.equal(await statusOf(url, { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' }, '', 'OPTIONS'), 401);
  const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { words: 'x'.repeat(5 * 1024 * 1024) } });
  assert.equal(await statusOf(url, { authorization, accept: 'application/json, text/event-stream' }, large), 413);
  await using client = await served.connect();
  assert.equal((await client.call('messages_send', { text: 'hi' })).text, 'Hello.');
  await assertConforms(served);
  await assertInspected([url, '--transport', 'http', '--header', `Authorization: ${authorization}`]);
  await assertInspected([process.execPath, MAIN, 'mcp', 'serve', '-e', `HERMES_HOME=${place.home}`, '-e', `HOME=${place.home}`]);
  const second = await place.run(['mcp', 'serve', '--http', '--port', new URL(url).port]);
  assert.deepEqual([second.code, second.out], [2, '']);
  assert.match(second.err, /is in use\. Choose another with --port/);
});

async function assertConforms(served: HttpServed): Promise<void> {
  await using proxy = await startTokenProxy(served);
  for (const scenario of SCENARIOS) {
    const { stdout } = await run(process.execPath, [CONFORMANCE, 'server', '--url', proxy.url, '--scenario', scenario]);
    assert.match(stdout, /Passed: (\d+)\/\1, 0 failed/, `${scenario}\n${stdout}`);
  }
}

async function assertInspected(target: readonly string[]): Promise<void> {
  const inspect = async (...args: readonly string[]) => JSON.parse((await run(INSPECTOR, ['--cli', ...target, ...args])).stdout) as unknown;
  const listed = (await inspect('--method', 'tools/list', '--strict')) as { readonly tools: readonly { readonly name: string }[] };
  assert.deepEqual(
    listed.tools.map(({ name }) => name),
    TOOLS,
  );
  const called = await inspect('--method', 'tools/call', '--tool-name', 'conversations_list', '--tool-arg', 'limit=1');
  const { structuredContent } = called as {
    readonly structuredContent: { readonly conversations: readonly { readonly source: string }[] };
  };
  assert.deepEqual(
    structuredContent.conversations.map(({ source }) => source),
    ['mcp'],
  );
}
