import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPreviousAnsweredCall, explainCall } from '../../src/agent/attribution.ts';
import type { CacheFinding } from '../../src/contracts/services/insight.ts';
import { createModelRequest } from '../../src/agent/request.ts';
import type { Entry, EntryBody, EntryOrigin } from '../../src/contracts/entry.ts';
import { NO_USAGE, createTextBlock, type Message } from '../../src/contracts/message.ts';
import type { RenderedSlot } from '../../src/contracts/prompt.ts';
import type { ToolDefinition } from '../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type Runtime } from '../../src/contracts/runtime.ts';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';

const AT = Date.parse('2026-11-15T12:00:00Z');
const RUNTIME: Runtime = {
  provider: 'anthropic',
  model: 'm-1',
  baseUrl: 'https://api.example.com',
  protocol: 'anthropic-messages',
  credential: 'KEY',
  limits: { window: 200_000 },
};
const TOOLS: readonly ToolDefinition[] = ['read', 'write'].map((name) => ({
  name,
  description: name,
  input: { type: 'object', properties: { path: { type: 'string', pattern: '^/' } } },
}));
const SLOTS: readonly RenderedSlot[] = ['identity', 'memory', 'skills', 'project-context'].map((name) => ({
  name,
  lifetime: 'session',
  text: `This is ${name}.`,
}));

const row = (seq: number, origin: EntryOrigin, body: EntryBody): Entry => ({ id: `e${seq}`, sessionId: 's', seq, at: AT, origin, ...body });
const epoch = (seq: number, cause: string, slots = SLOTS, tools = TOOLS): Entry =>
  row(seq, 'system', { type: 'epoch', cause, epoch: { slots, tools, model: RUNTIME.model, provider: RUNTIME.provider, toolsets: ['t'] } });
const says = (seq: number, words: string, role: 'user' | 'assistant' = 'user'): Entry => {
  const message: Message =
    role === 'user' ? { role, content: [createTextBlock(words, 'owner')] } : { role, content: [createTextBlock(words, 'model')] };
  return row(seq, role === 'user' ? 'user' : 'model', { type: 'message', message });
};
const IMAGE: Entry = row(2, 'user', {
  type: 'message',
  message: { role: 'user', content: [createTextBlock('see', 'owner'), { type: 'image', mime: 'image/png', data: 'aGk=', trust: 'owner' }] },
});
const SIGNED: Entry = row(3, 'model', {
  type: 'message',
  message: {
    role: 'assistant',
    content: [
      {
        type: 'thinking',
        text: 'hm',
        trust: 'model',
        native: { protocol: 'anthropic-messages', issuer: 'api.example.com', data: { type: 'thinking', thinking: 'hm', signature: 'x' } },
      },
      createTextBlock('yes', 'model'),
    ],
  },
});
const LOG: readonly Entry[] = [epoch(1, 'start'), IMAGE, SIGNED, says(4, 'and?'), says(5, 'so', 'assistant'), says(6, 'go on')];

const format = createWireFormats(() => undefined);
/** A call as the ledger has it: the segments are those of the real encoder over the real view. */
function call(entries: readonly Entry[], throughSeq: number, over: Partial<CallRecord> = {}): CallRecord {
  const ask = { runtime: RUNTIME, adjust: DEFAULT_ADJUSTMENTS, toolUse: 'auto', cacheTtl: '5m', ...over } as const;
  const encoded = format(ask.runtime).encode(
    createModelRequest(
      entries.filter((entry) => entry.seq <= throughSeq),
      ask,
      windowEngine,
    ),
  );
  return {
    id: `c_${throughSeq}`,
    sessionId: 's',
    turnId: 't',
    at: AT + throughSeq * 1_000,
    ms: 10,
    ...ask,
    throughSeq,
    bodyHash: '',
    bodyBytes: 0,
    segments: encoded.segments,
    estimate: 0,
    usage: { ...NO_USAGE, input: 5_000 },
    result: 'stop',
    ...over,
  };
}

