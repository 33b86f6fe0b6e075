import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { createTextBlock, joinTextBlocks, type JsonObject } from '../../src/contracts/message.ts';
import type { AnyTool, Toolkit } from '../../src/contracts/tool.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { toolingOf } from './tooling.ts';
import { openHomeTrash } from '../../src/parts/safety/checkpoints/open.ts';
import { secretsWith } from '../parts/safety/secrets/setup.ts';
import { noPython } from '../parts/tools/builtin/execute-code/stage.ts';
import { executed } from '../parts/tools/executed.ts';
import { noBubblewrap } from '../parts/terminals/sandbox-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-toolkit-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const home = resolveHome({ HERMES_HOME: join(folder, 'home') });
/** Beside the agent's own folder, not around it. */
const work = join(folder, 'beside');
mkdirSync(work);
const question = {
  home,
  config: await loadConfig(home.config, {}, () => {}),
  env: { PATH: process.env['PATH'] },
  cwd: work,
  kept: undefined,
};

test('a small window bounds what tools give, a large one leaves it to the settings: that of the moment, with the same tools', async () => {
  writeFileSync(join(work, 'long.txt'), `${'x'.repeat(99)}\n`.repeat(120));
  let window = 0;
  const { toolkit, terminal } = await toolingOf({ ...question, window: () => window });
  await using _ = terminal;
  for (const [tokens, spills] of [
    [8_192, true],
    [200_000, false],
    [8_193, true],
  ] as const) {
    window = tokens;
    const call = async (name: string, input: JsonObject) => {
      const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
      assert.ok(resolved.ok);
      const run = { signal: new AbortController().signal, sessionId: `s${window}`, turnId: 't', taint: [], report: () => {} };
      return joinTextBlocks(await executed(toolkit, resolved, run));
    };
    assert.equal((await call('terminal', { command: 'cat long.txt' })).includes(join(home.spill, `s${window}`, 'c.txt')), spills);
    assert.equal((await call('read_file', { path: 'long.txt', limit: 120 + window })).includes('characters do not fit'), spills);
  }
});

test('clarify is there exactly when the face can ask', async () => {
  for (const ports of [{}, { clarify: async () => 'yes' }]) {
    const { toolkit, terminal } = await toolingOf({ ...question, ports });
    await using _ = terminal;
    assert.equal(
      toolkit.definitions.some(({ name }) => name === 'clarify'),
      'clarify' in ports,
    );
  }
});

test('a tool that a resumed session was promised answers a call, also where it is not available', async () => {
  const asked = await toolingOf({ ...question, ports: { clarify: async () => 'yes' } });
  await using _asked = asked.terminal;
  const kept = { slots: [], tools: asked.toolkit.definitions, model: 'm', provider: 'p', toolsets: ['hermes-cli'] };
  const { toolkit, terminal } = await toolingOf({ ...question, kept });
  await using _ = terminal;
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'clarify', input: { question: 'which?' }, trust: 'model' });
  assert.ok(resolved.ok);
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
  assert.match(joinTextBlocks(await executed(toolkit, resolved, run)), /nobody can answer here/);
  assert.ok(!toolkit.definitions.some(({ name }) => name === 'clarify'));
});

async function answerOf(toolkit: Toolkit, name: string, input: JsonObject): Promise<string> {
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
  assert.ok(resolved.ok, resolved.ok ? '' : resolved.words);
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
  return joinTextBlocks(await executed(toolkit, resolved, run));
}

