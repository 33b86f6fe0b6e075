import { RequestError, type McpServer } from '@agentclientprotocol/sdk';
import type { JsonObject } from '../../../contracts/message.ts';

/** Servers the editor hands over, as settings describe servers. Names become part of tool names, so they are held to their letters. */
export function toServerEntries(servers: readonly McpServer[]): JsonObject {
  const entries: Record<string, JsonObject> = {};
  for (const server of servers) {
    const name = freeName(server.name, entries);
    if (!('type' in server)) entries[name] = { command: server.command, args: [...server.args], env: toMap(server.env) };
    else if (server.type === 'http') entries[name] = { url: server.url, headers: toMap(server.headers) };
    else
      throw RequestError.invalidParams(
        { server: server.name },
        `the MCP server ${server.name} uses SSE, which is not supported. Use HTTP or stdio.`,
      );
  }
  return entries;
}

const toMap = (pairs: readonly { readonly name: string; readonly value: string }[]): JsonObject =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

function freeName(given: string, taken: JsonObject): string {
  const plain = given.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'server';
  let [name, next] = [plain, 2];
  while (Object.hasOwn(taken, name)) name = `${plain}-${next++}`;
  return name;
}