interface Mutation {
  readonly name: string;
  readonly cause: CacheFinding['cause'];
  readonly segment?: string;
  readonly words: RegExp;
  /** The log with what happened between the calls at 4 and 6, when that is more than one more exchange. */
  readonly log?: readonly Entry[];
  readonly was?: Partial<CallRecord>;
  readonly is?: Partial<CallRecord>;
}
const between = (entry: Entry): Entry[] => [...LOG.slice(0, 4), { ...entry, seq: 5 }, says(6, 'go on')];
const slots = (change: (slot: RenderedSlot) => RenderedSlot): RenderedSlot[] => SLOTS.map(change);
const read = (tokens: number) => ({ usage: { ...NO_USAGE, input: 100, cacheRead: tokens } });

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'turns taken back',
    cause: 'rewind',
    segment: 'message:0',
    words: /taken back: the conversation went on after entry 1$/,
    log: between(row(5, 'user', { type: 'rewind', toSeq: 1 })),
  },
  {
    name: 'a tool added',
    cause: 'tools_changed',
    segment: 'tools',
    words: /added search.*toolset changed/,
    log: between(epoch(5, 'toolset changed', SLOTS, [...TOOLS, { name: 'search', description: '', input: {} }])),
  },
  {
    name: 'a tool removed',
    cause: 'tools_changed',
    segment: 'tools',
    words: /removed write/,
    log: between(epoch(5, 'toolset changed', SLOTS, TOOLS.slice(0, 1))),
  },
  {
    name: 'a tool described otherwise',
    cause: 'tools_changed',
    segment: 'tools',
    words: /changed read\b(?!.*write)/,
    log: between(
      epoch(
        5,
        'rebuilt by the user',
        SLOTS,
        TOOLS.map((tool) => (tool.name === 'read' ? { ...tool, description: 'new' } : tool)),
      ),
    ),
  },
  {
    name: 'tools in another order',
    cause: 'tools_changed',
    segment: 'tools',
    words: /their order/,
    log: between(epoch(5, 'rebuilt by the user', SLOTS, TOOLS.toReversed())),
  },
  {
    name: 'memory changed',
    cause: 'memory_changed',
    segment: 'system',
    words: /^memory changed; .*changed memory \(new prompt: rebuilt by the user\)/,
    log: between(
      epoch(
        5,
        'rebuilt by the user',
        slots((slot) => (slot.name === 'memory' ? { ...slot, text: 'Other.' } : slot)),
      ),
    ),
  },
  {
    name: 'the skills index gone',
    cause: 'skills_changed',
    segment: 'system',
    words: /removed skills/,
    log: between(
      epoch(
        5,
        'rebuilt by the user',
        SLOTS.filter((slot) => slot.name !== 'skills'),
      ),
    ),
  },
  {
    name: 'the project context changed',
    cause: 'project_changed',
    segment: 'system',
    words: /changed project-context/,
    log: between(
      epoch(
        5,
        'rebuilt by the user',
        slots((slot) => (slot.name === 'project-context' ? { ...slot, text: 'Other.' } : slot)),
      ),
    ),
  },
  {
    name: 'several slots gone',
    cause: 'prompt_changed',
    segment: 'system',
    words: /removed memory, skills, project-context/,
    log: between(epoch(5, 'rebuilt by the user', SLOTS.slice(0, 1))),
  },
  { name: 'another model', cause: 'model_changed', words: /m-1 to m-2/, is: { runtime: { ...RUNTIME, model: 'm-2' } } },
  {
    name: 'another provider',
    cause: 'provider_changed',
    segment: 'message:1',
    words: /anthropic to other/,
    is: { runtime: { ...RUNTIME, provider: 'other', baseUrl: 'https://other.example' } },
  },
  { name: 'another key', cause: 'route_changed', words: /KEY to KEY#2/, is: { runtime: { ...RUNTIME, credential: 'KEY#2' } } },
  {
    name: 'another wire',
    cause: 'route_changed',
    segment: 'tools',
    words: /anthropic-messages to openai-chat/,
    is: { runtime: { ...RUNTIME, protocol: 'openai-chat' } },
  },
  {
    name: 'compaction',
    cause: 'compaction',
    segment: 'message:0',
    words: /entries 2 to 3/,
    log: between(
      row(5, 'summary', {
        type: 'compaction',
        fromSeq: 2,
        toSeq: 3,
        summary: { role: 'user', content: [createTextBlock('earlier', 'model')] },
      }),
    ),
  },
  {
    name: 'images dropped',
    cause: 'adjustments_changed',
    segment: 'message:0',
    words: /images were left out/,
    is: { adjust: { ...DEFAULT_ADJUSTMENTS, images: false } },
  },
  {
    name: 'reasoning dropped',
    cause: 'adjustments_changed',
    segment: 'message:1',
    words: /signed reasoning was left out/,
    is: { adjust: { ...DEFAULT_ADJUSTMENTS, natives: false } },
  },
  {
    name: 'plainer schemas',
    cause: 'adjustments_changed',
    segment: 'tools',
    words: /made plainer/,
    is: { adjust: { ...DEFAULT_ADJUSTMENTS, plainSchemas: true } },
  },
  {
    name: 'schemas in full again',
    cause: 'adjustments_changed',
    segment: 'tools',
    words: /in full again/,
    was: { adjust: { ...DEFAULT_ADJUSTMENTS, plainSchemas: true } },
  },
  { name: 'five minutes passed', cause: 'cache_expired', words: /6 min since.*lives 5 min/, is: { at: AT + 4_000 + 360_000 } },
  {
    name: 'an hour passed',
    cause: 'cache_expired',
    words: /lives 60 min/,
    was: { cacheTtl: '1h' },
    is: { cacheTtl: '1h', at: AT + 4_000 + 3_700_000 },
  },
  {
    name: 'within the hour',
    cause: 'prefix_unchanged',
    words: /evicted it or does not report/,
    was: { cacheTtl: '1h' },
    is: { cacheTtl: '1h', at: AT + 4_000 + 3_500_000 },
  },
  {
    name: 'nothing changed, nothing read',
    cause: 'prefix_unchanged',
    words: /^prefix unchanged: the provider evicted it or does not report$/,
  },
  {
    name: 'nothing changed and a short prompt',
    cause: 'prefix_unchanged',
    words: /below about 1024/,
    was: { usage: { ...NO_USAGE, input: 90 } },
  },
  { name: 'nothing changed and all read', cause: 'cache_used', words: /4900 tokens/, is: read(4_900) },
  { name: 'only the head was read after five minutes', cause: 'cache_expired', words: /lifetime/, is: { ...read(800), at: AT + 400_000 } },
  { name: 'marks switched off', cause: 'cache_off', words: /cache_ttl: off/, was: { cacheTtl: 'off' }, is: { cacheTtl: 'off' } },
  {
    name: 'notes of a compaction',
    cause: 'beside_the_log',
    words: /notes of a compaction: a request by itself/,
    is: { purpose: 'compaction' },
  },
  {
    name: 'a question of a tool',
    cause: 'beside_the_log',
    words: /^it was made for a tool call: a request by itself/,
    is: { purpose: 'tool' },
  },
  { name: 'the call itself failed', cause: 'not_answered', words: /rate limited/, is: { result: 'rate_limited' } },
];

