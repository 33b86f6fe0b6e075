import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { Home } from '../../base/home.ts';
import type { SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { McpConnectOptions } from '../../parts/mcp/connect.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import type { Env } from '../../base/env.ts';
import { sha256 } from '../../base/sha256.ts';
import type { AnyTool } from '../../contracts/tool.ts';
import { openSafety, type Safety } from '../../parts/safety/scan/open.ts';
import type { Settings } from '../config/config.ts';
import { version } from '../../base/version.ts';
import type { HostServices, SessionStart } from './session-start.ts';

export interface McpToolOptions {
  readonly home: Home;
  readonly env: Env;
  readonly cwd: string;
  /** Of which `mcp_servers` says what servers there are, and `security` what they may lead to. */
  readonly settings: Settings;
  /** The setting `mcp_discovery_timeout`, or less. */
  readonly discoverySeconds: number;
  readonly safety: Pick<Safety, 'judged'>;
  readonly notice: (words: string) => void;
  /** Told of every secret the servers' entries and logins hold. */
  readonly learn?: (name: string, value: string) => void;
  /** Takes known secrets out of what servers say of themselves. */
  readonly redact?: Secrets['redactAll'];
  /** The folder for what servers offered; the owner's own when left out. */
  readonly cache?: string;
}

export const resolveMcpFolders = ({ root }: Home) => ({ cache: join(root, 'cache', 'mcp'), tokens: join(root, 'mcp-tokens') });

export const NO_SERVERS: Mcp = { tools: [], toolsets: [], withheld: [], notices: [], [Symbol.asyncDispose]: async () => {} };

/** The tools of the owner's MCP servers for one session. Without servers nothing is loaded, without a call none is started. */
export async function openMcpTools({
  home,
  env,
  cwd,
  settings,
  discoverySeconds,
  safety,
  notice,
  learn,
  redact,
  cache = resolveMcpFolders(home).cache,
}: McpToolOptions): Promise<Mcp> {
  const { mcp_servers: servers } = settings;
  if (typeof servers !== 'object' || servers === null || Object.keys(servers).length === 0) return NO_SERVERS;
  const [{ openMcp }, { readServers }, { collectEntrySecrets }, { withoutShapes }] = await Promise.all([
    import('../../parts/mcp/open.ts'),
    import('../../parts/mcp/servers.ts'),
    import('../../parts/mcp/entry-secrets.ts'),
    import('../../parts/safety/secrets/shapes.ts'),
  ]);
  const read = readServers(servers);
  if (learn !== undefined)
    for (const server of read.servers) for (const [name, value] of collectEntrySecrets(server, withoutShapes)) learn(name, value);
  const place = createMcpConnectOptions({ home, env, cwd, settings, notice, ...(learn !== undefined && { learn }) });
  const mcp = await openMcp({
    servers: read.servers,
    place,
    cache,
    discoveryMs: discoverySeconds * 1_000,
    judge: safety.judged,
    ...(redact !== undefined && { redact }),
  });
  return { ...mcp, notices: [...[...read.problems, ...read.warnings].map(({ words }) => words), ...mcp.notices] };
}

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
  const [{ joinServers, withoutTakenServers }, shared] = await Promise.all([import('../../parts/mcp/join.ts'), host.shared()]);
  const { settings } = shared.config;
  const { learn, redactAll: redact } = host.secrets;
  const { servers, notices } = withoutTakenServers(mcpServers, owners);
  const opened = await openMcpTools({
    ...shared,
    cwd,
    learn,
    redact,
    settings: { ...settings, mcp_servers: servers },
    discoverySeconds: settings.mcp_discovery_timeout,
    cache: join(resolveMcpFolders(shared.home).cache, 'sessions'),
  });
  const own = joinServers(owners, { ...opened, notices: [...opened.notices, ...notices] });
  return { all: own, own };
}

/** Tools of the caller's own stand beside those of servers, as one toolset. */
export function withCallerTools(mcp: Mcp, { tools = [] }: SessionOptions, taken: ReadonlyMap<string, unknown>): Mcp {
  if (tools.length === 0) return mcp;
  const same = tools.find(({ name }) => taken.has(name) || mcp.tools.some((tool) => tool.name === name));
  if (same !== undefined) throw new UsageError(`there is a tool ${same.name} already. Give the caller's own tool another name.`);
  const set = { name: nameCallerTools(tools), description: 'Tools of the caller', tools: tools.map(({ name }) => name), includes: [] };
  return { ...mcp, tools: [...mcp.tools, ...tools], toolsets: [...mcp.toolsets, set] };
}

const CALLER_TOOLS = 'caller-tools-';
const nameCallerTools = (tools: readonly AnyTool[]): string =>
  `${CALLER_TOOLS}${sha256(JSON.stringify(tools.map(({ name, description, input }) => [name, description, input]))).slice(0, 8)}`;

/** A session that chooses its toolsets, or goes on, has the caller's tools of today and none of those it had before. */
export function withCallerToolset(options: SessionOptions, epoch: PromptEpoch | undefined): SessionOptions {
  const { tools = [], toolsets = epoch?.toolsets } = options;
  if (toolsets === undefined) return options;
  const others = toolsets.filter((name) => !name.startsWith(CALLER_TOOLS));
  const wanted = tools.length === 0 ? others : [...others, nameCallerTools(tools)];
  return wanted.join() === toolsets.join() ? options : { ...options, toolsets: wanted };
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

/** What servers offered when they were last asked, for a look at a home: none is started. */
export const openKnownMcpTools = (parts: Pick<McpToolOptions, 'home' | 'env' | 'settings' | 'notice'>): Promise<Mcp> =>
  openMcpTools({ ...parts, cwd: process.cwd(), discoverySeconds: 0, safety: openSafety(parts.home, parts.notice) });

export const createMcpConnectOptions = ({
  home,
  env,
  cwd,
  settings,
  notice,
  learn,
}: Pick<McpToolOptions, 'home' | 'env' | 'cwd' | 'settings' | 'notice' | 'learn'>): McpConnectOptions => ({
  env,
  cwd,
  tokens: resolveMcpFolders(home).tokens,
  version,
  reach: openReach({ settings, home: home.root, env, notice }),
  ...(learn !== undefined && { learn }),
});
