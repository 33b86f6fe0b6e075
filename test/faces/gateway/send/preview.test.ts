import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Outcome } from '../../../../src/contracts/event.ts';
import type { SendResult } from '../../../../src/contracts/platform-adapter.ts';
import { writeAddress } from '../../../../src/faces/gateway/addresses/reply-address.ts';
import type { PlatformSender, ReplyAddress } from '../../../../src/faces/gateway/contract.ts';
import { createAnswerPlanner } from '../../../../src/faces/gateway/send/answers.ts';
import { openPreview, type AnswerPreview } from '../../../../src/faces/gateway/send/preview.ts';
import { replacePreview } from '../../../../src/faces/gateway/send/replace-preview.ts';
import { createRates } from '../../../../src/faces/gateway/send/rates.ts';
import { admitOne } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';
import { createVirtualClock } from '../link/virtual-clock.ts';
import { readOneAccount } from '../platform-kinds.ts';

const ACCOUNT = { platform: 'telegram', account: 'main' } as const;
const SECOND = 1_000;
/** How long an answer may take after its first words before it is shown in advance. */
const FIRST_MS = 250;

/** A preview at a clock that stands still until it is moved. */
async function openStage(rates: readonly { scope: 'chat'; calls: number; perMs: number }[] = []) {
  const staged = await stageGatewayStore();
  const shown: string[] = [];
  const clock = createVirtualClock();
  const note = (words: string): SendResult => {
    shown.push(words);
    return { type: 'sent', messageId: '1' };
  };
  const textOf = (content: Parameters<PlatformSender['send']>[0]['content']): string => (content.type === 'text' ? content.markdown : '');
  const config = readOneAccount();
  const kind = { ...config.kind, traits: { ...config.kind.traits, rates } };
  const sender: PlatformSender = {
    send: async ({ content }) => note(textOf(content)),
    edit: async ({ content }) => note(textOf(content)),
    download: async () => ({ type: 'too_large' }),
  };
  const target = { ...ACCOUNT, chatId: '7' };
  const preview: AnswerPreview = openPreview(
    { store: staged.gateway, account: { ref: ACCOUNT, kind, config, sender }, rates: createRates(clock.now), clock },
    {
      address: { routeKey: 'agent:main:telegram:private:7', target, senderId: '7', role: 'owner' },
      sessionId: 's',
      turnId: 't',
      intervalMs: 10 * SECOND,
      threshold: 40,
      cursor: '|',
    },
  );
  /** Everything that can happen without time passing has happened. */
  const settled = async (): Promise<void> => {
    for (let round = 0; round < 200; round++) await breathe();
  };
  return {
    shown,
    show: async (words: string): Promise<void> => {
      preview.show({ length: words.length, render: () => words });
      await settled();
    },
    pass: async (ms: number): Promise<void> => {
      await clock.pass(ms);
      await settled();
    },
    [Symbol.asyncDispose]: async () => {
      await preview.end();
      await staged[Symbol.asyncDispose]();
    },
  };
}

test('a preview is changed when its time is over, or before that when enough has come', async () => {
  await using stage = await openStage();
  await stage.show('a');
  await stage.pass(FIRST_MS);
  assert.deepEqual(stage.shown, ['a|']);
  await stage.show(`a${'b'.repeat(39)}`);
  assert.deepEqual(stage.shown.length, 1, 'too little has come');
  await stage.show(`a${'b'.repeat(40)}`);
  assert.deepEqual(stage.shown.at(-1), `a${'b'.repeat(40)}|`);
  await stage.show(`a${'b'.repeat(40)}c`);
  assert.deepEqual(stage.shown.length, 2);
  await stage.pass(10 * SECOND);
  assert.deepEqual(stage.shown.at(-1), `a${'b'.repeat(40)}c|`);
  assert.deepEqual(stage.shown.length, 3);
});

test('however much comes, a preview keeps to what the service allows', async () => {
  await using stage = await openStage([{ scope: 'chat', calls: 2, perMs: 60 * SECOND }]);
  await stage.show('a');
  await stage.pass(FIRST_MS);
  for (let more = 1; more <= 5; more++) await stage.show('a'.repeat(1 + more * 40));
  assert.deepEqual(stage.shown.length, 1);
  await stage.pass(60 * SECOND);
  assert.deepEqual(stage.shown, ['a|', `${'a'.repeat(201)}|`]);
});

