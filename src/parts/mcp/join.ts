import type { JsonObject } from '../../base/json-types.ts';
import type { Mcp } from './open.ts';

/** Servers of one session, less those that have the name of a server of the owner's; what is left out is told. */
export function withoutTakenServers(
  servers: JsonObject,
  owners: Mcp,
): { readonly servers: JsonObject; readonly notices: readonly string[] } {
  const taken = new Set(owners.toolsets.map(({ name }) => name));
  const isTaken = (name: string): boolean => taken.has(`mcp-${name}`);
  return {
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => !isTaken(name))),
    notices: Object.keys(servers)
      .filter(isTaken)
      .map((name) => `the MCP server ${name} was not added to this session, because config.yaml has a server of that name.`),
  };
}

/** The owner's servers and those of one session as one. Closing it leaves the owner's open. */
export function joinServers(owners: Mcp, own: Mcp): Mcp {
  const names = new Set(owners.tools.map(({ name }) => name));
  return {
    tools: [...owners.tools, ...own.tools.filter(({ name }) => !names.has(name))],
    toolsets: [...owners.toolsets, ...own.toolsets],
    withheld: [...owners.withheld, ...own.withheld],
    notices: own.notices,
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
}
