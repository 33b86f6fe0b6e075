import { join } from 'node:path';
import { withPathLocks } from '../../../src/base/path-lock.ts';
import { createTextBlock, joinTextBlocks, type JsonObject } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { Tool } from '../../../src/contracts/tool.ts';
import { filterCommandEnvironment } from '../../../src/parts/terminals/process/environment.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { executeCodeTool } from '../../../src/parts/tools/builtin/execute-code/tool.ts';
import { guardFiles } from '../../../src/parts/tools/builtin/files/guarded.ts';
import { createPathResolution } from '../../../src/parts/tools/builtin/files/locate.ts';
import { createFileMemory } from '../../../src/parts/tools/builtin/files/memory.ts';
import { patchTool } from '../../../src/parts/tools/builtin/patch/tool.ts';
import { readFileTool } from '../../../src/parts/tools/builtin/read-file.ts';
import { writeFileTool } from '../../../src/parts/tools/builtin/write-file.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { executed } from './executed.ts';

/** A session with tools of its own, as each child has, in a folder that others work in too. */
export async function openChild(folder: string, sessionId: string) {
  const terminal = await localTerminal.open({ cwd: folder, env: filterCommandEnvironment(process.env, []) });
  const files = { ...createPathResolution(terminal), guard: guardFiles(join(folder, '.profile')), memory: createFileMemory() };
  const script = executeCodeTool({
    tools: ['patch', 'read_file'],
    judge: () => ({ type: 'fine' }),
    settings: { 'code_execution.timeout': 60, 'code_execution.max_tool_calls': 500 },
  });
  const tools = [readFileTool({ ...files, maxChars: () => 100_000 }), writeFileTool(files), patchTool(files), script, waitTool];
  const kit = await createToolkit({
    tools,
    toolsets: [],
    terminal,
    ports: {},
    lockPaths: withPathLocks,
    approval: { ask: async () => ({ allow: false, by: 'test', reason: 'nobody is here' }) },
    spill: spillTo(join(folder, '.spill'), collectDefaults(toolSettings)),
  });
  return {
    call: async (name: string, input: JsonObject, signal = new AbortController().signal): Promise<string> => {
      const resolved = kit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
      if (!resolved.ok) throw new Error(resolved.words);
      const message = await executed(kit, resolved, { signal, sessionId, turnId: 't', taint: [], report: () => {} });
      return `${message.failed ? 'FAILED ' : ''}${joinTextBlocks(message)}`;
    },
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

/** Has the file until it is stopped. */
const waitTool: Tool<{ readonly path: string }> = {
  name: 'hold',
  description: 'hold',
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  effects: ({ path }) => ({ kind: 'write', resources: [`path:${path}`] }),
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 0,
  maxResult: 1_000,
  run: async (_input, { signal }) => {
    process.stdout.write('held\n');
    await new Promise((resolve) => {
      const timer = setInterval(() => {}, 1_000);
      signal.addEventListener('abort', () => (clearInterval(timer), resolve(undefined)), { once: true });
    });
    return { content: [createTextBlock('let go', 'tool')] };
  },
};

/** Counts one line of a file up, again and again, each time from what it says now. */
export async function countUp(folder: string, line: string, rounds: number): Promise<void> {
  await using child = await openChild(folder, line);
  for (let round = 0; round < rounds; round++) {
    const edit = { path: 'shared.txt', old_string: `${line}=${round};`, new_string: `${line}=${round + 1};` };
    const told = await child.call('patch', edit);
    if (!told.startsWith('Changed 1 place')) throw new Error(told);
  }
}

if (import.meta.main) {
  const [what = '', folder = '', line = '', rounds = ''] = process.argv.slice(2);
  if (what === 'count') await countUp(folder, line, Number(rounds));
  else await (await openChild(folder, 'holder')).call('hold', { path: join(folder, 'shared.txt') });
}
