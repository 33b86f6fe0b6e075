import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock, joinTextBlocks, type Json, type ToolCall, type ToolMessage } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { ApprovalRequest } from '../../../src/contracts/consent.ts';
import { ToolFailure, ToolRefusal, type AnyTool, type ToolContext, type ToolOutput, type Toolkit } from '../../../src/contracts/tool.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { describeWrite } from '../../../src/parts/tools/foreign-write-check.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { deskAt, tempFolder } from './setup.ts';
import { executed } from './executed.ts';

const folder = tempFolder();
const says = (words: string): ToolOutput => ({ content: [createTextBlock(words, 'tool')] });

function toolNamed(
  name: string,
  run: (input: { readonly n?: number }, context: ToolContext) => Promise<ToolOutput>,
  more: Partial<AnyTool> = {},
): AnyTool {
  return {
    name,
    description: name,
    input: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
    effects: () => ({ kind: 'read', resources: [] }),
    replay: 'safe',
    idempotent: true,
    trust: 'foreign',
    timeoutMs: 0,
    maxResult: 100_000,
    run,
    ...more,
  };
}

const plainOptions = {
  toolsets: ['test'],
  terminal: deskAt(folder),
  ports: {},
  approval: { ask: async ({ summary }: ApprovalRequest) => ({ allow: false as const, by: 'test', reason: `no to ${summary}` }) },
  spill: spillTo(folder, collectDefaults(toolSettings)),
};
const kitOf = (...tools: readonly AnyTool[]): Promise<Toolkit> => createToolkit({ ...plainOptions, tools });
const callOf = (name: string, input: Json = {}, malformed?: string): ToolCall => ({
  type: 'tool_call',
  id: 'c1',
  name,
  input,
  trust: 'model',
  ...(malformed !== undefined && { malformed }),
});

async function execute(kit: Toolkit, call: ToolCall, signal = new AbortController().signal): Promise<ToolMessage> {
  const resolved = kit.resolve(call);
  assert.ok(resolved.ok, resolved.ok ? '' : resolved.words);
  return executed(kit, resolved, { signal, sessionId: 's', turnId: 't', taint: [], report: () => {} });
}

test('a result carries the tool’s trust, the call’s id and clean text', async () => {
  const kit = await kitOf(toolNamed('say', async ({ n }) => says(`n is ${n}\0 \ud800`)));
  assert.deepEqual(await execute(kit, callOf('say', { n: '7' })), {
    role: 'tool',
    callId: 'c1',
    name: 'say',
    content: [{ type: 'text', text: 'n is 7\u{fffd} \u{fffd}', trust: 'foreign', source: 'say' }],
    failed: false,
  });
});

test('failures are results: words meant for the model as they are, others named for what they are', async () => {
  const kit = await kitOf(
    toolNamed('refuses', () => Promise.reject(new ToolFailure('not today'))),
    toolNamed('breaks', () => Promise.reject(new TypeError('x is undefined'))),
    toolNamed('throws', () => {
      throw new Error('before it began');
    }),
    toolNamed('reports', async () => ({ ...says('exit 1'), failed: true })),
  );
  const told = async (name: string) => {
    const { content, failed } = await execute(kit, callOf(name));
    return [joinTextBlocks({ role: 'tool', callId: '', name: '', content, failed }), failed];
  };
  assert.deepEqual(await told('refuses'), ['not today', true]);
  assert.deepEqual(await told('breaks'), ['The tool failed: TypeError: x is undefined', true]);
  assert.deepEqual(await told('throws'), ['The tool failed: Error: before it began', true]);
  assert.deepEqual(await told('reports'), ['exit 1', true]);
});

test('a tool that overruns its time is told to stop and answered for', async () => {
  let stopped = false;
  const kit = await kitOf(
    toolNamed('hangs', (_input, { signal }) => new Promise(() => signal.addEventListener('abort', () => (stopped = true))), {
      timeoutMs: 50,
    }),
  );
  assert.match(joinTextBlocks(await execute(kit, callOf('hangs'))), /took longer than 0\.05 s and was stopped/);
  assert.ok(stopped);
});

test('an abort is answered at once, whether the tool hears it or not', async () => {
  const kit = await kitOf(
    toolNamed('deaf', () => new Promise(() => {})),
    toolNamed(
      'hears',
      (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(says('stopped half way')))),
    ),
  );
  const table = [
    ['deaf', /user interrupted this call/],
    ['hears', /stopped half way/],
  ] as const;
  for (const [name, expected] of table) {
    const stop = new AbortController();
    const running = execute(kit, callOf(name), stop.signal);
    stop.abort();
    assert.match(joinTextBlocks(await running), expected);
  }
  const already = AbortSignal.abort();
  assert.match(joinTextBlocks(await execute(kit, callOf('deaf'), already)), /interrupted/);
});

