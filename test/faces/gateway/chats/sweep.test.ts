import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MEMORY_FLUSH } from '../../../../src/agent/words.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { collectDefaults, type SliceValues } from '../../../../src/contracts/settings.ts';
import { resetSettings } from '../../../../src/faces/gateway/settings.ts';
import type { Route } from '../../../../src/contracts/gateway-store.ts';
import { selectResetPolicy, type ResetPolicy } from '../../../../src/faces/gateway/chats/reset.ts';
import type { ResetRules } from '../../../../src/faces/gateway/chats/sweep.ts';
import type { ScriptedAnswer } from '../../../../src/testing/scripted-provider.ts';
import type { TelegramPerson } from '../../../../src/testing/platforms/telegram/model.ts';
import { openScene, type GatewayScene } from '../scene.ts';

const { signal: NEVER } = new AbortController();
const MINUTE = 60_000;
const IDLE: ResetPolicy = { mode: 'idle', atHour: 4, idleMinutes: 60 };
const at = (text: string): number => Date.parse(text);

const isFlush = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages.at(-1)).includes(JSON.stringify(MEMORY_FLUSH).slice(1, 40));
const saves = (content: string): ScriptedAnswer => ({
  calls: [{ id: 'm1', name: 'memory', input: { target: 'memory', action: 'add', content } }],
});

interface SweepScene extends GatewayScene {
  /** What the gateway's clock shows from now on. */
  setNow(now: number): void;
  /** The last message came at that time. */
  usedAt(at: number): void;
  sweep(policy: ResetPolicy | ((route: Route) => ResetPolicy), timeZone?: string): Promise<void>;
  say(text: string): Promise<void>;
  route(): Promise<Route | undefined>;
  ended(): Promise<readonly (readonly [id: string, reason: string | undefined])[]>;
  remembered(): string;
  flushes(): number;
}

/** A chat whose owner said something once, on a day that is long over for the store. */
async function openSweepScene({
  flush = () => saves('Likes tea.'),
  answer = async () => {},
  flushMinTurns = 1,
}: {
  readonly flush?: () => ScriptedAnswer;
  readonly answer?: () => Promise<void>;
  readonly flushMinTurns?: number;
} = {}): Promise<SweepScene> {
  let [now, answers, flushes] = [0, 0, 0];
  const resets: ResetRules = {
    policyOf: ({ target, chat }) => selectResetPolicy(collectDefaults(resetSettings), target.platform, chat.type),
    timeZone: 'UTC',
  };
  const scene = await openScene({
    script: async (request) => {
      if (isFlush(request)) {
        flushes++;
        return flush();
      }
      await answer();
      return { text: `Answer ${++answers}.` };
    },
    config: `memory:\n  flush_min_turns: ${flushMinTurns}\n`,
    overrides: { resets, clock: { ...systemClock, now: () => (now === 0 ? systemClock.now() : now) } },
  });
  const { server, ann, dm } = scene.stage;
  return {
    ...scene,
    setNow: (to) => (now = to),
    usedAt: (time) => {
      using db = new DatabaseSync(resolveHome({ HERMES_HOME: scene.root }).store);
      db.prepare('UPDATE routes SET used_at = ?').run(time);
    },
    sweep: async (policy, timeZone = 'UTC') => {
      Object.assign(resets, { policyOf: typeof policy === 'function' ? policy : () => policy, timeZone });
      await scene.gateway().sweep(NEVER);
    },
    say: async (text) => {
      const before = answers;
      server.people.say(dm, ann, text);
      await scene.until(() => scene.said().includes(`Answer ${before + 1}.`) && scene.gateway().running === 0);
    },
    route: async () => (await scene.host().store.gateway.routes({}))[0],
    ended: async () =>
      (await scene.host().store.list({})).flatMap(({ id, endedAt, endReason }) =>
        endedAt === undefined ? [] : [[id, endReason] as const],
      ),
    remembered: () => {
      try {
        return readFileSync(join(scene.root, 'memories', 'MEMORY.md'), 'utf8');
      } catch {
        return '';
      }
    },
    flushes: () => flushes,
  };
}

