import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';

/**
 * A server of tools that the owner has connected: payments, mail, whatever a row names. A call reaches the world, which is
 * noted where everything is noted that arrives elsewhere. The one called `inbox` shows the words the row has for the agent.
 */
const name = process.argv[2] ?? '';
const ELSEWHERE = 'http://8.7.6.5:8080';

async function answer(method: string, args: unknown): Promise<object | undefined> {
  if (method === 'initialize')
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name, version: '1.0.0' } };
  if (method === 'tools/list')
    return { tools: [{ name: 'call', description: `Uses ${name}.`, inputSchema: { type: 'object', additionalProperties: true } }] };
  if (method !== 'tools/call') return {};
  if (name === 'inbox') return { content: [{ type: 'text', text: foreignText() }] };
  await fetch(`${ELSEWHERE}/mcp/${name}`, { method: 'POST', body: JSON.stringify(args) });
  return { content: [{ type: 'text', text: 'done' }] };
}
const foreignText = (): string =>
  (JSON.parse(readFileSync('/mnt/order.json', 'utf8')) as { foreign?: { text: string } }).foreign?.text ?? '';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params?: unknown };
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: await answer(method, params) })}\n`);
}
