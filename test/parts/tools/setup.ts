import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import type { Ports } from '../../../src/contracts/ports.ts';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../src/contracts/tool.ts';
import { guardFiles } from '../../../src/parts/tools/builtin/files/guarded.ts';
import { createFileMemory } from '../../../src/parts/tools/builtin/files/memory.ts';
import { localFiles } from '../../../src/parts/terminals/files/local.ts';

/** A folder of its own, gone when the file's tests are through. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-tools-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function put(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A place that has files but runs nothing. */
export const deskAt = (cwd: string): Terminal => ({
  kind: 'local',
  cwd,
  files: localFiles,
  run: async () => ({ exitCode: null, ended: 'failed_to_start', output: 'no commands here', omitted: 0, cwd }),
  start: () => Promise.reject(new Error('no commands here')),
  [Symbol.asyncDispose]: async () => {},
});

export const contextIn = (terminal: Terminal, more: Partial<ToolContext> = {}): ToolContext => ({
  signal: new AbortController().signal,
  sessionId: 's1',
  turnId: 't1',
  callId: 'c1',
  taint: [],
  terminal,
  ports: {} satisfies Ports,
  report: () => {},
  approve: async () => ({ allow: false, by: 'test', reason: 'nobody is here' }),
  call: () => Promise.reject(new Error('no other tools here')),
  ...more,
});

/** What file tools of one toolkit share. */
export const fileOptions = (cwd: string, profile = join(cwd, '.profile')) => ({
  cwd: () => cwd,
  guard: guardFiles(profile),
  memory: createFileMemory(),
});

/** The words a tool answers with; a refusal is told with its mark, so that tables can hold both. */
export async function answer<Input>(tool: Tool<Input>, input: Input, context: ToolContext): Promise<string> {
  try {
    return words(await tool.run(input, context));
  } catch (error) {
    if (error instanceof ToolFailure) return `FAILED ${error.message}`;
    throw error;
  }
}

export const words = (output: ToolOutput): string =>
  joinTextBlocks({ role: 'tool', callId: '', name: '', content: output.content, failed: false });
