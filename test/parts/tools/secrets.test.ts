import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTextBlock, joinTextBlocks, type JsonObject, type ToolMessage } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { ApprovalRequest } from '../../../src/contracts/consent.ts';
import type { AnyTool } from '../../../src/contracts/tool.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { executeCodeTool } from '../../../src/parts/tools/builtin/execute-code/tool.ts';
import { codeExecutionSettings } from '../../../src/parts/tools/builtin/execute-code/settings.ts';
import { patchTool } from '../../../src/parts/tools/builtin/patch/tool.ts';
import { processTool } from '../../../src/parts/tools/builtin/terminal/process.ts';
import { createProcessTable } from '../../../src/parts/tools/builtin/terminal/processes.ts';
import { readFileTool } from '../../../src/parts/tools/builtin/read-file.ts';
import { terminalTool } from '../../../src/parts/tools/builtin/terminal/terminal.ts';
import { writeFileTool } from '../../../src/parts/tools/builtin/write-file.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { resolveClassRow } from '../../../src/parts/safety/approval/classes.ts';
import { secretsWith } from '../safety/secrets/setup.ts';
import { deskAt, fileOptions, put, tempFolder } from './setup.ts';
import { executed } from './executed.ts';

const VALUE = 'Zq8vL2mN-x71Tn55kd';
const secrets = secretsWith({ MY_API_KEY: VALUE, OTHER: 'p@ss!w0rd-of-mine' });
const MARK = secrets.redact(VALUE);
const FOREIGN = '«secret:MY_API_KEY:0123456789»';

