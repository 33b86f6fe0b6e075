import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewDelivery } from '../../../../src/contracts/gateway-store.ts';
import type { OutboundMessage, PlatformTraits, SendResult } from '../../../../src/contracts/platform-adapter.ts';
import type { PlatformSender } from '../../../../src/faces/gateway/contract.ts';
import { sendDelivery } from '../../../../src/faces/gateway/send/outbox.ts';
import { noteUnsent, takeUnsentNotes } from '../../../../src/faces/gateway/send/unsent-files.ts';
import { createRates } from '../../../../src/faces/gateway/send/rates.ts';
import { telegram } from '../../../../src/platforms/telegram/index.ts';
import { admitOne, createDelivery } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';
import { readOneAccount } from '../platform-kinds.ts';

const ACCOUNT = { platform: 'telegram', account: 'main' } as const;
const MINUTE = 60_000;

/** What a service does that does not simply take everything. */
interface Service {
  readonly traits?: Partial<PlatformTraits>;
  /** What comes of the first sends. */
  readonly results?: SendResult[];
  readonly findSent?: NonNullable<PlatformSender['findSent']>;
}

/** An outbox at a clock that jumps to what is due next, and a service that takes everything. */
async function openOutbox(replyTo: 'first' | 'all' = 'first', service: Service = {}) {
  const staged = await stageGatewayStore();
  const sent: { readonly at: number; readonly message: OutboundMessage }[] = [];
  const take: PlatformSender['send'] = async (message) => {
    sent.push({ at: staged.now(), message });
    const given = service.results?.shift();
    if (given !== undefined) return given;
    return { type: 'sent', messageId: String(sent.length) };
  };
  const failed: (readonly [string, string])[] = [];
  const log: string[] = [];
  const { findSent } = service;
  const sender: PlatformSender = { send: take, download: async () => ({ type: 'too_large' }), ...(findSent !== undefined && { findSent }) };
  const config = readOneAccount({ platforms: { telegram: { reply_to_mode: replyTo } } });
  const account = { ref: ACCOUNT, kind: { ...telegram, traits: { ...telegram.traits, ...service.traits } }, config, sender };
  const deps = {
    store: staged.gateway,
    findAccount: () => account,
    rates: createRates(staged.now),
    blobs: { path: (hash: string) => hash },
    move: async () => {},
    questions: { fail: (token: string, why: string) => void failed.push([token, why]) },
    clock: { now: staged.now, sleep: async (ms: number) => staged.advance(ms) },
    log: (words: string) => void log.push(words),
  };
  /** What is due now, and what comes up behind it. */
  const sendDue = async (): Promise<void> => {
    const rows = await staged.gateway.take('delivery', { owner: 'one', leaseMs: 1e9, limit: 99 });
    for (const row of rows) await sendDelivery(row, deps, new AbortController().signal);
    if (rows.length > 0) await sendDue();
  };
  const send = async (planned: readonly NewDelivery[]): Promise<void> => {
    await staged.gateway.plan(planned);
    await sendDue();
  };
  const deliver = async (planned: readonly NewDelivery[]): Promise<void> => {
    await staged.gateway.plan(planned);
    for (let due = await staged.gateway.nextDue('delivery'); due !== undefined; due = await staged.gateway.nextDue('delivery')) {
      staged.advance(due);
      await sendDue();
    }
  };
  return { staged, sent, failed, log, send, deliver, [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose]() };
}

/** Whether no stretch of a minute has more than so many. */
const mostPerMinute = (times: readonly number[]): number =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + MINUTE).length));

test('answers in a group keep to the limit of groups, those in private to that of a chat', async () => {
  await using outbox = await openOutbox();
  const { staged, sent, deliver } = outbox;
  await admitOne(staged.gateway, '7', 'hello');
  for (const chat of ['7', '-100']) await deliver(Array.from({ length: 50 }, (_, index) => createDelivery(chat, `answer ${index}`)));
  const timesOf = (chat: string): readonly number[] => sent.flatMap(({ at, message }) => (message.chatId === chat ? [at] : []));
  assert.deepEqual([timesOf('7').length, timesOf('-100').length], [50, 50]);
  assert.deepEqual([mostPerMinute(timesOf('7')), mostPerMinute(timesOf('-100'))], [50, 20]);
});