test('results over the limit are spilled behind the same door', async () => {
  const kit = await kitOf(toolNamed('floods', async () => says('y'.repeat(120_000))));
  assert.match(joinTextBlocks(await execute(kit, callOf('floods'))), /whole result has 120000 characters/);
});

test('consent is asked of the approval the toolkit was given', async () => {
  const kit = await kitOf(
    toolNamed('asks', async (_input, context) => {
      const verdict = await context.approve({ tool: 'asks', summary: 'this', reason: 'why' });
      return says(verdict.allow ? 'allowed' : verdict.reason);
    }),
  );
  assert.equal(joinTextBlocks(await execute(kit, callOf('asks'))), 'no to this');
});

test('calls that cannot be run say what is wrong', async () => {
  const kit = await kitOf(
    toolNamed('say', async () => says('x')),
    toolNamed('other', async () => says('x')),
  );
  const table: readonly [ToolCall, string, RegExp][] = [
    [callOf('browser_open'), 'unknown_tool', /no tool named browser_open. There are: other, say\./],
    [callOf(' '), 'unknown_tool', /^Not run: the call named no tool\.$/],
    [callOf('say', {}, '{"n": 1'), 'malformed_json', /not complete JSON \(7 characters, ending in "{\\"n\\": 1"\)/],
    [callOf('say', {}, '[1, 2]'), 'malformed_json', /were a list of 2, not an object\. Send one JSON object/],
    [callOf('say', {}, '{"n": oops}'), 'malformed_json', /were not JSON \(Unexpected token/],
    [callOf('say', { n: 'many', more: 1 }), 'invalid_input', /n must be integer, not "many"; more is not a parameter/],
  ];
  for (const [call, problem, expected] of table) {
    const resolved = kit.resolve(call);
    assert.ok(!resolved.ok);
    assert.equal(resolved.problem, problem);
    assert.match(resolved.words, expected);
  }
});

test('a tool that is known but not there says why, however it is spelt, and no other runs in its place', async () => {
  const kit = await createToolkit({
    ...plainOptions,
    tools: [
      toolNamed('create_repo', async () => says('x')),
      toolNamed('send_message', async () => says('x'), { available: () => false, needs: 'A running gateway.' }),
    ],
    absent: () => new Map([['delete_repo', 'the owner switched it off']]),
  });
  const table: readonly [string, string | undefined, RegExp][] = [
    ['send_message', 'send_message', /^Not run: send_message is not available in this session: it needs a running gateway\. /],
    ['SendMessage', 'send_message', /it needs a running gateway/],
    ['delete_repo', 'delete_repo', /the owner switched it off\. Go on without it, or tell the user/],
    ['deletes_repo', 'delete_repo', /the owner switched it off/],
    ['remove_repo', undefined, /there is no tool named remove_repo\. Did you mean create_repo\? There are: create_repo\.$/],
  ];
  for (const [name, meant, expected] of table) {
    const resolved = kit.resolve(callOf(name));
    assert.ok(!resolved.ok);
    assert.deepEqual([resolved.problem, resolved.meant], [meant === undefined ? 'unknown_tool' : 'absent_tool', meant], name);
    assert.match(resolved.words, expected);
  }
});

test('a tool that is not available is not advertised and not found', async () => {
  const unavailable = [async () => false, () => Promise.reject(new Error('down'))].map((available, index) =>
    toolNamed(`gone${index}`, async () => says('x'), { available }),
  );
  const kit = await kitOf(
    toolNamed('here', async () => says('x'), { available: () => true }),
    ...unavailable,
  );
  assert.deepEqual(
    kit.definitions.map(({ name }) => name),
    ['here'],
  );
  assert.equal(kit.resolve(callOf('gone0')).ok, false);
});

test('effects come from the repaired input', async () => {
  const kit = await kitOf(
    toolNamed('touch', async () => says('x'), {
      effects: ({ n }: { readonly n?: number }) => ({ kind: 'write', resources: [`n:${typeof n}`] }),
    }),
  );
  const resolved = kit.resolve(callOf('Touch', { n: '3' }));
  assert.deepEqual(resolved.ok && resolved.effects, { kind: 'write', resources: ['n:number'] });
});

test('a session that lost its view is forgotten by every tool that remembers', async () => {
  const forgotten: string[] = [];
  const kit = await kitOf(
    toolNamed('remembers', async () => says('x'), { forget: (sessionId) => void forgotten.push(sessionId) }),
    toolNamed('plain', async () => says('x')),
  );
  kit.forget?.('s7');
  assert.deepEqual(forgotten, ['s7']);
});

test('where a tool writes is judged: the floor holds, consent is asked for what else matters, with all of the text in it', async () => {
  const asked: ApprovalRequest[] = [];
  const writer = toolNamed('put', async () => says('done'), {
    effects: (input: { readonly n?: number }) => ({ kind: 'write', resources: [`path:/place/${input.n}`, 'other'] }),
  });
  const kit = await createToolkit({
    ...plainOptions,
    tools: [writer],
    approval: {
      ask: async (action) => {
        asked.push(action);
        return action.summary.includes('/place/2') ? { allow: true, by: 'test' } : { allow: false, by: 'test', reason: 'no.' };
      },
    },
    judgeWrite: (path) =>
      path === '/place/0' ? { type: 'fine' } : { type: path === '/place/9' ? 'refuse' : 'ask', reason: 'it matters', key: 'k' },
  });
  const said = await Promise.all([0, 1, 2, 9].map(async (n) => joinTextBlocks(await execute(kit, callOf('put', { n })))));
  assert.deepEqual(said, [
    'done',
    'Not run: it matters (/place/1), and no.',
    'done',
    'Not run, and nobody can allow it: it matters (/place/9).',
  ]);
  assert.deepEqual(
    asked.map(({ key, sessionId, turnId, cwd }) => [key, sessionId, turnId, cwd]),
    Array.from({ length: 2 }, () => ['k', 's', 't', folder]),
  );
  const long = (end: string) => describeWrite({ content: 'x'.repeat(500) + end }, 'here');
  assert.notEqual(long('a'), long('b'));
});

test('a stop does not wait until files are kept, and what was not begun is not done', async () => {
  let ran = false;
  const never = new Promise<never>(() => {});
  const tool = toolNamed('put', async () => ((ran = true), says('done')), { effects: () => ({ kind: 'write', resources: ['*'] }) });
  const stop = new AbortController();
  const slow = await createToolkit({ ...plainOptions, tools: [tool], undo: { before: () => never, after: () => never } });
  setTimeout(() => stop.abort(), 20);
  assert.match(joinTextBlocks(await execute(slow, callOf('put'), stop.signal)), /interrupted this call before it began/);
  assert.equal(ran, false);
  const later = new AbortController();
  const books = await createToolkit({ ...plainOptions, tools: [tool], undo: { before: async () => undefined, after: () => never } });
  setTimeout(() => later.abort(), 20);
  assert.equal(joinTextBlocks(await execute(books, callOf('put'), later.signal)), 'done');
});

test('a call we refuse brings no words from outside, whatever its tool is for; one that ran does', async () => {
  const asked: string[] = [];
  const provenance = { foreign: () => (asked.push('foreign'), 'a page'), lasting: () => 'the memory' };
  const kit = await createToolkit({
    ...plainOptions,
    tools: [
      toolNamed('sink', async () => says('x'), { sink: () => 'the schedule' }),
      toolNamed('consents', () => Promise.reject(new ToolRefusal('Not run: no.'))),
      toolNamed('writes', async () => says('x'), { effects: () => ({ kind: 'write', resources: ['path:/dev/sda'] }) }),
      toolNamed('fails', () => Promise.reject(new ToolFailure('the page says no')), { sink: () => undefined }),
    ],
    provenance: { ...provenance, project: () => undefined, lasting: () => undefined },
    judgeWrite: () => ({ type: 'refuse', reason: 'it is a disk', key: 'disk' }),
  });
  const trustOf = async (name: string) => {
    const resolved = kit.resolve(callOf(name));
    assert.ok(resolved.ok);
    const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: ['a mail'], report: () => {} };
    const { content, failed } = await executed(kit, resolved, run);
    assert.ok(failed);
    return content[0];
  };
  for (const name of ['sink', 'consents', 'writes']) {
    const block = await trustOf(name);
    assert.deepEqual([block?.trust, block?.type === 'text' && block.source], ['tool', undefined], name);
  }
  assert.deepEqual(asked, [], 'what did not run is not remembered as fetched');
  assert.deepEqual(await trustOf('fails'), { type: 'text', text: 'the page says no', trust: 'foreign', source: 'a page' });
});

test('a guard that breaks lets nothing through, and what breaks behind a call costs its words, not the result', async () => {
  const breaks = (): never => {
    throw new Error('no such name');
  };
  const effects = () => ({ kind: 'read' as const, resources: ['path:/x'] });
  let ran = 0;
  const tool = toolNamed('look', async () => (ran++, says('seen')), { effects, trust: 'tool' });
  const answerOf = async (more: object): Promise<ToolMessage> =>
    execute(await createToolkit({ ...plainOptions, tools: [tool], ...more }), callOf('look'));
  assert.match(joinTextBlocks(await answerOf({ judgeRead: breaks })), /^Not run: a check before the call failed \(no such name\)/);
  assert.equal(ran, 0);
  const provenance = { foreign: async () => breaks(), lasting: async () => undefined };
  const { content } = await answerOf({ provenance, hints: { after: async () => breaks(), forget: () => {} } });
  assert.deepEqual([ran, content[0]?.trust, content[0]?.type === 'text' && content[0].text], [1, 'foreign', 'seen']);
});
