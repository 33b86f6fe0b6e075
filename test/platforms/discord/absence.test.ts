import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionEnd, EventBatch, PlatformAdapter, PlatformConnection } from '../../../src/contracts/platform-adapter.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { connect, createReceiver, never } from '../../../src/testing/conformance/platform-scene.ts';
import { until } from '../../testing/platforms/discord/stage.ts';
import { openBot } from './bot.ts';

type Bot = Awaited<ReturnType<typeof openBot>>;

/** What a store would hold: texts per chat in the order they first came, and cursors. */
interface Kept {
  readonly keys: Set<string>;
  readonly chats: Map<string, string[]>;
  readonly cursors: Map<string, string>;
}

function commit({ keys, chats, cursors }: Kept, batch: EventBatch): void {
  for (const event of batch) {
    if (event.cursor !== undefined) cursors.set(event.cursor.scope, event.cursor.value);
    if (event.type !== 'message' || keys.has(event.key)) continue;
    keys.add(event.key);
    const scope = event.cursor?.scope.replace('direct:', '') ?? '';
    chats.set(scope, [...(chats.get(scope) ?? []), event.text]);
  }
}

/** A gateway in small: connects again whenever the connection ends, keeps each batch, and dies now and then before it does. */
async function run(bot: Bot, kept: Kept, chance: SeededRandom, isOver: () => boolean): Promise<void> {
  let adapter: PlatformAdapter = await bot.openAdapter();
  let resume;
  while (!isOver()) {
    const cursors = [...kept.cursors].map(([scope, value]) => ({ scope, value }));
    const result = await adapter.connect({ cursors, signal: never, ...(resume !== undefined && { resume }) });
    if (result.type === 'failed') {
      resume = result.resume;
      continue;
    }
    const isDead = await readAll(result.connection, kept, chance, isOver);
    await result.connection[Symbol.asyncDispose]();
    ({ resume } = await result.connection.ended);
    if (!isDead) continue;
    await adapter[Symbol.asyncDispose]();
    adapter = await bot.openAdapter();
    resume = undefined;
  }
  await adapter[Symbol.asyncDispose]();
}

/** Whether the process died over a batch that it had not kept. */
async function readAll(connection: PlatformConnection, kept: Kept, chance: SeededRandom, isOver: () => boolean): Promise<boolean> {
  for (const batches of [connection.catchUp(), connection.events()])
    for await (const batch of batches) {
      if (chance.hits(0.05)) return true;
      commit(kept, batch);
      if (isOver()) return false;
    }
  return false;
}

test('whatever breaks, every message is kept once, in the order of its chat', async () => {
  await forAll(8, async (chance) => {
    await using bot = await openBot({ auto_thread: false }, { heartbeatMs: 50 });
    const { server, guild, ann, channel, direct } = bot;
    const story = server.people.startThread(channel, ann, 'Story');
    // In the last one nobody says anything before things break: it has no cursor.
    const places = [channel, direct, story, server.addChannel(guild, 'other'), server.addChannel(guild, 'silent')] as const;
    const said = new Map<string, string[]>();
    const say = (place: (typeof places)[number], text: string) => {
      server.people.say(place, ann, text);
      said.set(place.id, [...(said.get(place.id) ?? []), text]);
    };
    const kept: Kept = { keys: new Set(), chats: new Map(), cursors: new Map() };
    const isComplete = () => [...said].every(([id, texts]) => (kept.chats.get(id)?.length ?? 0) >= texts.length);
    const state = { isOver: false };
    const running = run(bot, kept, chance.fork('deaths'), () => state.isOver && isComplete());
    while (!kept.cursors.has('start')) await pause();
    for (const place of places.slice(0, -1)) say(place, 'hello');
    while (!isComplete()) await pause();
    const breaks = [
      () => server.gateway.drop(),
      () => server.gateway.reconnect(),
      () => server.gateway.close(4009),
      () => server.gateway.forget(),
      () => server.gateway.silence(),
      () => void server.fault({ at: 'call', times: 1, do: { type: 'status', status: 502 } }),
    ] as const;
    for (let step = 0; step < 60; step++) {
      if (chance.hits(0.2)) chance.pick(breaks)();
      say(chance.pick(places), `message ${step}`);
      if (chance.hits(0.5)) await pause();
    }
    state.isOver = true;
    server.gateway.drop();
    say(channel, 'good-bye');
    await running;
    assert.deepEqual(
      places.map(({ id }) => kept.chats.get(id)),
      places.map(({ id }) => said.get(id)),
    );
    await until(() => server.gateway.openSockets() === 0, 'no socket');
  });
});

/** Keeps the batches of a catch-up, so many of them or all. */
async function keep(connection: PlatformConnection, kept: Kept, count = Number.POSITIVE_INFINITY): Promise<void> {
  let left = count;
  for await (const batch of connection.catchUp()) {
    if (left-- <= 0) break;
    commit(kept, batch);
  }
  await connection[Symbol.asyncDispose]();
}

/** Breaks off the first catch-up after an absence: the process dies, or Discord cannot be asked; gives what was kept in the end. */
async function interrupt(how: 'death' | 'status', count: number): Promise<{ readonly said: string[]; readonly heard: string[] }> {
  await using bot = await openBot({ auto_thread: false });
  const { server, guild, ann, channel, openAdapter } = bot;
  const kept: Kept = { keys: new Set(), chats: new Map(), cursors: new Map() };
  const carl = server.addUser('carl');
  const login = async (adapter: PlatformAdapter, resume?: ConnectionEnd['resume']) => {
    const cursors = [...kept.cursors].map(([scope, value]) => ({ scope, value }));
    return connect(adapter, createReceiver(), { cursors, people: [carl.id], ...(resume !== undefined && { resume }) });
  };
  const before = await openAdapter();
  await keep(await connect(before, createReceiver()), kept);
  await before[Symbol.asyncDispose]();
  server.gateway.forget();
  const silent = ['one', 'two', 'three'].map((name) => server.addChannel(guild, name));
  const said = [channel, ...silent, server.direct(bot.bot, carl)].map((place) => {
    server.people.say(place, place.guildId === undefined ? carl : ann, `in ${place.id}`);
    return `in ${place.id}`;
  });

  await using first = await openAdapter();
  const path = /messages$/;
  if (how === 'status') server.fault({ at: 'call', method: 'GET', path, skip: count, times: 1, do: { type: 'status', status: 503 } });
  const broken = await login(first);
  await keep(broken, kept, how === 'death' ? count : undefined);
  await using second = await openAdapter();
  await keep(await (how === 'death' ? login(second) : login(first, (await broken.ended).resume)), kept);
  return { said: said.toSorted(), heard: [...kept.chats.values()].flat().toSorted() };
}

test('a catch-up that breaks off is done again in full, also in chats where nobody wrote before', async () => {
  for (const how of ['death', 'status'] as const)
    for (const count of [0, 1, 2, 3, 4]) {
      const { said, heard } = await interrupt(how, count);
      assert.deepEqual(heard, said, `${how} after ${count}`);
    }
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
