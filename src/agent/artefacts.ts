import { resolve } from 'node:path';
import { isObject } from '../base/json.ts';
import { isMessageEntry, type Entry } from '../contracts/entry.ts';
import { collectToolCalls, type ToolCall } from '../contracts/message.ts';
import type { Artefacts } from '../contracts/ports.ts';
import type { FileChange } from '../contracts/undo.ts';

/** What a log tells of the work on files. */
export interface FileWork {
  /** Every call it made, also one that failed or was cut off. */
  readonly calls: readonly ToolCall[];
  /** What those of them that write files, and did not fail, did. */
  readonly files: readonly FileChange[];
}

export function collectFileWork(entries: readonly Entry[], cwd: string): FileWork {
  const messages = entries.filter(isMessageEntry).map(({ message }) => message);
  const done = new Set(messages.flatMap((message) => (message.role === 'tool' && !message.failed ? [message.callId] : [])));
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? collectToolCalls(message).map(unwrapToolCall) : []));
  const through = calls.filter(({ id }) => done.has(id));
  return { calls, files: collectFileChanges(through, cwd) };
}

/** What the tools that write files did, each file once with what became of it last. What commands and scripts did is not known here. */
export function collectFileChanges(calls: readonly ToolCall[], cwd: string): readonly FileChange[] {
  const last = new Map(calls.flatMap(listCallChanges).map(({ path, fate }) => [resolve(cwd, path), fate]));
  return [...last].map(([path, fate]) => ({ path, fate }));
}

/** Where nothing else is known of. */
export const toFileToolArtefacts = (files: readonly FileChange[]): Artefacts => ({
  written: files.flatMap(({ path, fate }) => (fate === 'written' ? [path] : [])),
  deleted: files.flatMap(({ path, fate }) => (fate === 'deleted' ? [path] : [])),
  shared: [],
  known: 'file_tools',
});

/** A tool that is not in the table is called through another. */
export function unwrapToolCall(call: ToolCall): ToolCall {
  const input = isObject(call.input) ? call.input : {};
  return call.name === 'tool_call' && typeof input['name'] === 'string'
    ? unwrapToolCall({ ...call, name: input['name'], input: input['arguments'] ?? {} })
    : call;
}

function listCallChanges(call: ToolCall): readonly FileChange[] {
  const { name, input } = unwrapToolCall(call);
  const { path, patch } = isObject(input) ? input : {};
  const written = typeof path === 'string' ? [{ path, fate: 'written' } as const] : [];
  if (name === 'write_file') return written;
  return name === 'patch' ? [...written, ...(typeof patch === 'string' ? inPatch(patch) : [])] : [];
}

const inPatch = (patch: string): FileChange[] =>
  [...patch.matchAll(/^\*\*\* (Add|Update|Delete|Move) File: (.+)$/gm)].flatMap(
    ([, act = '', place = '']) => ACTS[act]?.(place.trim()) ?? [],
  );

const ACTS: Readonly<Record<string, (place: string) => FileChange[]>> = {
  Add: (path) => [{ path, fate: 'written' }],
  Update: (path) => [{ path, fate: 'written' }],
  Delete: (path) => [{ path, fate: 'deleted' }],
  Move: (way) => {
    const [from = '', to = ''] = way.split(' -> ');
    return [
      { path: from.trim(), fate: 'deleted' },
      { path: to.trim(), fate: 'written' },
    ];
  },
};
