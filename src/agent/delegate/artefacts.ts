import { resolve } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { ToolCall } from '../../contracts/message.ts';

/** Files the calls wrote, each once, in the order of writing. What commands wrote is not known here. */
export const artefactsOf = (calls: readonly ToolCall[], cwd: string): readonly string[] => [
  ...new Set(calls.flatMap(writtenBy).map((path) => resolve(cwd, path))),
];

function writtenBy(call: ToolCall): readonly string[] {
  const input = isObject(call.input) ? call.input : {};
  // A tool that is not in the table is called through another.
  if (call.name === 'tool_call' && typeof input['name'] === 'string')
    return writtenBy({ ...call, name: input['name'], input: input['arguments'] ?? {} });
  const path = typeof input['path'] === 'string' ? [input['path']] : [];
  if (call.name === 'write_file') return path;
  return call.name === 'patch' ? [...path, ...inPatch(input['patch'])] : [];
}

const inPatch = (patch: unknown): readonly string[] =>
  typeof patch === 'string'
    ? [...patch.matchAll(/^\*\*\* (?:Add|Update) File: (.+)$/gm)].flatMap(([, path]) => (path === undefined ? [] : [path.trim()]))
    : [];
