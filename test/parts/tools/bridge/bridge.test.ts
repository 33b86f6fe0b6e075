import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock, joinTextBlocks, type ToolCall, type ToolMessage } from '../../../../src/contracts/message.ts';
import type { AnyTool } from '../../../../src/contracts/tool.ts';
import { toolSearchTool } from '../../../../src/parts/tools/bridge/search.ts';
import { splitTools, listDeferred, type ToolTableLimits } from '../../../../src/parts/tools/bridge/table.ts';
import { createToolkit } from '../../../../src/parts/tools/toolkit.ts';
import { contextIn, deskAt } from '../setup.ts';
import { executed } from '../executed.ts';

const ROOM: ToolTableLimits = { search: 'auto', maxBytes: 600, core: new Set(['read_file']), listing: 400, hits: { usual: 2, most: 3 } };

const tool = (name: string, description: string, required: readonly string[], optional: readonly string[] = []): AnyTool => ({
  name,
  description,
  input: {
    type: 'object',
    properties: Object.fromEntries([...required, ...optional].map((key) => [key, { type: 'string' }])),
    required: [...required],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'write', resources: [name] }),
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 1_000,
  maxResult: 1_000,
  run: async (input: Readonly<Record<string, string>>) => ({
    content: [createTextBlock(`${name} ran with ${JSON.stringify(input)}`, 'tool')],
  }),
});

const TOOLS = [
  tool('read_file', 'Read a text file.', ['path']),
  tool('web_search', 'Search the web.', ['query'], ['limit']),
  tool('browser_click', 'Click something on the page.', ['ref']),
  tool('mcp__github__list_issues', 'Issues of a repository, newest first.', ['repository']),
];

const toolkitWith = (room: ToolTableLimits | undefined, advertised: readonly string[] = []) =>
  createToolkit({
    tools: TOOLS,
    toolsets: [],
    advertised,
    terminal: deskAt('/'),
    ports: {},
    approval: { ask: async () => ({ allow: false, by: 'test', reason: 'no' }) },
    spill: {
      keep: async (message) => message,
      forScript: async (message) => ({ text: joinTextBlocks(message) }),
      fit: async (results) => results,
    },
    ...(room !== undefined && { room }),
  });
const call = (name: string, input: ToolCall['input'], malformed?: string): ToolCall => ({
  type: 'tool_call',
  id: 'c1',
  name,
  input,
  trust: 'model',
  ...(malformed !== undefined && { malformed }),
});
const words = (message: ToolMessage) => message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const MESSAGE: ToolMessage = { role: 'tool', callId: '', name: '', content: [], failed: false };
const RUN = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };

test('a small table is listed whole; a large one keeps its core and names the rest with their parameters', async () => {
  const whole = await toolkitWith({ ...ROOM, maxBytes: 100_000 });
  assert.deepEqual(
    whole.definitions.map(({ name }) => name),
    TOOLS.map(({ name }) => name),
  );
  const bridged = await toolkitWith(ROOM);
  assert.deepEqual(
    bridged.definitions.map(({ name }) => name),
    ['read_file', 'tool_search', 'tool_call'],
  );
  assert.match(
    bridged.definitions[1]?.description ?? '',
    /directly by name[^\n]*\nweb_search\(query,\.\.\.\): Search the web\nbrowser_click\(ref\): pages that need [^\n]*\nmcp__github__list_issues\(repository\): [A-Z][^\n.]*$/,
  );
  assert.deepEqual(
    bridged.callable?.tools,
    TOOLS.map(({ name }) => name),
  );
});

test('off lists everything, on searches even a small table, and a table of core tools alone has nothing to search', () => {
  assert.equal(splitTools(TOOLS, { ...ROOM, search: 'off' }).deferred.length, 0);
  assert.equal(splitTools(TOOLS, { ...ROOM, search: 'on', maxBytes: 100_000 }).deferred.length, 3);
  assert.equal(splitTools(TOOLS.slice(0, 1), { ...ROOM, search: 'on' }).deferred.length, 0);
});