test('an idle chat: what to remember is asked for a while before, then its session ends, and the next message begins another', async () => {
  await using scene = await openSweepScene();
  await scene.say('I like tea');
  const { sessionId } = (await scene.route()) ?? {};
  const used = at('2026-01-10T12:00:00Z');
  scene.usedAt(used);
  const steps: unknown[] = [];
  for (const minutes of [30, 44, 45, 50, 59, 60, 61]) {
    scene.setNow(used + minutes * MINUTE);
    await scene.sweep(IDLE);
    steps.push([minutes, scene.flushes(), (await scene.ended()).length, (await scene.route())?.sessionId === sessionId]);
  }
  assert.deepEqual(steps, [
    [30, 0, 0, true],
    [44, 0, 0, true],
    [45, 1, 0, true],
    [50, 1, 0, true],
    [59, 1, 0, true],
    [60, 1, 1, false],
    [61, 1, 1, false],
  ]);
  assert.match(scene.remembered(), /Likes tea/);
  assert.deepEqual(await scene.ended(), [[sessionId, 'expired']]);
  await scene.say('good morning');
  assert.deepEqual([(await scene.route())?.sessionId !== sessionId, (await scene.ended()).length], [true, 1]);
});

const STUCK: ScriptedAnswer = { text: 'one moment', paceMs: 3_600_000 };

test('a message that comes while a session is asked what to remember wins: it is answered there, and the rest is asked for later', async () => {
  let isStuck = true;
  await using scene = await openSweepScene({ flush: () => (isStuck ? STUCK : saves('Likes tea.')) });
  await scene.say('I like tea');
  const before = await scene.route();
  const used = at('2026-01-10T12:00:00Z');
  const told: unknown[] = [];
  // Ahead of the end, and at the end itself, after a night in which nobody asked.
  for (const minutes of [50, 600]) {
    scene.usedAt(used);
    scene.setNow(used + minutes * MINUTE);
    const asked = scene.flushes() + 1;
    const swept = scene.sweep(IDLE);
    await scene.until(() => scene.flushes() === asked);
    await scene.say('wait');
    await swept;
    const { sessionId, facts } = (await scene.route()) ?? {};
    told.push([sessionId === before?.sessionId, facts?.['flushedAt'], await scene.ended(), scene.remembered()]);
  }
  assert.deepEqual(told, [
    [true, undefined, [], ''],
    [true, undefined, [], ''],
  ]);
  isStuck = false;
  scene.usedAt(used);
  await scene.sweep(IDLE);
  assert.deepEqual(await scene.ended(), [[before?.sessionId, 'expired']]);
  assert.match(scene.remembered(), /Likes tea/);
});

test('a message that waits is answered first, whoever left it; a turn that runs is left alone', async () => {
  const going = Promise.withResolvers<void>();
  let isFirst = true;
  await using scene = await openSweepScene({
    flushMinTurns: 0,
    answer: async () => {
      if (!isFirst) await going.promise;
      isFirst = false;
    },
  });
  await scene.say('hello');
  const { sessionId = '' } = (await scene.route()) ?? {};
  const { store } = scene.host();
  scene.usedAt(at('2026-01-10T12:00:00Z'));
  await store.post({ sessionId, content: [createTextBlock('from a script', 'owner')], mode: 'queue' });
  await scene.sweep(IDLE);
  await scene.until(() => scene.gateway().running === 1);
  await scene.sweep(IDLE);
  assert.deepEqual([await scene.ended(), (await scene.route())?.sessionId], [[], sessionId]);
  going.resolve();
  await scene.until(async () => scene.gateway().running === 0 && (await store.waiting(sessionId)).length === 0);
  await scene.sweep(IDLE);
  assert.deepEqual(await scene.ended(), [[sessionId, 'expired']]);
});

/** Last use, what is set, and the first moment at which it is over; a minute before, it is not. */
const DAYS: readonly (readonly [used: string, zone: string, policy: Partial<ResetPolicy>, over: string])[] = [
  ['2026-01-10T12:00:00Z', 'Asia/Tokyo', { mode: 'daily' }, '2026-01-10T19:00:00Z'],
  ['2026-01-10T12:00:00Z', 'UTC', { mode: 'both', idleMinutes: 1_440 }, '2026-01-11T04:00:00Z'],
  ['2026-01-10T12:00:00Z', 'UTC', { mode: 'both', idleMinutes: 30 }, '2026-01-10T12:30:00Z'],
  // New York: 02:00 is skipped on 8 March 2026, and 01:00 comes twice on 2 November 2025.
  ['2026-03-07T20:00:00Z', 'America/New_York', { mode: 'daily', atHour: 2 }, '2026-03-08T07:00:00Z'],
  ['2025-11-01T20:00:00Z', 'America/New_York', { mode: 'daily', atHour: 1 }, '2025-11-02T05:00:00Z'],
];

