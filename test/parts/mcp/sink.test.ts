import assert from 'node:assert/strict';
import { findMcpSink } from '../../../src/parts/mcp/tool.ts';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { readCachedOffer, hashServerIdentity } from '../../../src/parts/mcp/cache.ts';
import { replaceFile } from '../../../src/base/replace-file.ts';
import { readTools } from '../../../src/parts/mcp/remote-tools.ts';
import type { ApprovalRequest } from '../../../src/contracts/consent.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { listGrantScopes, listConsentScopes } from '../../../src/parts/safety/approval/grant-scopes.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { executed } from '../tools/executed.ts';
import { context, odd, openIn, serverOf, tempFolder } from './setup.ts';

/** What a server says of `go`, what the owner says of it, and whether a call writes to a lasting place. */
const ROWS: readonly (readonly [hints: JsonObject | undefined, tools: JsonObject, sink: boolean])[] = [
  [undefined, {}, true],
  [{}, {}, true],
  [{ readOnlyHint: true }, {}, true],
  [{ readOnlyHint: true }, { believed: true }, false],
  [{ readOnlyHint: true, openWorldHint: false, destructiveHint: false }, {}, true],
  [{ readOnlyHint: true, openWorldHint: false, destructiveHint: false }, { believed: true }, false],
  [undefined, { believed: true }, true],
  [{ readOnlyHint: true, openWorldHint: true }, { believed: true }, true],
  [{ readOnlyHint: true }, { trusted: ['go'] }, false],
  [{ readOnlyHint: 'true' }, {}, true],
  [{ readOnlyHint: false }, {}, true],
  [{ destructiveHint: false, idempotentHint: true }, {}, true],
  [{ openWorldHint: false }, {}, true],
  [{ readOnlyHint: true, openWorldHint: true }, {}, true],
  [{ readOnlyHint: true, destructiveHint: true }, {}, true],
  [{ readOnlyHint: true }, { sinks: ['g*'] }, true],
  [{ readOnlyHint: true }, { sinks: ['stop'], believed: true }, false],
  [undefined, { trusted: ['*'] }, false],
  [undefined, { trusted: ['stop'] }, true],
  [{ destructiveHint: true }, { trusted: ['go'] }, false],
  [undefined, { trusted: ['*'], sinks: ['go'] }, true],
];
test('a tool is a sink unless the owner answers for it, or believes a server that says it only looks', () => {
  for (const [annotations, tools, sink] of ROWS) {
    const [remote] = readTools({ tools: [{ name: 'go', ...(annotations !== undefined && { annotations }) }] });
    assert.ok(remote);
    const { believed = false, ...lists } = tools;
    const place = findMcpSink(remote, serverOf('web', { command: 'x', tools: lists, trust_hints: believed }));
    assert.equal(place, sink ? 'the MCP server web (go)' : undefined, JSON.stringify({ annotations, tools }));
  }
});

test("a tool's name is the server's word: what is asked about stays one plain line", () => {
  const words = findMcpSink({ name: `go\n\u001b[2J${'x'.repeat(500)}`, outward: true }, odd('plain'));
  assert.match(words ?? '', /^the MCP server odd \(go___2Jx{57}\)$/);
});

test('what was written down before the hints were kept counts as a sink', () => {
  const [folder, config] = [tempFolder(), odd('plain')];
  const tool = { name: 'echo', description: '', input: { type: 'object' }, readOnly: true, idempotent: true };
  replaceFile(
    join(folder, 'odd.json'),
    JSON.stringify({ identity: hashServerIdentity(config), at: 1, tools: [tool, { ...tool, outward: false }] }),
  );
  assert.deepEqual(
    readCachedOffer(folder, config)?.tools.map(({ outward }) => outward),
    [true, false],
  );
});

test('consent for MCP write tools can be given for task and session, and names tools.trusted', async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain')]);
  const mark = mcp.tools.find(({ name }) => name === 'mcp__odd__mark');
  const echo = mcp.tools.find(({ name }) => name === 'mcp__odd__echo');
  assert.ok(mark !== undefined && echo !== undefined);
  const asked: ApprovalRequest[] = [];
  const kit = await createToolkit({
    tools: [mark, echo],
    toolsets: [],
    terminal: context().terminal,
    ports: {},
    approval: {
      ask: async (action) => {
        asked.push(action);
        return { allow: false, by: 'test', reason: 'the user said no' };
      },
    },
    spill: spillTo(tempFolder(), collectDefaults(toolSettings)),
  });
  const run = { signal: new AbortController().signal, sessionId: 's1', turnId: 't1', taint: ['https://example.org/'], report: () => {} };
  const resolved = kit.resolve({ type: 'tool_call', id: 'c', name: 'mcp__odd__mark', input: { file: '/nowhere' }, trust: 'model' });
  assert.ok(resolved.ok);
  await executed(kit, resolved, run);
  const [action] = asked;
  assert.ok(action !== undefined);
  assert.match(action.reason, /tools\.trusted in mcp_servers\.odd \(mark\) allows it for good$/);
  assert.deepEqual(listConsentScopes(action), ['once', 'task', 'session']);
  assert.deepEqual(listGrantScopes(action), [{ type: 'place', name: 'mcp_write', at: 'program:mcp__odd__mark' }], 'for this tool alone');
});

test('a tool that claims to read asks when words of others are in view, once for all such tools of its server', async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain')]);
  const asked: ApprovalRequest[] = [];
  const kit = await createToolkit({
    tools: mcp.tools.filter(({ name }) => name === 'mcp__odd__echo'),
    toolsets: [],
    terminal: context().terminal,
    ports: {},
    approval: { ask: async (action) => (asked.push(action), { allow: false, by: 'test', reason: 'the user said no' }) },
    spill: spillTo(tempFolder(), collectDefaults(toolSettings)),
  });
  const call = async (...taint: string[]) => {
    const resolved = kit.resolve({ type: 'tool_call', id: 'c', name: 'mcp__odd__echo', input: { text: 'x' }, trust: 'model' });
    assert.ok(resolved.ok);
    const before = asked.length;
    await executed(kit, resolved, { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint, report: () => {} });
    return asked.length > before;
  };
  assert.equal(await call(), false);
  assert.equal(await call('mcp server odd', 'project: /work/README.md'), false, 'its own words, and those of the project');
  assert.equal(await call('mcp server odd', 'https://page.example'), true);
  const [action] = asked;
  assert.ok(action !== undefined);
  assert.match(action.reason, /https:\/\/page\.example.*trust_hints in mcp_servers\.odd/);
  assert.doesNotMatch(action.reason, /mcp server odd/);
  assert.deepEqual(listGrantScopes(action), [{ type: 'place', name: 'mcp_write', at: 'program:mcp-odd (read-only)' }]);
});