test('file tools may write no more than a command may: what runs by itself later needs consent, consents themselves nobody writes', async () => {
  const { toolkit, terminal } = await toolingOf(question);
  await using _ = terminal;
  const patch = (path: string) => ({ mode: 'patch', patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` });
  const rows: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['write_file', { path: 'plain.txt', content: 'x' }, /^Created/],
    ['write_file', { path: '.git/hooks/pre-commit', content: 'x' }, /^Not run: .*run or trusted later.*nobody is there/],
    ['patch', patch('.git/hooks/pre-commit'), /^Not run: .*run or trusted later/],
    ['write_file', { path: join(folder, '.git', 'config'), content: 'x' }, /^Not run/],
    ['write_file', { path: '/dev/sda', content: 'x' }, /^Not run, and nobody can allow it/],
    [
      'write_file',
      { path: join(home.root, 'approvals.json'), content: '[]' },
      /^(?:Refused|Not run, and nobody can allow it): .*what the owner allowed/,
    ],
    ['patch', patch(join(home.root, 'allowed-files.json')), /^(?:Refused|Not run, and nobody can allow it): .*what the owner allowed/],
  ];
  for (const [name, input, expected] of rows) assert.match(await answerOf(toolkit, name, input), expected, JSON.stringify(input));
  assert.equal(existsSync(join(folder, '.git')), false);
});

/** Tools of a server as a session has them. */
const serverWith = (server: string, names: readonly string[]) => ({
  tools: names.map((name): AnyTool => ({
    name: `mcp__${server}__${name}`,
    description: `${name} ${'x'.repeat(300)}`,
    input: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] },
    effects: () => ({ kind: 'read', resources: [] }),
    replay: 'never',
    idempotent: false,
    trust: 'foreign',
    timeoutMs: 0,
    maxResult: 50_000,
    run: async ({ a }: { readonly a: string }) => ({
      content: [createTextBlock(`${name} of ${a}`, 'foreign')],
      foreign: `mcp server ${server}`,
    }),
  })),
  toolsets: [{ name: `mcp-${server}`, description: '', tools: names.map((name) => `mcp__${server}__${name}`), includes: [] }],
});

test(
  'a script may call the tools of the session’s servers, by the same door, and what they say stays foreign',
  { skip: noPython },
  async () => {
    const mcp = serverWith('notes', ['readNotes', 'send_notes']);
    const config = { ...question.config, settings: { ...question.config.settings, 'agent.disabled_toolsets': ['mcp__notes__send_notes'] } };
    const { toolkit, terminal } = await toolingOf({ ...question, config, mcp, allowAll: '--yolo' });
    await using _ = terminal;
    const code = `import hermes_tools
print(hermes_tools.mcp__notes__readNotes(a="today")["text"])
for name in ("mcp__notes__send_notes", "tool_search"):
    try:
        hermes_tools.call(name, a="x")
    except hermes_tools.ToolError as error:
        print(str(error)[:60])`;
    const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'execute_code', input: { code }, trust: 'model' });
    assert.ok(resolved.ok);
    assert.match(resolved.tool.description, /MCP tools go by their full names\.$/);
    const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], markKey: '0ff2d4aa', report: () => {} };
    const { content } = await executed(toolkit, resolved, run);
    assert.deepEqual(
      content.map((block) => [block.trust, block.type === 'text' && [block.source, block.text.replace(/, \d+\.\d s/, '')]]),
      [
        [
          'foreign',
          [
            'mcp server notes',
            '<outside key="0ff2d4aa" source="mcp server notes">\nreadNotes of today\nNot run: there is no tool mcp__notes__send_notes for scripts\nNot run: there is no tool tool_search for scripts. There are\n[success, 1 tool call]\n</outside 0ff2d4aa>',
          ],
        ],
      ],
    );
  },
);

test('what a script wrote to standard error is masked before it is cut', async () => {
  const secrets = secretsWith({});
  const { toolkit, terminal } = await toolingOf({ ...question, secrets, allowAll: '--yolo' });
  await using _ = terminal;
  const token = ['ghp_', 'a1B2c3D4e5F6'.repeat(3)] as const;
  const code = `process.stderr.write('. '.repeat(12_475) + ' ' + '${token[0]}' + '${token[1]}' + ' ' + '. '.repeat(40_000));`;
  const told = await answerOf(toolkit, 'execute_code', { code, language: 'javascript' });
  assert.match(told, /bytes left out/);
  assert.doesNotMatch(told, /ghp_a1B2/);
});

test('a tool of a server that the owner keeps out is told as absent with the reason, and never taken for another', async () => {
  const mcp = { ...serverWith('notes', ['read_notes']), withheld: ['mcp__notes__read_note'] };
  const { toolkit, terminal } = await toolingOf({ ...question, mcp });
  await using _ = terminal;
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'mcp__notes__read_note', input: { a: 'x' }, trust: 'model' });
  assert.ok(!resolved.ok);
  assert.equal(resolved.problem, 'absent_tool');
  assert.match(resolved.words, /the owner keeps it out of what its MCP server offers/);
});

test('large servers hide none of our own tools, and the table stays small', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `tool_${at}_with_a_rather_long_name`);
  const crowd = Array.from({ length: 60 }, (_, at) => serverWith(`server_number_${at}`, many(20)));
  const both = { tools: crowd.flatMap(({ tools }) => tools), toolsets: crowd.flatMap(({ toolsets }) => toolsets) };
  for (const mcp of [serverWith('big', many(300)), both]) {
    const { toolkit, terminal } = await toolingOf({ ...question, mcp });
    await using _ = terminal;
    const listed = toolkit.definitions.find(({ name }) => name === 'tool_search')?.description ?? '';
    for (const name of ['web_extract', 'execute_code', 'session_search', 'skill_manage'])
      assert.ok(
        toolkit.definitions.some((tool) => tool.name === name),
        `${name} is not in the table`,
      );
    assert.match(listed, /mcp__(?:big \(300\)|\* \(1200 of 60 servers\))/);
    const bytes = Buffer.byteLength(JSON.stringify(toolkit.definitions));
    assert.ok(bytes <= 11_000, `${bytes} bytes`);
    const script = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'execute_code', input: { code: '1' }, trust: 'model' });
    assert.ok(script.ok && script.tool.description.length < 1_500, script.ok ? `${script.tool.description.length}` : '');
    assert.ok(toolkit.resolve({ type: 'tool_call', id: 'c', name: mcp.tools[7]?.name ?? '', input: { a: 'x' }, trust: 'model' }).ok);
  }
});

test('a known tool that is not there is told apart from one nobody knows, and nothing runs in its place', async () => {
  const config = {
    ...question.config,
    settings: {
      ...question.config.settings,
      'agent.disabled_toolsets': ['terminal', 'mcp__n__read_notes'],
      // However few tools there are on this machine, the bridge to those beside the table is there.
      'tools.tool_search.enabled': 'on',
    } as const,
  };
  const mcp = serverWith('n', ['read_notes', 'send_notes']);
  const { toolkit, terminal } = await toolingOf({ ...question, config, mcp, toolsets: ['hermes-cli', 'mcp-n'] });
  await using _ = terminal;
  const told = (name: string, through = name) => {
    const resolved = toolkit.resolve({
      type: 'tool_call',
      id: 'c',
      name: through,
      input: through === name ? {} : { name },
      trust: 'model',
    });
    return resolved.ok ? `runs ${resolved.tool.name}` : `${resolved.problem}: ${resolved.words}`;
  };
  assert.match(told('send_message'), /^absent_tool: .*it needs a gateway to the chats, and none runs here\./);
  assert.match(told('cronjob', 'tool_call'), /^absent_tool: .*it needs a scheduler, and none runs here\./);
  assert.match(told('terminal'), /^absent_tool: .*the owner switched it off\./);
  assert.match(told('mcp__n__read_notes', 'tool_call'), /^absent_tool: .*the owner switched it off\./);
  assert.match(
    told('mcp__n__write_notes'),
    /^unknown_tool: .*there is no tool named mcp__n__write_notes\. Did you mean mcp__n__send_notes/,
  );
  const child = await toolingOf({ ...question, child: { depth: 1, within: ['read_file'] } });
  await using _child = child.terminal;
  const memory = child.toolkit.resolve({ type: 'tool_call', id: 'c', name: 'memory', input: {}, trust: 'model' });
  assert.match(memory.ok ? '' : memory.words, /an agent that works for another has no such tool/);
});

test('a patch in a sandbox deletes the sandbox’s file, never the owner’s of the same name', { skip: noBubblewrap ?? false }, async () => {
  const inner = join(folder, 'work');
  mkdirSync(inner);
  const [outside, inside] = [join(tmpdir(), `hermes-outside-${process.pid}.txt`), join(inner, 'mine.txt')];
  after(() => rmSync(outside, { force: true }));
  for (const path of [outside, inside]) writeFileSync(path, 'the owner’s\n');
  const { toolkit, terminal } = await toolingOf({ ...question, cwd: inner, platform: 'telegram' });
  await using _ = terminal;
  assert.equal(terminal.kind, 'sandbox');
  await answerOf(toolkit, 'write_file', { path: outside, content: 'of the sandbox\n' });
  const gone = (path: string) => ({ mode: 'patch', patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` });
  for (const path of [outside, inside]) assert.match(await answerOf(toolkit, 'patch', gone(path)), /^Patched 1 file/);
  assert.equal(readFileSync(outside, 'utf8'), 'the owner’s\n');
  assert.equal(existsSync(inside), false);
  assert.deepEqual(
    openHomeTrash(home, question.config.settings)
      .list()
      .map(({ path }) => path),
    [inside],
  );
});