test('the day ends by the clocks of the owner’s time zone, also on days on which they are changed', async () => {
  await using scene = await openSweepScene({ flushMinTurns: 0 });
  for (const [index, [used, zone, policy, over]] of DAYS.entries()) {
    await scene.say(`day ${index}`);
    scene.usedAt(at(used));
    const seen: number[] = [];
    for (const now of [at(over) - MINUTE, at(over)]) {
      scene.setNow(now);
      await scene.sweep({ ...IDLE, ...policy }, zone);
      seen.push((await scene.ended()).length);
    }
    assert.deepEqual(seen, [index, index + 1], `${used} ${zone} ${JSON.stringify(policy)}`);
  }
});

test('without a reset a chat goes on for ever; what is set for its type or platform wins', async () => {
  await using scene = await openSweepScene({ flushMinTurns: 0 });
  await scene.say('hello');
  const { sessionId } = (await scene.route()) ?? {};
  scene.usedAt(at('2020-01-10T12:00:00Z'));
  scene.setNow(at('2026-01-10T12:00:00Z'));
  const sweep = async (settings: Partial<SliceValues<typeof resetSettings>>): Promise<number> => {
    const all = { ...collectDefaults(resetSettings), ...settings };
    await scene.sweep(({ target, chat }) => selectResetPolicy(all, target.platform, chat.type));
    return (await scene.ended()).length;
  };
  const none = { mode: 'none' };
  assert.deepEqual(
    [
      await sweep({ 'session_reset.mode': 'none' }),
      await sweep({ reset_by_type: { private: none } }),
      await sweep({ reset_by_platform: { telegram: none }, reset_by_type: { private: { mode: 'idle', idle_minutes: 5 } } }),
      await sweep({ 'session_reset.mode': 'none', reset_by_type: { group: { mode: 'idle' } } }),
      await sweep({ 'session_reset.mode': 'none', reset_by_type: { private: { mode: 'idle' } } }),
    ],
    [0, 0, 0, 0, 1],
  );
  assert.deepEqual(await scene.ended(), [[sessionId, 'expired']]);
});

test('a message that comes to a session that is over begins another, also before any sweep has run', async () => {
  await using scene = await openSweepScene();
  await scene.say('I like tea');
  const { sessionId } = (await scene.route()) ?? {};
  await scene.restart(() => scene.usedAt(at('2026-01-10T12:00:00Z')));
  scene.setNow(at('2026-01-12T12:00:00Z'));
  await scene.say('good morning');
  assert.deepEqual(await scene.ended(), [[sessionId, 'expired']]);
  assert.notEqual((await scene.route())?.sessionId, sessionId);
  assert.match(scene.remembered(), /Likes tea/);
});

test('sessions that nobody opened since a restart end as well, with what is worth remembering', async () => {
  await using scene = await openSweepScene();
  await scene.say('I like tea');
  const { sessionId } = (await scene.route()) ?? {};
  await scene.restart(() => scene.usedAt(at('2026-01-10T12:00:00Z')));
  scene.setNow(at('2026-01-12T12:00:00Z'));
  await scene.sweep(IDLE);
  assert.deepEqual(await scene.ended(), [[sessionId, 'expired']]);
  assert.match(scene.remembered(), /Likes tea/);
});

