import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ToolHooks } from '../../../src/contracts/hooks.ts';
import { createTextBlock, joinTextBlocks } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { ApprovalRequest, Approver } from '../../../src/contracts/consent.ts';
import { ToolFailure, ToolRefusal, type AnyTool, type Tool } from '../../../src/contracts/tool.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import type { ToolkitOptions } from '../../../src/parts/tools/options.ts';
import { testTool } from '../../agent/setup.ts';
import { deskAt, tempFolder } from './setup.ts';

const signal = new AbortController().signal;
const ACT: ApprovalRequest = { tool: 'act', summary: 'do it', reason: 'it matters' };
const YES: Approver = { ask: async () => ({ allow: true, by: 'the owner' }) };
type Asks = NonNullable<Tool<Record<string, unknown>>['asks']>;

/** A call of one tool at the door, and what it did. */
async function atDoor(asks: Asks, approval: Approver = YES, options: Partial<ToolkitOptions> = {}) {
  const did: string[] = [];
  const tool: AnyTool = testTool(
    'act',
    async (_input, { approve }) => {
      const verdict = await approve(ACT);
      did.push(verdict.by);
      return { content: [createTextBlock('done', 'tool')] };
    },
    { asks },
  );
  const folder = tempFolder();
  const kit = await createToolkit({
    tools: [tool],
    toolsets: ['test'],
    terminal: deskAt(folder),
    ports: {},
    approval,
    spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
    ...options,
  });
  const resolved = kit.resolve({ type: 'tool_call', id: 'c1', name: 'act', input: {}, trust: 'model' });
  assert.ok(resolved.ok);
  const prepared = await kit.prepare(resolved, { signal, sessionId: 's', turnId: 't', taint: [], report: () => {} });
  return { did, prepared, words: async () => joinTextBlocks((await prepared.run()).message) };
}

const objection = (action: ApprovalRequest) => ({ action, refusal: (why: string) => `Not done: ${why}` });

test('what stands against a call is told before it runs, and what was agreed to is not asked again while it runs', async () => {
  const asked: ApprovalRequest[] = [];
  const { did, prepared, words } = await atDoor(async () => objection(ACT), {
    ask: async (action) => (asked.push(action), { allow: true, by: `answer ${asked.length}` }),
  });
  assert.deepEqual(await prepared.admission(), { type: 'ask', action: ACT });
  await prepared.ask({ ...ACT, callId: 'c1', questionId: 'q1' }, signal);
  assert.deepEqual(await prepared.admission(), { type: 'ready' });
  assert.deepEqual([await words(), did], ['done', ['answer 1']]);
  assert.deepEqual(asked, [{ ...ACT, sessionId: 's', turnId: 't', callId: 'c1', questionId: 'q1' }]);
});

test('what changed while somebody was asked is another act: agreeing to the one lets the other not through', async () => {
  let hash = 'before';
  const asks: Asks = async () => objection({ ...ACT, read: [{ path: '/script', hash }] });
  const { did, prepared, words } = await atDoor(asks);
  const first = await prepared.admission();
  assert.ok(first.type === 'ask');
  hash = 'after';
  await prepared.ask(first.action, signal);
  const second = await prepared.admission();
  assert.deepEqual(second, { type: 'ask', action: { ...ACT, read: [{ path: '/script', hash: 'after' }] } });
  assert.deepEqual([await words(), did], ['Not run: it has not been approved.', []]);
});

test('the hooks before a call are asked once, however often somebody is asked', async () => {
  let calls = 0;
  const run = () => (calls++, { action: 'approve' as const, message: 'the hook wants it' });
  const hooks: ToolHooks = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one hook, of the name that is asked for
    of: (name) => (name === 'pre_tool_call' ? ([{ owner: 'plugin x', timeoutMs: 1_000, run }] as never) : []),
  };
  const { prepared } = await atDoor(async () => objection(ACT), YES, { hooks });
  const reasons: string[] = [];
  for (let next = await prepared.admission(); next.type === 'ask'; next = await prepared.admission()) {
    reasons.push(next.action.reason);
    await prepared.ask(next.action, signal);
  }
  assert.deepEqual([reasons, calls], [['the hook wants it', 'it matters'], 1]);
});

test('an answer that needs nobody is taken without a question; a no of that kind refuses', async () => {
  const ask = () => assert.fail('nobody is asked');
  const allowed = await atDoor(async () => objection(ACT), { ask, known: async () => ({ allow: true, by: 'the allow list' }) });
  assert.deepEqual(await allowed.prepared.admission(), { type: 'ready' });
  assert.deepEqual([await allowed.words(), allowed.did], ['done', ['the allow list']]);
  const denied = await atDoor(async () => objection(ACT), { ask, known: async () => ({ allow: false, by: 'policy', reason: 'not here' }) });
  assert.deepEqual(await denied.prepared.admission(), { type: 'refused' });
  assert.deepEqual([await denied.words(), denied.did], ['Not done: not here', []]);
});

const THROWN: readonly (readonly [string, Error, 'ready' | 'refused', RegExp])[] = [
  ['a refusal', new ToolRefusal('Not run, and nobody can allow it.'), 'refused', /^Not run, and nobody can allow it\.$/],
  ['a failure, which the call itself tells', new ToolFailure('no such thing'), 'ready', /^done$/],
  ['a defect, which lets nothing through', new TypeError('x is not a function'), 'refused', /^Not run: a check before the call failed/],
];
for (const [name, error, type, said] of THROWN)
  test(`a tool that throws while it only looks: ${name}`, async () => {
    const { prepared, words } = await atDoor(() => Promise.reject(error));
    assert.deepEqual(await prepared.admission(), { type });
    assert.match(await words(), said);
  });

test('a call nobody looked at is not run, and a question that cannot be put is a no', async () => {
  const unseen = await atDoor(async () => undefined);
  assert.equal(await unseen.words(), 'Not run: it has not been approved.');
  const broken = await atDoor(async () => objection(ACT), { ask: () => Promise.reject(new Error('no line to the owner')) });
  await broken.prepared.admission();
  assert.equal((await broken.prepared.ask(ACT, signal)).allow, false);
  assert.deepEqual([await broken.words(), broken.did], ['Not done: no line to the owner', []]);
});
