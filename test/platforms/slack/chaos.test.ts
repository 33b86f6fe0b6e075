import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBatch, PlatformConnection } from '../../../src/contracts/platform-adapter.ts';
import { slack } from '../../../src/platforms/slack/index.ts';
import { createReceiver, listCursors, type Receiver } from '../../../src/testing/conformance/platform-scene.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { openPlace } from '../../testing/slack/place.ts';
import { settingsOf, type Place } from './scene.ts';

const DEAF_MS = 150;

/** What a gateway does, in small: it commits, crashes between, gives up what is deaf, and connects again. */
async function receive(place: Place, receiver: Receiver, chance: SeededRandom, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await using adapter = await slack.open({ settings: settingsOf(place, { ping_interval_ms: '20' }), log: () => {} });
    for (let lives = chance.int(1, 3); lives > 0 && !over.aborted; lives -= 1) {
      const stop = AbortSignal.any([over, AbortSignal.timeout(2_000)]);
      const result = await adapter.connect({ cursors: listCursors(receiver), signal: stop });
      if (result.type === 'failed') {
        await sleep(10);
        continue;
      }
      await using connection = result.connection;
      const isDeaf = watch(connection, stop);
      await Promise.race([isDeaf, connection.ended, readAll(connection, receiver, chance)]);
    }
  }
}

async function readAll(connection: PlatformConnection, receiver: Receiver, chance: SeededRandom): Promise<void> {
  for (const stream of [connection.catchUp(), connection.events()])
    for await (const batch of stream) {
      // The process dies with a batch in its hands.
      if (chance.hits(0.1)) return;
      commit(receiver, batch);
    }
}

function commit(receiver: Receiver, batch: EventBatch): void {
  const known = new Set(receiver.events.map((event) => event.type !== 'cursor' && event.key));
  for (const event of batch) {
    if (event.cursor !== undefined) receiver.cursors.set(event.cursor.scope, event.cursor.value);
    if (event.type !== 'cursor' && !known.has(event.key)) receiver.events.push(event);
  }
}

async function watch(connection: PlatformConnection, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && performance.now() - connection.progress() < DEAF_MS) await sleep(10);
}

/** One thing after the other goes wrong. */
async function disturb({ server, bot }: Place, chance: SeededRandom): Promise<void> {
  const kind = chance.weighed({ drop: 3, renew: 2, deaf: 2, closed: 1, fail: 2, limit: 1, silent: 1 });
  if (kind === 'drop') server.sockets.drop(bot.app);
  if (kind === 'renew') server.sockets.disconnect(bot.app, 'refresh_requested');
  if (kind === 'deaf') {
    using _deaf = server.sockets.deafen(bot.app, chance.pick(['all', 'existing']));
    await sleep(chance.int(0, 200));
  }
  if (kind === 'closed') {
    using _closed = server.refuseConnections();
    await sleep(chance.int(0, 60));
  }
  const times = chance.int(1, 3);
  if (kind === 'fail')
    server.addFault({
      method: chance.pick(['conversations.history', 'apps.connections.open', 'users.conversations', 'users.info']),
      times,
      fault: { type: 'status', status: 500 },
    });
  if (kind === 'limit')
    server.addFault({ method: 'conversations.history', times: 1, fault: { type: 'status', status: 429, retryAfter: 0 } });
  if (kind === 'silent') server.addFault({ method: 'conversations.replies', times, fault: { type: 'cut', performed: true } });
}

const nameOf = (chatId: string, threadId: string | undefined): string => `${chatId} ${threadId ?? ''}`;

it('whatever is cut, deaf, slow or killed: every message comes, once by its key, in order in its chat', async () => {
  await forAll(3, async (chance) => {
    await using place = await openPlace({ ackWithinMs: 100, retryAfterMs: [0, 50, 50], pingEveryMs: 20 });
    const { server, bot, ann, ben, general, direct } = place;
    const receiver = createReceiver();
    // Somebody who was there before: the very first start begins with now.
    receiver.cursors.set('start', '1.000000');
    const over = new AbortController();
    const receiving = receive(place, receiver, chance.fork('receiver'), over.signal);
    const said: { chat: string; ts: string }[] = [];
    const root = server.say(general, ann, { text: 'root', mention: bot });
    said.push({ chat: nameOf(general.id, root.ts), ts: root.ts });
    for (let round = 0; round < 40; round += 1) {
      const [channel, user] = chance.pick([
        [general, ann],
        [direct, ann],
        [general, ben],
      ] as const);
      const thread = channel === general && chance.hits(0.5) ? root : undefined;
      const { ts } = server.say(channel, user, { text: `message ${round}`, ...(thread !== undefined && { thread }) });
      said.push({ chat: nameOf(channel.id, thread?.ts), ts });
      if (chance.hits(0.3)) await disturb(place, chance);
      await sleep(chance.int(0, 15));
    }
    const missing = () => said.filter(({ ts }) => !receiver.events.some((event) => event.type === 'message' && event.messageId === ts));
    while (missing().length > 0) await sleep(10);
    over.abort();
    await receiving;
    const got = receiver.events.flatMap((event) =>
      event.type === 'message' ? [{ chat: nameOf(event.chat.chatId, event.chat.threadId), ts: event.messageId }] : [],
    );
    assert.deepEqual(
      Map.groupBy(got, ({ chat }) => chat),
      Map.groupBy(said, ({ chat }) => chat),
    );
    while (server.sockets.count(bot.app) > 0) await sleep(5);
    assert.ok(server.log.every((entry) => entry.type !== 'connected' || entry.open === 1));
  });
});