test('sessions of many chats are asked at the same time what to remember: one that does not answer holds up no other', async () => {
  const [all, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let flushes = 0;
  let people: readonly TelegramPerson[] = [];
  await using scene = await openScene({
    isUnlimited: true,
    // Only of the words of owners something is remembered.
    config: ({ server }) => {
      people = ['Bob', 'Cy', 'Di'].map((name) => server.people.addUser(name));
      return `    owners: [${people.map(({ id }) => `"${id}"`).join(', ')}]\nmemory:\n  flush_min_turns: 1\n`;
    },
    script: async (request) => {
      if (!isFlush(request)) return { text: 'Heard.' };
      if (++flushes === 3) all.resolve();
      await release.promise;
      return { text: 'nothing' };
    },
    overrides: { resets: { policyOf: () => ({ ...IDLE, idleMinutes: 1 }), timeZone: 'UTC' } },
  });
  const { server, bot } = scene.stage;
  const chats = people.map((person) => ({ person, chat: server.people.openPrivate(bot, person) }));
  for (const { person, chat } of chats) server.people.say(chat, person, 'hello');
  await scene.until(() => chats.every(({ chat }) => server.log.visible(chat).some(({ text }) => text === 'Heard.')));
  await scene.until(() => scene.gateway().running === 0);
  using db = new DatabaseSync(resolveHome({ HERMES_HOME: scene.root }).store);
  db.prepare('UPDATE routes SET used_at = ?').run(at('2026-01-10T12:00:00Z'));
  const swept = scene.gateway().sweep(NEVER);
  await all.promise;
  release.resolve();
  await swept;
  const ended = (await scene.host().store.list({})).flatMap(({ endReason }) => endReason ?? []);
  assert.deepEqual(ended, ['expired', 'expired', 'expired']);
});

interface AsideScene extends GatewayScene {
  /** The model was asked beside the conversation. */
  readonly asked: Promise<void>;
  readonly answer: () => void;
  readonly say: (text: string) => void;
  /** Waits until our bot has said so many things. */
  hears(count: number): Promise<void>;
}
/** A chat that nobody wrote to for long, and a model that takes its time for what is asked beside the conversation. */
async function openAsideScene(flush: () => Promise<ScriptedAnswer>): Promise<AsideScene> {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const scene = await openScene({
    isUnlimited: true,
    config: 'streaming:\n  enabled: false\nmemory:\n  flush_min_turns: 1\n',
    overrides: { resets: { policyOf: () => IDLE, timeZone: 'UTC' } },
    script: async (request) => {
      if (isFlush(request)) return flush();
      if (!JSON.stringify(request.messages.at(-1)).includes('which file')) return { text: 'Heard.' };
      asked.resolve();
      await answer.promise;
      return { text: 'It was notes.txt.' };
    },
  });
  const { server, ann, dm } = scene.stage;
  const hears = (count: number) => scene.until(() => scene.said().length === count);
  const say = (text: string): void => void server.people.say(dm, ann, text);
  say('hello');
  await hears(1);
  await scene.until(() => scene.gateway().running === 0);
  using db = new DatabaseSync(resolveHome({ HERMES_HOME: scene.root }).store);
  db.prepare('UPDATE routes SET used_at = ?').run(at('2026-01-10T12:00:00Z'));
  return { ...scene, asked: asked.promise, answer: answer.resolve, say, hears };
}

test('neither a sweep nor a message ends the session in which something is asked beside the conversation', async () => {
  await using scene = await openAsideScene(async () => ({ text: 'nothing' }));
  scene.say('/btw which file?');
  await scene.asked;
  await scene.gateway().sweep(NEVER);
  scene.say('next');
  await scene.hears(2);
  scene.answer();
  await scene.hears(3);
  assert.deepEqual(scene.said(), ['Heard.', 'Heard.', 'It was notes.txt.']);
  assert.deepEqual(
    (await scene.host().store.list({})).map(({ endReason }) => endReason),
    [undefined],
  );
});

test('what is asked beside the conversation while its session ends is answered all the same', async () => {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using scene = await openAsideScene(async () => {
    begun.resolve();
    await release.promise;
    return { text: 'nothing' };
  });
  const swept = scene.gateway().sweep(NEVER);
  await begun.promise;
  scene.say('/btw which file?');
  await scene.asked;
  release.resolve();
  await swept;
  scene.answer();
  await scene.hears(2);
  assert.deepEqual(scene.said(), ['Heard.', 'It was notes.txt.']);
  assert.deepEqual(
    (await scene.host().store.list({})).map(({ endReason }) => endReason),
    ['expired'],
  );
});

test('a message that reached a session just before its chat left it is answered after a death', async () => {
  await using scene = await openScene({ isUnlimited: true, script: () => ({ text: 'Heard.' }) });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().length === 1 && scene.gateway().running === 0);
  const { store } = scene.host();
  const [route] = await store.gateway.routes({});
  const sessionId = route?.sessionId ?? '';
  const [first] = await store.inbox(sessionId);
  await store.gateway.reroute(route?.key ?? '', sessionId, null);
  await store.post({ sessionId, content: [createTextBlock('still there?', 'owner')], mode: 'queue', replyTo: first?.replyTo ?? null });
  await scene.restart();
  await scene.until(() => scene.said().length === 2);
});