test('an answer that comes at once is not shown in advance', async () => {
  const stage = await openStage();
  await stage.show('a');
  await stage.pass(FIRST_MS - 1);
  await stage.show(`a${'b'.repeat(100)}`);
  await stage[Symbol.asyncDispose]();
  assert.deepEqual(stage.shown, []);
});

test('a lost preview is found by its key as long as the service knows it; after that the answer is marked', async () => {
  await using staged = await stageGatewayStore();
  const config = readOneAccount();
  const kind = { ...config.kind, traits: { ...config.kind.traits, idempotency: 'key', keyMs: 120 * SECOND } as const };
  const sender: PlatformSender = {
    send: async () => ({ type: 'sent', messageId: '5' }),
    download: async () => ({ type: 'too_large' }),
  };
  await admitOne(staged.gateway, '7', 'hello');
  const [route] = await staged.gateway.routes({});
  assert.ok(route !== undefined);
  const address = { routeKey: route.key, target: route.target, senderId: '7', role: 'owner' } as const;
  await staged.gateway.remember(route.key, { preview: { turnId: 't', key: 'p1', at: 0 } });
  const replaceAt = (now: number) =>
    replacePreview({ store: staged.gateway, account: { ref: ACCOUNT, kind, config, sender }, clock: { now: () => now } }, address, {
      turnId: 't',
      key: 'answer',
    });
  assert.deepEqual([await replaceAt(119 * SECOND), await replaceAt(120 * SECOND)], [{ replaces: '5' }, { mayRepeat: true }]);
});

test('a turn that is stopped says so where a beginning of its answer may be there', async () => {
  await using staged = await stageGatewayStore();
  const config = readOneAccount();
  const sender: PlatformSender = { send: async () => assert.fail('nothing to send'), download: async () => ({ type: 'too_large' }) };
  await admitOne(staged.gateway, '7', 'hello');
  const [route] = await staged.gateway.routes({});
  assert.ok(route !== undefined);
  const address: ReplyAddress = { routeKey: route.key, target: route.target, senderId: '7', role: 'owner' };
  const plan = createAnswerPlanner({
    store: staged.gateway,
    findAccount: () => ({ ref: ACCOUNT, kind: config.kind, config, sender }),
    pauseView: async () => undefined,
    blobs: { put: async () => assert.fail('no file') },
    clock: { now: () => 0 },
  });
  const outcome: Outcome = { type: 'stopped', exitReason: 'interrupted', text: 'Stopped.', words: 'ours' };
  const planFor = (turnId: string) =>
    plan({ sessionId: 's', turnId, key: turnId, outcome, isFinal: true, replyTo: writeAddress(address) }, async () =>
      assert.fail('no file'),
    );
  assert.deepEqual(await planFor('t'), [], 'whoever stopped it was told already');
  await staged.gateway.remember(route.key, { preview: { turnId: 't', key: 'p1', at: 0 } });
  const [said] = await planFor('t');
  assert.deepEqual([said?.content, said?.mayRepeat], [{ type: 'text', markdown: '_(stopped)_' }, true]);
});

test('an answer to what was written long ago says so', async () => {
  await using staged = await stageGatewayStore();
  const target = { ...ACCOUNT, chatId: '7' };
  const config = readOneAccount();
  const sender: PlatformSender = { send: async () => assert.fail('nothing to send'), download: async () => ({ type: 'too_large' }) };
  const says = async (hours: number, label?: string) => {
    const plan = createAnswerPlanner({
      store: staged.gateway,
      findAccount: () => ({ ref: ACCOUNT, kind: config.kind, config, sender }),
      pauseView: async () => undefined,
      blobs: { put: async () => assert.fail('no file') },
      clock: { now: () => hours * 3_600 * SECOND },
    });
    const address: ReplyAddress = { routeKey: 'k', target, senderId: '7', role: 'owner', sentAt: 0, ...(label !== undefined && { label }) };
    const outcome: Outcome = { type: 'answered', exitReason: 'answered', text: 'Yes.' };
    const answer = { sessionId: 's', turnId: 't', key: 't', outcome, isFinal: true, replyTo: writeAddress(address) };
    const [said] = await plan(answer, async () => assert.fail('no file'));
    return said?.content.type === 'text' ? said.content.markdown : '';
  };
  assert.deepEqual(
    [await says(0.9), await says(5), await says(5, 'In the background: it')],
    [
      'Yes.',
      '_(in answer to what you wrote 5 hours ago)_\n\nYes.',
      '_In the background: it (in answer to what you wrote 5 hours ago)_\n\nYes.',
    ],
  );
});
