import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { openStage, textsIn, until } from './stage.ts';

type Stage = Awaited<ReturnType<typeof openStage>>;

const INTENTS = 37_377;

/** A bare client: what it got, and how it was closed. */
function dial({ server }: Stage) {
  const raw = new WebSocket(server.gatewayUrl);
  const got: { op: number; t: string | null; d: unknown }[] = [];
  const state: { code?: number } = {};
  raw.on('message', (data) => void got.push(JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '')));
  raw.on('close', (code) => (state.code = code));
  raw.on('error', () => {});
  const send = (op: number, d: unknown) => raw.send(JSON.stringify({ op, d }));
  return {
    raw,
    got,
    state,
    send,
    types: () => got.flatMap(({ t }) => t ?? []),
    hello: () => until(() => got.some(({ op }) => op === 10), 'hello'),
    [Symbol.dispose]: () => raw.terminate(),
  };
}

const post = ({ server, bot, channel }: Stage, content: string, signal?: AbortSignal): Promise<number> =>
  fetch(`${server.apiUrl}/channels/${channel.id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
    ...(signal !== undefined && { signal }),
  }).then(({ status }) => status);

test('what is wrong with a login closes the socket with its code', async () => {
  await using stage = await openStage();
  const identify = { token: stage.bot.token, intents: INTENTS };
  const cases: readonly (readonly [payloads: readonly (readonly [op: number, d: unknown])[], code: number])[] = [
    [[[2, { token: 'wrong', intents: INTENTS }]], 4004],
    [[[2, { token: stage.bot.token }]], 4013],
    [[[3, {}]], 4003],
    [[[99, {}]], 4001],
    [
      [
        [2, identify],
        [2, identify],
      ],
      4005,
    ],
  ];
  for (const [payloads, code] of cases) {
    using client = dial(stage);
    await client.hello();
    for (const [op, d] of payloads) client.send(op, d);
    await until(() => client.state.code !== undefined, 'the end');
    assert.equal(client.state.code, code);
  }
});

test('a client that stops its heartbeats is cut off', async () => {
  await using stage = await openStage({ heartbeatMs: 20 });
  using client = dial(stage);
  await until(() => client.state.code !== undefined, 'the end');
  assert.equal(client.state.code, 4009);
});

test('behind a black hole nothing comes, not even the answer to a good-bye, while calls go through', async () => {
  await using stage = await openStage();
  using client = dial(stage);
  await client.hello();
  client.send(2, { token: stage.bot.token, intents: INTENTS });
  await until(() => client.types().includes('GUILD_CREATE'), 'the guild');
  const before = client.got.length;
  stage.server.gateway.silence(stage.bot.token);
  stage.server.people.say(stage.channel, stage.ann, 'unheard');
  client.send(1, null);
  assert.equal(await post(stage, 'still talking'), 200);
  client.raw.close(4200);
  assert.deepEqual([client.got.length, client.state.code, stage.server.gateway.openSockets(stage.bot.token)], [before, undefined, 1]);
  client.raw.terminate();
  await until(() => stage.server.gateway.openSockets() === 0, 'no socket');
});

test('a session that goes on gets what it missed, one that may not is told so', async () => {
  await using stage = await openStage();
  using first = dial(stage);
  await first.hello();
  first.send(2, { token: stage.bot.token, intents: INTENTS });
  await until(() => first.types().includes('GUILD_CREATE'), 'the guild');
  const session_id = Reflect.get(Object(first.got.find(({ t }) => t === 'READY')?.d), 'session_id');
  stage.server.gateway.drop();
  stage.server.people.say(stage.channel, stage.ann, 'meanwhile');
  using second = dial(stage);
  await second.hello();
  second.send(6, { token: stage.bot.token, session_id, seq: 2 });
  await until(() => second.types().includes('RESUMED'), 'the resume');
  assert.deepEqual(second.types(), ['MESSAGE_CREATE', 'RESUMED']);
  stage.server.fault({ at: 'resume', times: 1, do: { type: 'invalid_session' } });
  using third = dial(stage);
  await third.hello();
  third.send(6, { token: stage.bot.token, session_id, seq: 2 });
  await until(() => third.got.some(({ op }) => op === 9), 'the refusal');
});

test('faults of calls: done without an answer, cut before it is done, swallowed, late, limited, broken', async () => {
  await using stage = await openStage();
  const fails = async (fault: Parameters<typeof stage.server.fault>[0], text: string) => {
    using _ = stage.server.fault(fault);
    return await post(stage, text, AbortSignal.timeout(300)).catch(() => 'no answer');
  };
  const results = [
    await fails({ at: 'call', times: 1, do: { type: 'withhold' } }, 'withheld'),
    await fails({ at: 'call', times: 1, do: { type: 'withhold', hang: true } }, 'hanging'),
    await fails({ at: 'call', times: 1, do: { type: 'cut' } }, 'cut'),
    await fails({ at: 'call', do: { type: 'swallow' } }, 'swallowed'),
    await fails({ at: 'call', times: 1, do: { type: 'rate_limit', retryAfter: 149 } }, 'limited'),
    await fails({ at: 'call', times: 1, do: { type: 'status', status: 503 } }, 'broken'),
    await fails({ at: 'call', times: 1, skip: 1, do: { type: 'status', status: 503 } }, 'skipped'),
    await fails({ at: 'call', token: 'of another bot', do: { type: 'cut' } }, 'not meant'),
    await fails({ at: 'call', times: 1, do: { type: 'delay', ms: 5 } }, 'late'),
  ];
  assert.deepEqual(results, ['no answer', 'no answer', 'no answer', 'no answer', 429, 503, 200, 200, 200]);
  assert.deepEqual(
    textsIn(stage.server, stage.channel),
    ['withheld', 'hanging', 'skipped', 'not meant', 'late'].map((text) => `hermes: ${text}`),
  );
  assert.deepEqual(
    stage.server.log.calls.map(({ fault, performed, status }) => [fault, performed, status]),
    [
      ['withhold', true, undefined],
      ['withhold', true, undefined],
      ['cut', false, undefined],
      ['swallow', false, undefined],
      ['rate_limit', false, 429],
      ['status', false, 503],
      [undefined, true, 200],
      [undefined, true, 200],
      ['delay', true, 200],
    ],
  );
});

test('nobody gets through while connections are refused', async () => {
  await using stage = await openStage();
  {
    using _ = stage.server.refuseConnections();
    await assert.rejects(post(stage, 'hello'));
    using client = dial(stage);
    await until(() => client.state.code !== undefined, 'the end');
  }
  assert.equal(await post(stage, 'hello'), 200);
});

test('an interaction that is answered too late is not known any more, and the log says so', async () => {
  await using stage = await openStage({ interactionMs: -1 });
  const { server, ann, bot, channel } = stage;
  const headers = { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' };
  const command = { name: 'status', description: 'How it is' };
  await fetch(`${server.apiUrl}/applications/${bot.id}/commands`, { method: 'POST', headers, body: JSON.stringify(command) });
  const { id, token } = server.people.slash(channel, ann, bot, 'status');
  const answer = await fetch(`${server.apiUrl}/interactions/${id}/${token}/callback`, { method: 'POST', headers, body: '{"type":5}' });
  assert.deepEqual([answer.status, await answer.json()], [404, { message: 'Unknown interaction', code: 10_062 }]);
  assert.equal(server.log.interactions[0]?.answer?.isLate, true);
});
