import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { startClient, textOf, type TestClient } from '../acp/client.ts';
import { acpStage, type AcpStage } from '../acp/stage.ts';
import { rowsOf, userWords } from './stage.ts';

const say = (client: TestClient, sessionId: string, text: string) =>
  client.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
const open = async (client: TestClient, { cwd }: AcpStage) =>
  (await client.agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
/** What the person said and how turns ended, as it is stored. */
const storedIn = async (stage: AcpStage, sessionId: string): Promise<readonly string[]> => {
  const { entries } = JSON.parse((await stage.run(['sessions', 'show', sessionId, '--json'])).out) as {
    readonly entries: readonly {
      readonly exit_reason?: string;
      readonly message?: { readonly role: string; readonly content: readonly { readonly text?: string }[] };
    }[];
  };
  return entries.flatMap(({ message, exit_reason: reason }) =>
    reason !== undefined ? [`(${reason})`] : message?.role === 'user' ? [message.content.map(({ text }) => text).join('')] : [],
  );
};

test('a cancel right after its prompt is not lost, and what was cancelled is in the log', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'word '.repeat(2_000), paceMs: 20 }) });
  const stage = acpStage(model);
  await using client = await startClient(stage);
  const sessionId = await open(client, stage);
  for (const wait of [0, 0, 1, 5, 20]) {
    const turn = say(client, sessionId, `go ${wait}`);
    if (wait > 0) await sleep(wait);
    await client.agent.notify('session/cancel', { sessionId });
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
  }
  const both = [say(client, sessionId, 'one'), say(client, sessionId, 'two')];
  await client.agent.notify('session/cancel', { sessionId });
  assert.deepEqual(await Promise.all(both), [{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }]);
  const stored = await storedIn(stage, sessionId);
  assert.deepEqual(stored.slice(0, 4), ['go 0', '(interrupted)', 'go 0', '(interrupted)']);
  assert.ok(
    stored.every((words, index) => words.startsWith('(') === (index % 2 === 1)),
    stored.join(', '),
  );
  // Nothing of it comes back with the next message.
  const asked = model.requests.length;
  const last = say(client, sessionId, 'and now');
  while (textOf(client.updates).length < 20) await sleep(10);
  assert.equal(userWords(model.requests.at(-1)).at(-1), 'and now');
  assert.equal(model.requests.length, asked + 1);
  await client.agent.notify('session/cancel', { sessionId });
  await last;
  assert.deepEqual(stage.problems(), []);
});

test('prompts that come at once are answered in the order they came', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'word '.repeat(10), paceMs: 20 }) });
  const stage = acpStage(model);
  await using client = await startClient(stage);
  const sessionId = await open(client, stage);
  const answers = await Promise.all(['one', '/status', 'two', 'three'].map((words) => say(client, sessionId, words)));
  assert.deepEqual(
    answers.map(({ stopReason }) => stopReason),
    ['end_turn', 'end_turn', 'end_turn', 'end_turn'],
  );
  assert.deepEqual(
    userWords(model.requests.at(-1))
      .flatMap((words) => words.split('\n'))
      .filter((words) => words !== ''),
    ['one', 'two', 'three'],
  );
  assert.match(textOf(client.updates), /Session /);
  assert.deepEqual(stage.problems(), []);
});

test('closing a session while it answers hangs up on the provider, stores that, and ends it', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'word '.repeat(2_000), paceMs: 20 }) });
  await using line = await startLine(model.url);
  const stage = acpStage({ url: line.url });
  await using client = await startClient(stage);
  const sessionId = await open(client, stage);
  const turn = say(client, sessionId, 'go on');
  while (textOf(client.updates) === '') await sleep(10);
  assert.equal(line.open(), 1);
  await client.agent.request('session/close', { sessionId });
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
  while (line.open() > 0) await sleep(10);
  assert.deepEqual(await storedIn(stage, sessionId), ['go on', '(terminated)']);
  const [stored] = rowsOf<{ readonly end_reason?: string }>(await stage.run(['sessions', 'list', '--json']));
  assert.equal(stored?.end_reason, 'exit');
  // The client's library takes this error for a yes.
  await client.agent.request('session/close', { sessionId });
  assert.equal(stage.sent('agent').at(-1)?.error?.code, -32_002);
  // The agent itself goes on, and the session can be taken up again.
  await client.agent.request('session/resume', { sessionId, cwd: stage.cwd });
  assert.deepEqual(stage.problems(), []);
});

/** The way to the provider, where one can see who holds the line. */
async function startLine(target: string) {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    // The list of models goes another way; only those that hear an answer count.
    near.on('data', (bytes: Buffer) => void (bytes.includes('/chat/completions') && sockets.add(near)));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from
        .on('error', () => {})
        .on('close', () => to.destroy())
        .pipe(to);
    near.once('close', () => sockets.delete(near));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on TCP has an address with a port
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

test('what is no message, no method or no session is answered with an error, and the agent lives on', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'hello' }) });
  const stage = acpStage(model);
  const [, , program = '', ...args] = stage.args;
  const child = spawn(program, args, { cwd: stage.cwd, env: { ...stage.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const answers: { readonly id?: unknown; readonly error?: { readonly code: number } }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => answers.push(JSON.parse(line) as (typeof answers)[number]));
  const request = (id: number, method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const lines = [
    'not JSON at all',
    '[1, 2',
    '{"jsonrpc":"2.0"}',
    '',
    request(1, 'session/none', {}),
    request(2, 'session/prompt', { sessionId: 'nobody', prompt: [{ type: 'text', text: 'hi' }] }),
    request(3, 'session/prompt', { sessionId: 7 }),
    JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'nobody' } }),
    request(4, 'session/delete', { sessionId: '../../etc/passwd' }),
    request(5, 'session/list', { cursor: '-1' }),
  ];
  child.stdin.write(`${request(0, 'initialize', { protocolVersion: 99 })}\n${lines.join('\n')}\n`);
  while (![0, 1, 2, 3, 4, 5].every((wanted) => answers.some(({ id }) => id === wanted))) await sleep(10);
  child.stdin.end();
  assert.equal(await exited, 0);
  const codes = Object.fromEntries(answers.filter(({ id }) => typeof id === 'number').map(({ id, error }) => [id, error?.code ?? 'fine']));
  assert.deepEqual(codes, { 0: 'fine', 1: -32_601, 2: -32_002, 3: -32_602, 4: -32_002, 5: -32_602 });
});