/** A session with the file tools in a folder of its own; the owner, where there is one, always says the same. */
async function session(says?: boolean, reason = 'nobody is there.') {
  const folder = tempFolder();
  const asked: ApprovalRequest[] = [];
  const files = fileOptions(folder);
  const timeouts = { timeoutSeconds: 5, maxTimeoutSeconds: 5 };
  const running = { processes: createProcessTable({}), judge: () => ({ type: 'fine' as const }) };
  const ask = async (action: ApprovalRequest) => {
    asked.push(action);
    return says === true ? { allow: true as const, by: 'the owner' } : { allow: false as const, by: 'policy', reason };
  };
  const tools: readonly AnyTool[] = [
    readFileTool({ ...files, maxChars: () => 100_000 }),
    writeFileTool(files),
    patchTool(files),
    terminalTool({ ...running, ...timeouts, maxOutput: 10_000 }),
    processTool({ ...running, ...timeouts }),
    executeCodeTool({ tools: [], judge: running.judge, settings: collectDefaults(codeExecutionSettings) }),
  ];
  const terminal = {
    ...deskAt(folder),
    run: async (command: string) => ({ exitCode: 0, ended: 'exited' as const, output: `ran ${command}`, omitted: 0, cwd: folder }),
  };
  const kit = await createToolkit({
    tools,
    toolsets: ['test'],
    terminal,
    ports: {},
    approval: { ask },
    spill: spillTo(folder, collectDefaults(toolSettings)),
    secrets,
  });
  const call = async (name: string, input: JsonObject): Promise<ToolMessage> => {
    const resolved = kit.resolve({ type: 'tool_call', id: 'c1', name, input, trust: 'model' });
    assert.ok(resolved.ok, resolved.ok ? '' : resolved.words);
    const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
    return executed(kit, resolved, run);
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { folder, asked, call, read };
}

test('a file that held a secret gets it back without a question: written whole, patched, moved', async () => {
  const { folder, asked, call, read } = await session();
  put(folder, { 'a.ts': `const key = '${VALUE}';\nlet n = 1;\n`, 'crlf.txt': `one\r\n${VALUE}\r\n`, 'raw.txt': `"${VALUE}"` });
  assert.match(joinTextBlocks(await call('read_file', { path: 'a.ts' })), /«secret:MY_API_KEY:/);
  await call('write_file', { path: 'a.ts', content: `const key = '${MARK}';\nlet n = 2;\n` });
  assert.equal(read('a.ts'), `const key = '${VALUE}';\nlet n = 2;\n`);
  await call('patch', { path: 'a.ts', old_string: `'${MARK}';`, new_string: `'${MARK}'; // mine` });
  assert.equal(read('a.ts'), `const key = '${VALUE}'; // mine\nlet n = 2;\n`);
  await call('write_file', { path: 'crlf.txt', content: `two\n${MARK}\n` });
  assert.equal(read('crlf.txt'), `two\r\n${VALUE}\r\n`);
  const moved = `*** Move File: a.ts -> b.ts\n*** Update File: b.ts\n@@\n-const key = '${MARK}'; // mine\n+const key = '${MARK}'; // ours\n`;
  assert.equal((await call('patch', { mode: 'patch', patch: moved })).failed, false);
  assert.equal(read('b.ts'), `const key = '${VALUE}'; // ours\nlet n = 2;\n`);
  const around = `*** Update File: b.ts\n@@\n const key = '${MARK}'; // ours\n-let n = 2;\n+let n = 3;\n*** Add File: c.ts\n+nothing secret\n`;
  assert.equal((await call('patch', { mode: 'patch', patch: around })).failed, false);
  assert.equal(read('c.ts'), 'nothing secret\n');
  await call('write_file', { path: 'raw.txt', content: `raw ${VALUE}` });
  assert.equal(read('raw.txt'), `raw ${VALUE}`);
  assert.deepEqual(asked, []);
});

const ELSEWHERE: readonly (readonly [what: string, tool: string, input: JsonObject])[] = [
  ['a new file', 'write_file', { path: 'leak.txt', content: `${MARK}\n` }],
  ['a file without it', 'write_file', { path: 'other.txt', content: `x ${MARK}\n` }],
  ['a patched file without it', 'patch', { path: 'other.txt', old_string: 'plain', new_string: MARK }],
  [
    'a file added beside the one that has it',
    'patch',
    { mode: 'patch', patch: `*** Update File: a.ts\n@@\n-${MARK}\n+${MARK} again\n*** Add File: leak.txt\n+${MARK}\n` },
  ],
  ['a new file that gets the value itself', 'write_file', { path: 'leak.txt', content: `it is ${VALUE}` }],
  ['another name in the placeholder', 'write_file', { path: 'leak.txt', content: MARK.replace('MY_API_KEY', 'HARMLESS') }],
];
for (const [what, tool, input] of ELSEWHERE)
  test(`a secret for ${what} is asked about by name and path, once, and refused where nobody answers`, async () => {
    const furnished = { 'a.ts': `${VALUE}\n`, 'other.txt': 'plain\n' };
    const alone = await session();
    put(alone.folder, furnished);
    const refused = await alone.call(tool, input);
    assert.match(
      joinTextBlocks(refused),
      /^Not written: .*MY_API_KEY into .*(?:leak|other)\.txt, .*nobody is there\. .*process\.env\.MY_API_KEY/,
    );
    assert.equal(existsSync(join(alone.folder, 'leak.txt')), false);
    assert.deepEqual([alone.read('a.ts'), alone.read('other.txt')], Object.values(furnished), 'nothing changed');
    const owned = await session(true);
    put(owned.folder, furnished);
    assert.equal((await owned.call(tool, input)).failed, false);
    assert.equal(owned.asked.length, 1);
    const [action] = owned.asked;
    assert.match(
      action?.summary ?? '',
      /^put the secret MY_API_KEY into \/.*(?:leak|other)\.txt(?: \((?:mode: "patch"|old_string: "plain")\))?:\s/,
    );
    assert.ok(!(action?.summary ?? '').includes(VALUE));
    assert.deepEqual([action?.key, resolveClassRow(action?.key ?? '')], ['secret_spread', { longest: 'once', to: 'line', by: 'person' }]);
    const changed = existsSync(join(owned.folder, 'leak.txt')) ? 'leak.txt' : 'other.txt';
    assert.ok(owned.read(changed).includes(VALUE));
  });

test('what to do instead begins a sentence of its own, however the refusal ended', async () => {
  for (const reason of ['the user said no: not there', 'the user said no: not there. ']) {
    const { call, folder } = await session(false, reason);
    put(folder, { 'a.ts': `${VALUE}\n` });
    assert.match(
      joinTextBlocks(await call('write_file', { path: 'leak.txt', content: MARK })),
      /: the user said no: not there\. Write the name/,
    );
  }
});

test('a command, a script or input with a placeholder of ours is not run; marks of others are nothing to us', async () => {
  const { call } = await session(true);
  for (const [tool, input] of [
    ['terminal', { command: `cat > .conf <<'E'\nkey=${MARK}\nE` }],
    ['terminal', { command: `echo ${VALUE}` }],
    ['process', { action: 'write', session_id: 'x', data: MARK }],
    ['execute_code', { code: `open("f", "w").write("${MARK}")` }],
  ] as const) {
    const answer = await call(tool, input);
    assert.match(joinTextBlocks(answer), /^Not run: «secret:MY_API_KEY:.*patch or write_file.*\$MY_API_KEY.*env_passthrough/, tool);
    assert.equal(answer.failed, true);
    assert.deepEqual(
      answer.content.map(({ trust }) => trust),
      ['tool'],
    );
  }
  assert.match(joinTextBlocks(await call('terminal', { command: `grep '${FOREIGN}' x` })), /^ran grep '«secret:/);
  assert.match(joinTextBlocks(await call('terminal', { command: `printf '«secret:'` })), /^ran printf/);
});

test('a tool that says nothing of where its words go is asked about for every place it writes', async () => {
  const asked: string[] = [];
  const folder = tempFolder();
  const send: AnyTool = {
    ...writeFileTool(fileOptions(folder)),
    effects: () => ({ kind: 'write', resources: ['far away'] }),
    run: async () => ({ content: [createTextBlock('done', 'tool')] }),
  };
  const kit = await createToolkit({
    tools: [send],
    toolsets: ['test'],
    terminal: deskAt(folder),
    ports: {},
    approval: { ask: async ({ summary }) => (asked.push(summary), { allow: true, by: 'test' }) },
    spill: spillTo(folder, collectDefaults(toolSettings)),
    secrets,
  });
  const resolved = kit.resolve({ type: 'tool_call', id: 'c1', name: 'write_file', input: { path: 'x', content: MARK }, trust: 'model' });
  assert.ok(resolved.ok);
  await executed(kit, resolved, { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} });
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? '', /MY_API_KEY into far away/);
});
