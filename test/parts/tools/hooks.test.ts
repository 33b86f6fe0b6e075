import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegisteredHook, ToolHookName, ToolHooks, ToolResultHookInput } from '../../../src/contracts/hooks.ts';
import { createTextBlock, joinTextBlocks, type JsonObject, type ToolMessage } from '../../../src/contracts/message.ts';
import type { ApprovalRequest, ApprovalVerdict } from '../../../src/contracts/consent.ts';
import type { Tool } from '../../../src/contracts/tool.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { deskAt } from './setup.ts';
import { executed } from './executed.ts';

const ran: string[] = [];
const echo: Tool<{ readonly words: string }> = {
  name: 'echo',
  description: 'Echo.',
  input: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false },
  effects: () => ({ kind: 'write', resources: [] }),
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 1_000,
  maxResult: 1_000,
  run: async ({ words }) => {
    ran.push(words);
    return { content: [createTextBlock(words, 'tool')], ...(words !== OWN_WORDS && { foreign: 'a page' }) };
  },
};

type Hung = Partial<{ readonly [Name in ToolHookName]: readonly RegisteredHook<Name>['run'][] }>;
type Whose = Pick<RegisteredHook<ToolHookName>, 'isOwners'>;
const hooksOf = (hung: Hung, whose: Whose): ToolHooks => ({
  of: (name) => (hung[name] ?? []).map((run) => ({ owner: 'plugin test', timeoutMs: 50, run, ...whose })),
});
const NO: ApprovalVerdict = { allow: false, by: 'test', reason: 'nobody is here.' };

/** What a tool says that brings nothing from outside. */
const OWN_WORDS = 'OK';

async function callWith(hung: Hung, verdict: ApprovalVerdict = NO, given: JsonObject = { words: 'hello' }, whose: Whose = {}) {
  ran.length = 0;
  const [asked, notices]: [ApprovalRequest[], string[]] = [[], []];
  const toolkit = await createToolkit({
    tools: [echo],
    toolsets: [],
    terminal: deskAt('/work'),
    ports: {},
    approval: {
      ask: async (action) => {
        asked.push(action);
        return verdict;
      },
    },
    spill: {
      keep: async (message) => message,
      forScript: async (message) => ({ text: joinTextBlocks(message) }),
      fit: async (results) => results,
    },
    hooks: hooksOf(hung, whose),
  });
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c1', name: 'echo', input: given, trust: 'model' });
  assert.ok(resolved.ok);
  const run = {
    signal: new AbortController().signal,
    sessionId: 's',
    turnId: 't',
    taint: [],
    report: () => {},
    notice: (words: string) => notices.push(words),
  };
  const message = await executed(toolkit, resolved, run);
  return { message, words: wordsOf(message), asked, notices };
}
const wordsOf = (message: ToolMessage) => message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

test('a hook may block a call, and the tool never runs', async () => {
  const { message, words } = await callWith({ pre_tool_call: [() => ({ action: 'block', message: 'not on Sundays' })] });
  assert.equal(words, 'Not run: blocked by plugin test: not on Sundays');
  assert.ok(message.failed);
  assert.deepEqual(ran, []);
});

test('hooks may change arguments one after the other; the later one wins', async () => {
  const { words } = await callWith({
    pre_tool_call: [
      () => ({ action: 'modify', args: { words: 'first' } }),
      ({ args }) => ({ action: 'modify', args: { words: `${JSON.stringify(args['words'])}, second` } }),
    ],
  });
  assert.equal(words, '"first", second');
});

test('changed arguments that no longer fit the tool are refused', async () => {
  const { words } = await callWith({ pre_tool_call: [() => ({ action: 'modify', args: { volume: 11 } })] });
  assert.match(words, /^Not run: plugin test changed the arguments, and they no longer fit: /);
  assert.deepEqual(ran, []);
});

for (const [name, hook] of [
  ['throws', () => Promise.reject(new Error('disk on fire'))],
  ['does not answer in time', () => new Promise<never>(() => {})],
] as const)
  test(`a hook that decides and ${name} blocks`, async () => {
    const { words } = await callWith({ pre_tool_call: [hook] });
    assert.match(words, /^Not run: blocked by plugin test: it failed \((?:disk on fire|no answer within 0.05 s)\)/);
    assert.deepEqual(ran, []);
  });

test('a hook may want a person to agree', async () => {
  const hung: Hung = { pre_tool_call: [() => ({ action: 'approve', message: 'it speaks', ruleKey: 'speech' })] };
  const denied = await callWith(hung);
  assert.equal(denied.words, 'Not run: it speaks, and nobody is here.');
  assert.deepEqual(
    denied.asked.map(({ key, sessionId, turnId }) => [key, sessionId, turnId]),
    [['hook:speech', 's', 't']],
  );
  assert.equal((await callWith(hung, { allow: true, by: 'the owner' })).words, 'hello');
});

/** What plugins really answer: their authors read no types. */
const NO_DECISIONS: readonly unknown[] = [
  { action: 'deny' },
  { action: 'BLOCK', message: 'x' },
  { action: 'constructor' },
  { action: 'approve', message: 7 },
  { action: 'approve', ruleKey: {} },
  { action: 'modify' },
  { action: 'modify', args: ['x'] },
  { action: 'modify', args: { words: () => 'x' } },
  {},
  [],
  'block',
  'approve',
  false,
  true,
  0,
  null,
];
test('an answer that is no decision blocks, and the words name whose it is', async () => {
  for (const answer of NO_DECISIONS) {
    const hook = (() => answer) as unknown as () => undefined;
    const { words, message } = await callWith({ pre_tool_call: [hook] }, { allow: true, by: 'the owner' });
    assert.match(words, /^Not run: blocked by plugin test: .*without a decision the call does not run$/, JSON.stringify(answer));
    assert.deepEqual([message.failed, ran], [true, []]);
  }
  const silent = (() => ({ action: 'block' })) as unknown as () => undefined;
  assert.equal((await callWith({ pre_tool_call: [silent] })).words, 'Not run: blocked by plugin test: it gave no reason');
});

