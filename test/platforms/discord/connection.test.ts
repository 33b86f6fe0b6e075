import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionEnd } from '../../../src/contracts/platform-adapter.ts';
import { connect, createReceiver, listTexts, never, read } from '../../../src/testing/conformance/platform-scene.ts';
import { until } from '../../testing/platforms/discord/stage.ts';
import { openBot, outbound, receive } from './bot.ts';

const steps = ({ server }: Awaited<ReturnType<typeof openBot>>) =>
  server.log.sockets.flatMap(({ step }) => (step === 'identify' || step === 'resume' ? [step] : []));

/** Close code → whether to come back, and whether the session can be taken up. */
const CODES: readonly (readonly [code: number, kind: ConnectionEnd['kind'], resumes: boolean])[] = [
  [1006, 'broken', true],
  [4000, 'broken', true],
  [4001, 'broken', true],
  [4002, 'broken', true],
  [4003, 'broken', false],
  [4004, 'refused', false],
  [4005, 'broken', false],
  [4007, 'broken', false],
  [4008, 'broken', true],
  [4009, 'broken', false],
  [4010, 'refused', false],
  [4011, 'refused', false],
  [4012, 'refused', false],
  [4013, 'refused', false],
  [4014, 'refused', false],
];

test('every close code says whether to come back, and how', async () => {
  for (const [code, kind, resumes] of CODES) {
    await using stage = await openBot();
    const { server, adapter } = stage;
    await using connection = await connect(adapter, createReceiver());
    if (code === 1006) server.gateway.drop();
    else server.gateway.close(code);
    const end = await connection.ended;
    assert.deepEqual([end.kind, end.resume !== undefined, end.why === ''], [kind, resumes, false], String(code));
  }
});

test('a wrong token and a missing permission are told with what to do', async () => {
  await using stage = await openBot();
  const { server } = stage;
  const poor = server.addBot('poor', { isPrivileged: false });
  const { discord } = await import('../../../src/platforms/discord/index.ts');
  for (const [token, words] of [
    ['wrong', /DISCORD_BOT_TOKEN/],
    [poor.token, /Message Content Intent/],
  ] as const) {
    const settings = { secrets: { token }, extra: { api_url: server.apiUrl, gateway_url: server.gatewayUrl } };
    await using adapter = await discord.open({ settings, log: () => {} });
    const result = await adapter.connect({ cursors: [], signal: never });
    assert.ok(result.type === 'failed' && result.kind === 'refused', JSON.stringify(result));
    assert.match(result.why, words);
  }
});

test('a peer that no longer answers heartbeats is given up, and the session goes on where it was kept', async () => {
  await using stage = await openBot({}, { heartbeatMs: 300 });
  const { server, ann, direct, adapter } = stage;
  const { connection, receiver, reader } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'one') });
  await until(() => server.log.sockets.some(({ step }) => step === 'heartbeat'), 'a heartbeat');
  server.gateway.silence();
  server.people.say(direct, ann, 'unheard');
  const end = await connection.ended;
  assert.deepEqual([end.kind, end.why], ['broken', 'Discord no longer answers heartbeats']);
  await reader.settle();
  assert.ok(end.resume !== undefined);
  await using next = await connect(adapter, receiver, { resume: end.resume });
  await read(next, receiver).until(() => receiver.events.length >= 2);
  assert.deepEqual(
    [listTexts(receiver), steps(stage)],
    [
      ['one', 'unheard'],
      ['identify', 'resume'],
    ],
  );
  assert.equal(server.gateway.openSockets(), 1);
});

test('what was received and not kept is replayed by the next session', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter } = stage;
  const receiver = createReceiver();
  const first = await connect(adapter, receiver);
  server.people.say(direct, ann, 'one');
  server.people.say(direct, ann, 'two');
  await until(() => server.log.events.filter(({ type }) => type === 'MESSAGE_CREATE').length === 2, 'two events');
  server.gateway.reconnect();
  const end = await first.ended;
  assert.ok(end.resume !== undefined);
  await using next = await connect(adapter, receiver, { resume: end.resume });
  await read(next, receiver).until(() => receiver.events.length >= 2);
  assert.deepEqual(listTexts(receiver), ['one', 'two']);
  assert.equal(server.log.events.filter(({ type, isReplay }) => type === 'MESSAGE_CREATE' && isReplay).length, 2);
});

test('a session is taken up three times in a row at most, then there is a fresh login', async () => {
  await using stage = await openBot();
  const { server, adapter } = stage;
  const first = await connect(adapter, createReceiver());
  server.gateway.drop();
  let end = await first.ended;
  server.fault({ at: 'resume', do: { type: 'drop' } });
  let tries = 0;
  for (; end.resume !== undefined && tries < 10; tries++) {
    const result = await adapter.connect({ cursors: [], signal: never, resume: end.resume });
    assert.ok(result.type === 'failed');
    end = result;
  }
  assert.equal(tries, 3);
  await using _ = await connect(adapter, createReceiver());
  assert.deepEqual(steps(stage), ['identify', 'identify']);
});

test('a session that Discord does not know any more leads to a fresh login after a pause', async () => {
  await using stage = await openBot();
  const { server, adapter } = stage;
  const first = await connect(adapter, createReceiver());
  server.gateway.drop();
  const { resume } = await first.ended;
  assert.ok(resume !== undefined);
  server.gateway.forget();
  const result = await adapter.connect({ cursors: [], signal: never, resume });
  assert.ok(result.type === 'failed' && result.retryAfterMs !== undefined && result.retryAfterMs >= 1_000);
  assert.deepEqual([result.kind, result.resume], ['broken', undefined]);
});

test('two hundred broken connections leave one socket, and never more than one', async () => {
  await using stage = await openBot();
  const { server, adapter } = stage;
  const receiver = createReceiver();
  let end: ConnectionEnd | undefined;
  for (let round = 0; round < 200; round++) {
    const resume = end?.resume;
    const connection = await connect(adapter, receiver, resume === undefined ? {} : { resume });
    assert.equal(server.gateway.openSockets(), 1);
    if (round % 3 === 0) server.gateway.reconnect();
    else server.gateway.drop();
    end = await connection.ended;
  }
  await using _ = await connect(adapter, receiver);
  assert.equal(server.gateway.openSockets(), 1);
});

test('connecting to a peer that says nothing ends with its signal, and sending works all the while', async () => {
  await using stage = await openBot();
  const { server, direct, adapter } = stage;
  using _fault = server.fault({ at: 'connect', do: { type: 'silence' } });
  const stop = new AbortController();
  const connecting = adapter.connect({ cursors: [], signal: stop.signal });
  await until(() => server.gateway.openSockets() === 1, 'a socket');
  assert.equal((await adapter.send(outbound(direct.id, 'hello'), never)).type, 'sent');
  stop.abort();
  const result = await connecting;
  assert.ok(result.type === 'failed' && result.kind === 'closed');
  await until(() => server.gateway.openSockets() === 0, 'no socket');
});