test('the list of what can be searched gets briefer as it gets longer', () => {
  const many = Array.from({ length: 40 }, (_, at) => tool(`mcp__github__tool_${at}`, 'x', ['a', 'b']));
  assert.match(listDeferred(many, 10_000), /^mcp__github__\* \(tool_0, tool_1, .*\): x$/);
  assert.match(listDeferred(many, 400), /^mcp__github__\* \(tool_0, tool_1, /);
  assert.equal(listDeferred(many, 100), 'mcp__github (40)');
});

const remote = (server: string, count: number) =>
  Array.from({ length: count }, (_, at) => tool(`mcp__${server}__tool_${at}`, 'x', ['a', 'b']));
test('one large server takes nobody else’s room: servers are shortened by size, our own tools last', () => {
  const own = TOOLS.slice(1, 3);
  const all = [...own, ...remote('big', 300), ...remote('small', 2), ...remote('mid', 20)];
  const ours = 'web_search(query,...): Search the web\nbrowser_click(ref): pages that need clicks, typing or a login';
  assert.equal(listDeferred(all, 200), `${ours}\nmcp__big (300)\nmcp__small__tool_0(a,b) mcp__small__tool_1(a,b): x\nmcp__mid (20)`);
  assert.match(
    listDeferred(all, 600),
    /^web_search\(query,\.\.\.\): [^\n]*\nbrowser_click\(ref\): [^\n]*\nmcp__big \(300\)\n.*\nmcp__mid__\* \(tool_0, tool_1, /,
  );
  assert.equal(listDeferred(all, 80), 'web_search browser_click\nmcp__big (300)\nmcp__small (2)\nmcp__mid (20)');
  assert.equal(listDeferred(all, 60), 'web_search browser_click\nmcp__* (322 of 3 servers)');
  assert.equal(listDeferred(all, 10), 'web (1) browser (1)\nmcp__* (322 of 3 servers)');
  const servers = Array.from({ length: 200 }, (_, at) => remote(`server_number_${at}`, 3)).flat();
  assert.ok(listDeferred([...own, ...servers], 1_400).length <= 1_400);
});

test('a server told by names or by number also says what its tools are about', () => {
  const github = ['issue', 'pull_request', 'commit', 'branch'].flatMap((what) =>
    ['list', 'get', 'create', 'close'].map((verb) => tool(`mcp__github__${verb}_${what}`, `${verb} one ${what} of a repository.`, ['a'])),
  );
  const about = 'repository, issue, close, pull, request, commit';
  assert.equal(listDeferred(github, 150), `mcp__github (16): ${about}`);
  assert.match(listDeferred(github, 450), new RegExp(`^mcp__github__\\* \\(list_issue, .*, close_branch\\): ${about}$`));
  assert.equal(listDeferred(github, 30), 'mcp__github (16)');
});

test('a search knows words however a name joins them, and puts what is named before what is merely like it', async () => {
  const tools = [
    tool('mcp__b__issue_list', 'Create, list and close each issue; create more issues.', []),
    tool('mcp__b__createIssueComment', 'Remark.', []),
    tool('mcp__b__createIssue', 'Make a ticket.', []),
    tool('mcp__b__HTTPFetch', 'Get.', []),
    tool('mcp__b__tool_250_do_things', 'Does.', []),
    tool('mcp__b__tool_25_do_things', 'Does.', []),
  ];
  const search = toolSearchTool(tools, ROOM);
  const context = contextIn(deskAt('/'));
  const found = async (query: string) => (await search.run({ query, limit: 1 }, context)).details;
  const first = (name: string) => ({ kind: 'data', data: { found: [`mcp__b__${name}`] } });
  assert.deepEqual(await found('create issue'), first('createIssue'));
  assert.deepEqual(await found('createIssue'), first('createIssue'));
  assert.deepEqual(await found('mcp__b__createissue'), first('createIssue'));
  assert.deepEqual(await found('issue comment'), first('createIssueComment'));
  assert.deepEqual(await found('http'), first('HTTPFetch'));
  assert.deepEqual(await found('thing 250'), first('tool_250_do_things'));
  const nothing = toolSearchTool(remote('big', 1_000), ROOM);
  assert.match(
    words({ ...MESSAGE, content: (await nothing.run({ query: 'violin' }, context)).content }),
    /Available: mcp__big \(1000\)\.$/,
  );
});

test('a search describes what it finds, by name or by words, and says what there is when it finds nothing', async () => {
  const toolkit = await toolkitWith(ROOM);
  const search = async (query: string) => {
    const resolved = toolkit.resolve(call('tool_search', { query }));
    assert.ok(resolved.ok);
    return words(await executed(toolkit, resolved, RUN));
  };
  assert.match(await search('issue repositories'), /^\{"name":"mcp__github__list_issues"/);
  assert.match(await search('browser_click'), /^\{"name":"browser_click".*"ref"/);
  assert.match(await search('violin'), /No tool matches "violin"\. Available: web_search, browser_click/);
});

const CALLS: readonly (readonly [string, ToolCall, RegExp])[] = [
  ['arguments inside', call('tool_call', { name: 'web_search', arguments: { query: 'x' } }), /web_search ran with {"query":"x"}/],
  ['arguments as text', call('tool_call', { name: 'web_search', arguments: '{"query":"x"}' }), /web_search ran with {"query":"x"}/],
  ['arguments beside the name', call('tool_call', { name: 'browser_click', ref: '@e1' }), /browser_click ran with {"ref":"@e1"}/],
  ['a deferred tool by its own name', call('web_search', { query: 'x' }), /web_search ran/],
];
for (const [name, given, expected] of CALLS)
  test(`a call to a tool that is not in the table reaches it: ${name}`, async () => {
    const toolkit = await toolkitWith(ROOM);
    const resolved = toolkit.resolve(given);
    assert.ok(resolved.ok, JSON.stringify(resolved));
    assert.notEqual(resolved.tool.name, 'tool_call');
    assert.equal(resolved.effects.kind, 'write');
    const message = await executed(toolkit, resolved, RUN);
    assert.match(words(message), expected);
    assert.equal(message.name, given.name);
  });

const WRONG: readonly (readonly [string, ToolCall, RegExp])[] = [
  ['no name', call('tool_call', {}), /needs the name of a tool/],
  ['itself', call('tool_call', { name: 'tool_call', arguments: {} }), /needs the name of a tool/],
  ['a tool nobody has', call('tool_call', { name: 'violin' }), /no tool named violin/],
  ['a missing argument', call('tool_call', { name: 'web_search', arguments: {} }), /query is missing/],
  ['broken JSON', call('tool_call', {}, '{"name":"web_'), /not complete JSON/],
];
for (const [name, given, expected] of WRONG)
  test(`a call through the bridge that cannot be meant is told so: ${name}`, async () => {
    const resolved = (await toolkitWith(ROOM)).resolve(given);
    assert.ok(!resolved.ok);
    assert.match(resolved.words, expected);
  });

test('a session that began with the bridge keeps it though its table would fit now', async () => {
  const toolkit = await toolkitWith({ ...ROOM, maxBytes: 100_000 }, ['tool_search', 'tool_call']);
  assert.ok(toolkit.resolve(call('tool_call', { name: 'web_search', arguments: { query: 'x' } })).ok);
});