test('which messages of an answer point to what they answer is what the account says', async () => {
  const long = Array.from({ length: 300 }, (_, index) => `Line ${index} of an answer that is too long for one message.`).join('\n\n');
  const pointing = async (mode: 'first' | 'all'): Promise<readonly (string | undefined)[]> => {
    await using outbox = await openOutbox(mode);
    await outbox.deliver([createDelivery('7', 'long', { content: { type: 'text', markdown: long }, replyTo: '5' })]);
    return outbox.sent.map(({ message }) => message.replyTo);
  };
  const [first, all] = [await pointing('first'), await pointing('all')];
  assert.ok(first.length > 2);
  assert.deepEqual(first, ['5', ...first.slice(1).map(() => undefined)]);
  assert.deepEqual(
    all,
    first.map(() => '5'),
  );
});

/** What was sent in the end after an attempt of which nobody knows, by what a service can tell of it. */
const DOUBTS: readonly (readonly [string, Service, isMarked: boolean])[] = [
  ['a service that tells it is not there', { traits: { idempotency: 'read_back' }, findSent: async () => ({ type: 'absent' }) }, false],
  ['one that will never tell', { traits: { idempotency: 'read_back' }, findSent: async () => ({ type: 'untold' }) }, true],
  ['one that knows our keys', { traits: { idempotency: 'key' } }, false],
  ['one that knows our keys, not this one', { traits: { idempotency: 'key' }, findSent: async () => ({ type: 'untold' }) }, true],
  ['one that has forgotten the key', { traits: { idempotency: 'key', keyMs: 10 } }, true],
  ['one that knows nothing', { traits: { idempotency: 'none' } }, true],
];
for (const [name, service, isMarked] of DOUBTS)
  test(`a text in doubt, at ${name}, is ${isMarked ? 'marked' : 'not marked'}, also when an attempt in between surely failed`, async () => {
    const results: SendResult[] = [
      { type: 'unknown', why: 'no answer' },
      { type: 'not_sent', why: 'nobody was reached' },
      { type: 'limited', retryAfterMs: 3_000, scope: 'chat' },
    ];
    await using outbox = await openOutbox('first', { ...service, results });
    await outbox.deliver([createDelivery('7', 'hello')]);
    const texts = outbox.sent.map(({ message: { content } }) => content.type === 'text' && content.markdown);
    const again = isMarked ? '_(may be a repeat)_\n\nhello' : 'hello';
    assert.deepEqual(texts, ['hello', again, again, again]);
  });

test('an answer that comes after the reply window waits until somebody writes there, and goes out before what was written later', async () => {
  await using outbox = await openOutbox('first', { results: [{ type: 'window_closed', why: 'nobody wrote here for a day' }] });
  const { staged, sent, send } = outbox;
  await send([createDelivery('7', 'late')]);
  await send([createDelivery('7', 'later'), createDelivery('8', 'elsewhere')]);
  assert.deepEqual(
    sent.map(({ message }) => message.chatId),
    ['7', '8'],
  );
  await admitOne(staged.gateway, '7', 'hello');
  await send([]);
  const texts = sent.slice(2).map(({ message: { content } }) => content.type === 'text' && content.markdown);
  assert.deepEqual(texts, ['late', 'later']);
});

/** What nobody was reached with for longer than it may wait. */
const unreached = (count: number): SendResult[] => Array.from({ length: count }, () => ({ type: 'not_sent', why: 'nobody was reached' }));
const wordsOf = (sent: readonly { readonly message: OutboundMessage }[]): readonly unknown[] =>
  sent.map(({ message: { content } }) => content.type !== 'media' && content.markdown);
const DROPPED = 'Some of what I wrote here could not be delivered in time and was dropped. Ask me again if you still need it.';

test('what nobody hears in time expires: the log and the chat are told, the chat once, and it goes on', async () => {
  await using outbox = await openOutbox('first', { results: [{ type: 'window_closed', why: 'nobody wrote here for a day' }] });
  const late = ['late', 'late too'].map((text) => createDelivery('7', text, { maxAgeMs: MINUTE }));
  await outbox.deliver([...late, createDelivery('7', 'later')]);
  assert.deepEqual(
    (await outbox.staged.gateway.deliveries({})).map(({ state }) => state),
    ['expired', 'expired', 'sent', 'sent'],
  );
  assert.deepEqual(wordsOf(outbox.sent), ['late', 'later', DROPPED]);
  assert.deepEqual(
    outbox.log.filter((words) => words.includes('was dropped')),
    [
      'telegram: something for 7 was dropped: it could not be delivered in time (nobody wrote here for a day)',
      'telegram: something for 7 was dropped: it could not be delivered in time',
    ],
  );
});