for (const { name, cause, segment, words, log = LOG, was, is } of MUTATIONS) {
  test(`cache attribution: ${name}`, () => {
    const finding = explainCall(call(log, 4, was), call(log, 6, is), log);
    assert.deepEqual({ cause: finding.cause, segment: finding.segment }, { cause, segment }, finding.words);
    assert.match(finding.words, words);
  });
}

test('cache attribution: a message of the log was edited', () => {
  const edited = LOG.map((entry) => (entry.seq === 4 ? says(4, 'and???') : entry));
  const finding = explainCall(call(LOG, 4), call(edited, 6), edited);
  assert.deepEqual([finding.cause, finding.segment, finding.kept], ['unexplained', 'message:2', 4]);
});

test('cache attribution: the first call of a session', () => {
  const cold = explainCall(undefined, call(LOG, 4), LOG);
  assert.deepEqual([cold.cause, cold.segment], ['first_call', undefined]);
  assert.match(cold.words, /^first call of a session/);
  assert.match(explainCall(undefined, call(LOG, 4, read(700)), LOG).words, /700 tokens.*another session/);
});

test('a call is held against the last one that was answered', () => {
  const [first, failed, second] = [call(LOG, 2), call(LOG, 4, { result: 'overloaded' }), call(LOG, 6)];
  assert.equal(findPreviousAnsweredCall([first, failed, second], second)?.id, first.id);
  assert.equal(findPreviousAnsweredCall([failed, second], second), undefined);
  const notes = { ...call(LOG, 4, { purpose: 'compaction' }), id: 'notes' };
  assert.equal(findPreviousAnsweredCall([first, notes, second], second)?.id, first.id, 'what is not made from the log leaves no prefix');
});