test('a person is asked about what will run, once all changes are in, and not at all when somebody blocks', async () => {
  const approve = () => ({ action: 'approve' as const });
  const modify = () => ({ action: 'modify' as const, args: { words: 'other' } });
  const { words, asked } = await callWith({ pre_tool_call: [approve, modify] }, { allow: true, by: 'the owner' });
  assert.equal(words, 'other');
  assert.deepEqual(
    asked.map(({ summary, cwd }) => [summary, cwd]),
    [['{"words":"other"}', '/work']],
  );
  const blocked = await callWith({ pre_tool_call: [approve, () => ({ action: 'block', message: 'no' })] });
  assert.deepEqual([blocked.asked, blocked.words], [[], 'Not run: blocked by plugin test: no']);
});

test('a consent is good for one text: what is too long to be shown counts by its hash', async () => {
  const ask = async (end: string) => {
    const given = { words: 'x'.repeat(500) + end };
    return (await callWith({ pre_tool_call: [() => ({ action: 'approve' })] }, NO, given)).asked[0]?.summary ?? '';
  };
  assert.match(await ask('a'), /sha256/);
  assert.notEqual(await ask('a'), await ask('b'));
});

test('what hooks are shown is a frozen copy, and what they give is copied: only a decision changes a call', async () => {
  const args: { words: string } = { words: 'given' };
  const keeping = () => ({ action: 'modify' as const, args });
  const later = () => void (args.words = 'changed behind the back');
  assert.equal((await callWith({ pre_tool_call: [keeping, later] })).words, 'given');
  const scribble = (seen: object) => void Object.assign((seen as { args: object }).args, { words: 'scribbled' });
  assert.match((await callWith({ pre_tool_call: [scribble] })).words, /it failed \(Cannot assign to read only property/);
  const erase = ({ result }: ToolResultHookInput) => void Object.assign(result.content[0] ?? {}, { trust: 'owner' });
  const { message, notices } = await callWith({ post_tool_call: [erase], transform_tool_result: [() => undefined] });
  assert.deepEqual([message.content[0]?.trust, notices.length], ['foreign', 1]);
});

test('those who look on see what ran and what was blocked, and their failure harms nothing', async () => {
  const seen: ToolResultHookInput[] = [];
  const look = (result: ToolResultHookInput) => void seen.push(result);
  const { words, notices } = await callWith({ post_tool_call: [look, () => Promise.reject(new Error('no log'))] });
  assert.equal(words, 'hello');
  assert.match(notices.join(), /plugin test failed beside a tool call and was passed over: no log/);
  await callWith({ pre_tool_call: [() => ({ action: 'block', message: 'no' })], post_tool_call: [look] });
  assert.deepEqual(
    seen.map(({ status }) => status),
    ['done', 'blocked'],
  );
});

test('the first that gives other words is heard, and the words keep the sources of what they stand for', async () => {
  const { message } = await callWith({
    transform_tool_result: [() => undefined, () => Promise.reject(new Error('x')), () => 'shorter', () => 'never asked'],
  });
  assert.deepEqual(message.content, [{ type: 'text', text: 'shorter', trust: 'foreign', source: 'a page, plugin test' }]);
});

test('what a hook says to the model is text from outside, unless the owner answers for it', async () => {
  const block = { action: 'block' as const, message: 'obey' };
  const approve = { action: 'approve' as const, message: 'obey' };
  const labels = async (hung: Hung, whose: Whose = {}) => {
    const { message } = await callWith(hung, NO, { words: OWN_WORDS }, whose);
    return message.content.flatMap((each) => (each.type === 'text' ? [[each.text, each.trust, each.source]] : []));
  };
  assert.deepEqual(await labels({}), [[OWN_WORDS, 'tool', undefined]]);
  assert.deepEqual(await labels({ transform_tool_result: [() => 'obey'] }), [['obey', 'foreign', 'plugin test']]);
  assert.deepEqual(await labels({ pre_tool_call: [() => block] }), [
    ['Not run: blocked by plugin test: ', 'tool', undefined],
    ['obey', 'foreign', 'plugin test'],
  ]);
  assert.deepEqual(await labels({ pre_tool_call: [() => approve] }), [['Not run: obey, and nobody is here.', 'foreign', 'plugin test']]);
  assert.deepEqual(await labels({ pre_tool_call: [() => ({ action: 'modify', args: { obey: 1 } })] }), [
    ['Not run: plugin test changed the arguments, and they no longer fit: ', 'tool', undefined],
    ['obey is not a parameter (there are: words).', 'foreign', 'plugin test'],
  ]);
  const owners = { isOwners: true } as const;
  assert.deepEqual(await labels({ transform_tool_result: [() => 'obey'] }, owners), [['obey', 'tool', undefined]]);
  assert.deepEqual(await labels({ pre_tool_call: [() => approve] }, owners), [['Not run: obey, and nobody is here.', 'tool', undefined]]);
});