test('a chat that is never reached again is told of what it missed for one day, and not of that', async () => {
  await using outbox = await openOutbox('first', { results: unreached(1e5) });
  await outbox.deliver([createDelivery('7', 'late', { maxAgeMs: MINUTE })]);
  assert.deepEqual(
    (await outbox.staged.gateway.deliveries({})).map(({ key, state }) => [key.split(':')[0], state]),
    [
      ['7/late', 'expired'],
      ['expired', 'expired'],
    ],
  );
});

test('the model hears with the next message what of its answers expired', async () => {
  await using outbox = await openOutbox('first', { results: unreached(60) });
  const { gateway } = outbox.staged;
  const { session } = await admitOne(gateway, '7', 'hello');
  const file = { type: 'media', kind: 'document', blob: 'b', name: 'list.pdf', mime: 'application/pdf', bytes: 1 } as const;
  const own = { sessionId: session.id, maxAgeMs: MINUTE };
  await outbox.deliver([createDelivery('7', 'An answer.', own), { ...createDelivery('7', 'file', own), content: file }]);
  const [route] = await gateway.routes({ sessionId: session.id });
  const why = 'it could not be delivered in time';
  assert.deepEqual(
    takeUnsentNotes(route).overlay.map((block) => block.text),
    [
      `Of your last answers this did not arrive; people were told where they can be reached:\nI could not send what begins with "An answer.": ${why}.\nI could not send \`list.pdf\`: ${why}.`,
    ],
  );
});

test('the model hears what was for a chat in which nobody can be reached', async () => {
  await using outbox = await openOutbox('first', { results: [{ type: 'dead', why: 'the bot was blocked' }] });
  const { gateway } = outbox.staged;
  const { session } = await admitOne(gateway, '7', 'hello');
  const content = { type: 'media', kind: 'document', blob: 'b', name: 'list.pdf', mime: 'application/pdf', bytes: 1 } as const;
  await outbox.deliver([{ ...createDelivery('7', 'file', { sessionId: session.id }), content }]);
  const [route] = await gateway.routes({ sessionId: session.id });
  assert.deepEqual(Object.entries(route?.facts ?? {}), [['unsent:7/file', ['I could not send `list.pdf`: the bot was blocked.']]]);
});

test('of what did not arrive a chat keeps the newest twenty, each once', async () => {
  await using outbox = await openOutbox();
  const { gateway } = outbox.staged;
  await admitOne(gateway, '7', 'hello');
  const [before] = await gateway.routes({});
  for (const index of [0, ...Array.from({ length: 25 }, (_, each) => each), 24])
    await noteUnsent(gateway, before?.key ?? '', `answer ${index}`, [`file ${index}`]);
  const [route] = await gateway.routes({});
  assert.deepEqual(
    Object.values(route?.facts ?? {}),
    Array.from({ length: 20 }, (_, index) => [`file ${index + 5}`]),
  );
});

test('a question whose card expires is not waited for', async () => {
  await using outbox = await openOutbox('first', { results: unreached(60) });
  const content = { type: 'card', markdown: 'Run this?', questionId: 'q1', buttons: [] } as const;
  await outbox.deliver([{ ...createDelivery('7', '', { maxAgeMs: MINUTE }), content }]);
  assert.deepEqual(outbox.failed, [['q1', 'it could not be delivered in time']]);
});

test('a card that the service refuses is told to the chat, and its question is not waited for', async () => {
  await using outbox = await openOutbox('first', { results: [{ type: 'refused', why: 'it is too odd' }] });
  const content = { type: 'card', markdown: 'Run this?', questionId: 'q1', buttons: [] } as const;
  await outbox.deliver([{ ...createDelivery('7', ''), content }]);
  assert.deepEqual(
    [outbox.failed, outbox.sent.map(({ message }) => message.content.type !== 'media' && message.content.markdown)],
    [[['q1', 'it is too odd']], ['Run this?', 'I could not show you a question: it is too odd.']],
  );
});
