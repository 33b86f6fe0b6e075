import { join } from 'node:path';
import type { JsonObject } from '../../base/json-types.ts';
import type { SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { NO_SERVERS, openMcpTools, resolveMcpFolders, type McpToolOptions } from './mcp.ts';
import type { HostServices, SessionStart } from './session-start.ts';

/** The servers a session can call. */
export interface SessionServers {
  /** The owner's, and the session's own beside them. */
  readonly all: Mcp;
  /** The same where the session has servers of its own. Closing it leaves the owner's open. */
  readonly own?: Mcp;
}

export async function openSessionServers(
  host: Pick<HostServices, 'mcp' | 'shared' | 'secrets'>,
  { mcp, mcpServers }: SessionOptions,
  cwd: string,
): Promise<SessionServers> {
  const owners = mcp === false ? NO_SERVERS : await host.mcp(cwd);
  if (mcpServers === undefined || Object.keys(mcpServers).length === 0) return { all: owners };
  const { learn, redactAll: redact } = host.secrets;
  const shared = await host.shared();
  const own = await joinServers(owners, mcpServers, { ...shared, cwd, settings: shared.config.settings, learn, redact });
  return { all: own, own };
}

/** Servers of one session beside the owner's; one that has the name of a server of the owner's is left out. */
async function joinServers(owners: Mcp, servers: JsonObject, options: Omit<McpToolOptions, 'discoverySeconds' | 'cache'>): Promise<Mcp> {
  const { settings, home } = options;
  const taken = new Set(owners.toolsets.map(({ name }) => name));
  const isTaken = (name: string): boolean => taken.has(`mcp-${name}`);
  const own = await openMcpTools({
    ...options,
    settings: { ...settings, mcp_servers: Object.fromEntries(Object.entries(servers).filter(([name]) => !isTaken(name))) },
    discoverySeconds: settings.mcp_discovery_timeout,
    cache: join(resolveMcpFolders(home).cache, 'sessions'),
  });
  const names = new Set(owners.tools.map(({ name }) => name));
  return {
    tools: [...owners.tools, ...own.tools.filter(({ name }) => !names.has(name))],
    toolsets: [...owners.toolsets, ...own.toolsets],
    withheld: [...owners.withheld, ...own.withheld],
    notices: [
      ...own.notices,
      ...Object.keys(servers)
        .filter(isTaken)
        .map((name) => `the MCP server ${name} was not added to this session, because config.yaml has a server of that name.`),
    ],
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
}

/** A session that goes on has the toolsets it began with, and those of servers that were named for it now. */
export function withOwnServers(
  options: SessionOptions,
  epoch: PromptEpoch | undefined,
  { ownServers, mcp }: Pick<SessionStart, 'ownServers' | 'mcp'>,
): SessionOptions {
  if (ownServers === undefined || epoch === undefined || options.toolsets !== undefined) return options;
  const served = new Set(mcp.toolsets.map(({ name }) => name));
  const named = Object.keys(options.mcpServers ?? {}).map((name) => `mcp-${name}`);
  return { ...options, toolsets: [...new Set([...epoch.toolsets, ...named.filter((name) => served.has(name))])] };
}
