/** An MCP server that tells all it knows: its environment, its arguments, what it is given. It also complains about all of it. */
import { createInterface } from 'node:readline';
import { readPath, parseJson, readStringAt } from '../../src/base/json.ts';
import type { Json, JsonObject } from '../../src/base/json-types.ts';

export const CANARY_SERVER = import.meta.filename;

const everything = (given: Json | undefined): string =>
  JSON.stringify({ env: process.env, args: process.argv, given: given ?? null }, undefined, 1);
const TOOL: JsonObject = {
  name: 'show',
  description: `Shows all. ${process.argv[2] ?? ''}`,
  inputSchema: { type: 'object', properties: { words: { type: 'string' } } },
};
const ANSWERS: Readonly<Record<string, (message: Json) => JsonObject>> = {
  initialize: (message) => ({
    protocolVersion: readStringAt(message, 'params', 'protocolVersion') ?? '',
    capabilities: { tools: {} },
    serverInfo: { name: 'teller', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': (message) => ({ content: [{ type: 'text', text: everything(readPath(message, 'params', 'arguments')) }] }),
  ping: () => ({}),
};

function serve(): void {
  process.stderr.write(`${everything(null)}\n`);
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = parseJson(line) ?? null;
    const [method, id] = [readStringAt(message, 'method') ?? '', readPath(message, 'id')];
    const result = ANSWERS[method]?.(message);
    if (result !== undefined && id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  });
}

if (import.meta.main) serve();
