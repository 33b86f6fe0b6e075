import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { parseJson, readPath, readStringAt } from '../../../src/base/json.ts';
import type { SlackFault } from '../../../src/testing/platforms/slack/faults.ts';
import type { SlackRequest } from '../../../src/testing/platforms/slack/log.ts';
import { openPlace, until } from './place.ts';

type Place = Awaited<ReturnType<typeof openPlace>>;

/** What a bot sees of one post: the status and the answer, or how it failed; `nothing` when no answer comes. */
async function post({ server, bot, general }: Place, text: string): Promise<string> {
  const given = new AbortController();
  const answer = fetch(`${server.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bot.botToken}` },
    body: JSON.stringify({ channel: general.id, text }),
    signal: given.signal,
  }).then(
    async (response) => `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`,
    () => 'broken',
  );
  const isDone = () => requests(server.log).some((entry) => readPath(entry.arguments, 'text') === text && entry.outcome !== undefined);
  const silence = until(() => isDone() || given.signal.aborted).then(() => sleep(50, 'nothing'));
  const seen = await Promise.race([answer, silence]);
  given.abort();
  return seen;
}

const requests = (log: Place['server']['log']) => log.filter((entry): entry is SlackRequest => entry.type === 'request');

/** A bare socket that notes every frame, its pings and its end. */
async function openSocket({ server, bot }: Place) {
  const { url } = (await (
    await fetch(`${server.apiUrl}apps.connections.open`, { method: 'POST', headers: { authorization: `Bearer ${bot.app.appToken}` } })
  ).json()) as { url: string };
  const socket = new WebSocket(url);
  const seen: string[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = parseJson(data.toString());
    const words = [readStringAt(frame, 'type'), readStringAt(frame, 'reason') ?? readStringAt(frame, 'payload', 'event', 'text')];
    seen.push(words.filter(Boolean).join(' '));
  });
  socket.on('pong', () => seen.push('pong'));
  socket.on('close', () => seen.push('closed'));
  await once(socket, 'open');
  return { socket, seen };
}

describe('faults of the Slack server', () => {
  const table: readonly (readonly [SlackFault, string, Partial<SlackRequest>, readonly string[]])[] = [
    [{ type: 'withhold' }, 'nothing', { performed: true, answered: false, outcome: 'ok' }, ['hi']],
    [{ type: 'cut', performed: true }, 'broken', { performed: true, answered: false, outcome: 'ok' }, ['hi']],
    [{ type: 'cut', performed: false }, 'broken', { performed: false, answered: false }, []],
    [{ type: 'delay', ms: 20 }, '200 null {"ok":true', { performed: true, answered: true, outcome: 'ok' }, ['hi']],
    [{ type: 'status', status: 503 }, '503 null upstream', { performed: false, answered: true, outcome: 'status 503' }, []],
    [{ type: 'status', status: 429, retryAfter: 9 }, '429 9 {"ok":false', { performed: false, answered: true, outcome: 'status 429' }, []],
    [
      { type: 'error', error: 'is_archived' },
      '200 null {"ok":false,"error":"is_archived"',
      { performed: false, answered: true, outcome: 'is_archived' },
      [],
    ],
  ];
  for (const [fault, seen, noted, texts] of table)
    it(`${JSON.stringify(fault)}: the bot sees "${seen}"`, async () => {
      await using place = await openPlace();
      place.server.addFault({ method: 'chat.postMessage', channel: place.general.id, times: 1, fault });
      assert.ok((await post(place, 'hi')).startsWith(seen));
      const [request] = requests(place.server.log);
      const { performed, answered, outcome } = request ?? {};
      assert.deepEqual({ performed, answered, ...(outcome !== undefined && { outcome }) }, noted);
      assert.deepEqual(
        place.server.visible(place.general).map(({ text }) => text),
        texts,
      );
      assert.match(await post(place, 'again'), /^200/u);
    });

  it('takes no new connection while it refuses them, and drops what is sent into a hole', async () => {
    await using place = await openPlace();
    {
      using _closed = place.server.refuseConnections();
      assert.equal(await post(place, 'refused'), 'broken');
    }
    const gone = new AbortController();
    using _hole = place.server.addFault({ fault: { type: 'swallow' } });
    const never = fetch(`${place.server.apiUrl}auth.test`, { signal: gone.signal }).then(
      () => 'answered',
      () => 'given up',
    );
    await until(() => requests(place.server.log).length === 1);
    gone.abort();
    assert.deepEqual([await never, requests(place.server.log)[0]?.performed], ['given up', false]);
  });

  it('a deaf socket stays open, brings nothing and answers no ping; a new one may hear again', async () => {
    await using place = await openPlace();
    const { server, bot, ann, direct } = place;
    const deaf = await openSocket(place);
    await until(() => deaf.seen.length === 1);
    server.sockets.deafen(bot.app, 'existing');
    deaf.socket.ping();
    server.say(direct, ann, { text: 'one' });
    const next = await openSocket(place);
    next.socket.ping();
    await until(() => next.seen.includes('pong'));
    assert.deepEqual([deaf.seen, server.sockets.count(bot.app)], [['hello'], 2]);
    deaf.socket.terminate();
    await until(() => next.seen.includes('events_api one'));
    next.socket.terminate();
    {
      using _all = server.sockets.deafen(bot.app);
      const born = await openSocket(place);
      server.sockets.drop(bot.app);
      await until(() => born.seen.length > 0);
      assert.deepEqual(born.seen, ['closed']);
    }
  });

  it('allows ten sockets of an app, and ends them one by one or all at once', async () => {
    await using place = await openPlace();
    const { server, bot } = place;
    const open: Awaited<ReturnType<typeof openSocket>>[] = [];
    for (let count = 0; count < 11; count += 1) open.push(await openSocket(place));
    await until(() => open.at(-1)?.seen.at(-1) === 'closed');
    assert.deepEqual([open.at(-1)?.seen, server.sockets.count(bot.app)], [['disconnect too_many_websockets', 'closed'], 10]);
    open[0]?.socket.close();
    await until(() => server.sockets.count(bot.app) === 9);
    server.sockets.disconnect(bot.app, 'refresh_requested');
    await until(() => server.sockets.count(bot.app) === 0);
    assert.deepEqual(open[1]?.seen, ['hello', 'disconnect refresh_requested', 'closed']);
  });

  it('tries an event four times, a press once', async () => {
    await using place = await openPlace({ ackWithinMs: 20, retryAfterMs: [0, 10, 10] });
    const { server, bot, ann, direct } = place;
    const { seen } = await openSocket(place);
    await until(() => seen.length === 1);
    server.say(direct, ann, { text: 'one' });
    await until(() => server.log.some(({ type }) => type === 'lost'));
    assert.deepEqual(
      server.log.flatMap((entry) => (entry.type === 'handed_out' ? [entry.attempt] : [])),
      [0, 1, 2, 3],
    );
    assert.deepEqual([await server.slash(direct, ann, { bot, command: '/x' }), seen.at(-1)], [false, 'slash_commands']);
  });
});
