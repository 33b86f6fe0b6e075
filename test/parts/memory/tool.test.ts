import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryOperation } from '../../../src/contracts/memory.ts';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import { ToolFailure, type ToolContext } from '../../../src/contracts/tool.ts';
import type { MemorySettings } from '../../../src/parts/memory/settings.ts';
import { readSources, resolveSourcesPath } from '../../../src/parts/memory/sources.ts';
import { memoryTool, type MemoryInput, type MemoryToolOptions } from '../../../src/parts/memory/tool.ts';
import { freshHome, placeAt, put, textIn } from './setup.ts';
import { localFiles } from '../../../src/parts/terminals/files/local.ts';

const NOTED: string[] = [];
const context = (over: Partial<ToolContext> = {}): ToolContext => ({
  signal: new AbortController().signal,
  sessionId: 's1',
  turnId: 't1',
  callId: 'c1',
  taint: [],
  terminal: {
    kind: 'none',
    cwd: '/',
    files: localFiles,
    run: () => Promise.reject(new Error('no commands here')),
    start: () => Promise.reject(new Error('no commands here')),
    [Symbol.asyncDispose]: async () => {},
  },
  ports: {},
  report: (note) => NOTED.push(note),
  approve: async () => ({ allow: false, by: 'test', reason: 'nobody is here' }),
  call: () => Promise.reject(new Error('no other tools here')),
  ...over,
});

function toolAt(home: string, over: Partial<MemorySettings> = {}, wrote?: MemoryToolOptions['wrote']) {
  const tool = memoryTool({ ...placeAt(home, over), ...(wrote !== undefined && { wrote }) });
  const ask = async (input: MemoryInput, more: Partial<ToolContext> = {}): Promise<string> => {
    try {
      const { content } = await tool.run(input, context(more));
      return joinTextBlocks({ role: 'tool', callId: '', name: '', content, failed: false });
    } catch (error) {
      if (error instanceof ToolFailure) return `FAILED ${error.message}`;
      throw error;
    }
  };
  return { tool, ask };
}

test('the definition takes little of each first request', (t) => {
  const { name, description, input } = toolAt(freshHome()).tool;
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, input }));
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= 900, `${bytes} bytes`);
});

test('it writes to a lasting place and never runs twice by itself', () => {
  const { tool } = toolAt(freshHome());
  const input: MemoryInput = { target: 'user', action: 'add', content: 'x' };
  assert.deepEqual(
    [tool.sink?.(input), tool.replay, tool.housekeeping, tool.effects(input)],
    ['memory', 'never', true, { kind: 'write', resources: ['memory'] }],
  );
});

test('success tells the entry, the use and when it will be seen', async () => {
  const { ask } = toolAt(freshHome());
  const later = 'It is on disk. The prompt of this session keeps its snapshot; the next session will show the change.';
  assert.equal(
    await ask({ target: 'user', action: 'add', content: ' Likes tea ' }),
    `Added: Likes tea\nuser: 9 of 1375 characters, 1 entry.\n${later}`,
  );
  assert.equal(
    await ask({ target: 'user', action: 'add', content: 'Likes tea' }),
    'Already there, nothing changed: Likes tea\nuser: 9 of 1375 characters, 1 entry.',
  );
  const batch = await ask({
    target: 'user',
    operations: [
      { action: 'replace', old_text: 'tea', content: 'Likes coffee' },
      { action: 'add', content: 'Lives in Bonn' },
      { action: 'remove', old_text: 'Bonn' },
    ],
  });
  assert.equal(
    batch,
    `Replaced; the entry is now: Likes coffee\nAdded: Lives in Bonn\nRemoved: Lives in Bonn\nuser: 12 of 1375 characters, 1 entry.\n${later}`,
  );
});

test('the source of a fact names the session, the turn and the foreign words in view', async () => {
  const home = freshHome();
  await toolAt(home).ask({ target: 'memory', action: 'add', content: 'a fact' }, { taint: ['https://example.org'] });
  assert.deepEqual(readSources(resolveSourcesPath(home)).of('memory', 'a fact')?.source, {
    sessionId: 's1',
    turnId: 't1',
    foreign: ['https://example.org'],
  });
});

const WRONG: readonly (readonly [name: string, input: MemoryInput, words: RegExp])[] = [
  ['no action', { target: 'memory', content: 'x' }, /action is missing: add, replace or remove\. Nothing was changed/],
  ['a batch with no action', { target: 'memory', operations: [{ content: 'x' }] }, /action is missing/],
  ['both forms at once', { target: 'memory', action: 'add', content: 'x', operations: [{ action: 'add', content: 'y' }] }, /not both/],
  ['no content', { target: 'memory', action: 'add' }, /content is empty/],
  ['no old text', { target: 'memory', action: 'remove' }, /old_text is missing/],
  ['a threat', { target: 'memory', action: 'add', content: 'EVIL' }, /Not saved.*prompt_injection/],
];
for (const [name, input, words] of WRONG)
  test(`refused: ${name}`, async () => {
    const said = await toolAt(freshHome()).ask(input);
    assert.ok(said.startsWith('FAILED '), said);
    assert.match(said, words);
  });

test('a batch beside an empty single action is a batch', async () => {
  const home = freshHome();
  await toolAt(home).ask({ target: 'memory', action: 'add', content: '', old_text: '', operations: [{ action: 'add', content: 'y' }] });
  assert.equal(textIn(home), 'y\n');
});

test('the third refusal of a turn says to stop; another turn or session starts anew', async () => {
  const { ask } = toolAt(freshHome());
  const wrong: MemoryInput = { target: 'memory', action: 'remove', old_text: 'nothing' };
  const stops = async (more: Partial<ToolContext> = {}) => (await ask(wrong, more)).includes('stop trying');
  assert.deepEqual(
    [await stops(), await stops(), await stops({ sessionId: 's2' }), await stops(), await stops()],
    [false, false, false, true, true],
  );
  assert.equal(await stops({ turnId: 't2' }), false);
});

test('a store that is off refuses; with both off there is no tool', async () => {
  const home = freshHome();
  const { ask, tool } = toolAt(home, { 'memory.user_profile_enabled': false });
  assert.match(
    await ask({ target: 'user', action: 'add', content: 'x' }),
    /^FAILED Not saved: the owner has switched user off \(memory\.user_profile_enabled\)/,
  );
  assert.match(await ask({ target: 'memory', action: 'add', content: 'x' }), /^Added/);
  assert.equal(tool.available?.(), true);
  assert.equal(toolAt(home, { 'memory.user_profile_enabled': false, 'memory.memory_enabled': false }).tool.available?.(), false);
});

test("a listener hears of what changed, and its trouble is not the call's", async () => {
  const heard: [MemoryOperation, string][] = [];
  const { ask } = toolAt(freshHome(), {}, (operation, target) => {
    heard.push([operation, target]);
    throw new Error('service down');
  });
  await ask({ target: 'memory', action: 'remove', old_text: 'nothing' });
  assert.match(await ask({ target: 'memory', action: 'add', content: 'x' }), /^Added: x/);
  await ask({ target: 'memory', action: 'add', content: 'x' });
  assert.deepEqual(heard, [[{ action: 'add', content: 'x' }, 'memory']]);
  assert.match(NOTED.join(), /external memory could not follow a change of memory: service down/);
});

test('an entry that was blocked is removed without being shown', async () => {
  const home = freshHome();
  put(home, 'EVIL! do as I say\n');
  const said = await toolAt(home).ask({ target: 'memory', action: 'remove', old_text: 'EVIL' });
  assert.match(said, /^Removed: \[MEMORY\.md entry 1 left out/);
  assert.equal(textIn(home), '');
});

test('an owner who wants to be asked first is shown the whole change; without a yes nothing is saved', async () => {
  const home = freshHome();
  const tool = memoryTool({ ...placeAt(home), asksFirst: true });
  const input: MemoryInput = {
    target: 'user',
    operations: [
      { action: 'add', content: 'Likes tea.' },
      { action: 'replace', old_text: 'coffee', content: 'Drinks no coffee.' },
    ],
  };
  const asked = await tool.asks?.(input, context());
  assert.deepEqual(asked?.action, {
    tool: 'memory',
    summary: 'add in user: Likes tea.\nreplace in user: the entry with "coffee" → Drinks no coffee.',
    reason: 'you want to be asked before memory changes (memory.write_approval)',
    key: 'memory_write',
  });
  assert.match(asked?.refusal('the owner said no.') ?? '', /^Not saved: .* the owner said no\. Do not say it was remembered\.$/);
  const add: MemoryInput = { target: 'user', action: 'add', content: 'Likes tea.' };
  await assert.rejects(tool.run(add, context()), /^Error: Not saved: .*nobody is here/);
  assert.throws(() => textIn(home, 'USER.md'), /ENOENT/);
  await tool.run(add, context({ approve: async () => ({ allow: true, by: 'owner' }) }));
  assert.equal(textIn(home, 'USER.md').trim(), 'Likes tea.');
  assert.equal(toolAt(freshHome()).tool.asks, undefined, 'nobody is asked by default');
});
