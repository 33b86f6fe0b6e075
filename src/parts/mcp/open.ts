import { systemClock, type Clock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { AnyTool, Toolset } from '../../contracts/tool.ts';
import { readCachedOffer, writeCachedOffer, type CachedOffer } from './cache.ts';
import type { McpConnectOptions } from './connect.ts';
import type { McpConnection } from './connection.ts';
import { judgeTools, type JudgedTool } from './judge.ts';
import { openLink, type ServerLink } from './link.ts';
import { nameServerTools } from './names.ts';
import { describeLeftOutTools, type RemoteTool } from './remote-tools.ts';
import { isChosen } from './select.ts';
import type { ServerConfig } from './servers.ts';
import { createIntroductions, createMcpTool, type Introductions } from './tool.ts';

type RedactAll = Secrets['redactAll'];

export interface McpOptions {
  readonly servers: readonly ServerConfig[];
  readonly place: McpConnectOptions;
  /** The folder for what servers offered when they were last asked. */
  readonly cache: string;
  /** How long the start may wait for servers nobody has asked yet; 0 asks none. */
  readonly discoveryMs: number;
  /** Decides what of the servers' words may reach the prompt. */
  judge<Result>(work: (admit: AdmitText) => Result): Promise<Result>;
  /** Takes known secrets out of what is written down: a server may repeat what it was started with. */
  readonly redact?: RedactAll;
  readonly clock?: Clock;
  readonly random?: () => number;
}
/** The servers' tools for one session: the table stands from the beginning, servers start with the first call. */
export interface Mcp extends AsyncDisposable {
  readonly tools: readonly AnyTool[];
  /** `mcp-NAME` for each server. */
  readonly toolsets: readonly Toolset[];
  /** Names of tools that are known and that the owner keeps from the model by `tools.include` or `tools.exclude`. */
  readonly withheld: readonly string[];
  /** For the owner. */
  readonly notices: readonly string[];
}

export async function openMcp(options: McpOptions): Promise<Mcp> {
  const links: ServerLink[] = [];
  const notices: string[] = [];
  const known = await Promise.all(
    options.servers
      .filter(({ enabled }) => enabled)
      .map(async (config) => {
        const link = linkTo(config, options);
        links.push(link);
        const seen = readCachedOffer(options.cache, config) ?? (await discover(config, link, options, notices));
        const tools = (seen?.tools ?? []).filter(({ name }) => isChosen(name, config));
        const withheld = (seen?.tools ?? []).filter(({ name }) => !isChosen(name, config));
        const judged = await options.judge((admit) => judgeTools(config.name, tools, admit));
        const leftOut = seen === undefined ? undefined : describeLeftOutTools(config.name, seen);
        notices.push(...(leftOut === undefined ? [] : [leftOut]), ...judged.notices);
        return { config, link, tools: judged.tools, withheld, introductions: createIntroductions() };
      }),
  );
  // In the order of their names, whatever order servers answer in: the table has the same bytes in every session.
  const named = nameServerTools<KnownServer>(known);
  return {
    tools: named.map(({ name, tool, from }) => createMcpTool(name, tool, from.config, from.link, from.introductions)),
    toolsets: known.map(({ config }) =>
      toolsetOf(
        config,
        named.filter(({ from }) => from.config === config).map(({ name }) => name),
      ),
    ),
    withheld: withheldNames(known, new Set(named.map(({ name }) => name))),
    notices,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(links.map((link) => link[Symbol.asyncDispose]()));
    },
  };
}

interface KnownServer {
  readonly config: ServerConfig;
  readonly link: ServerLink;
  readonly tools: readonly JudgedTool[];
  readonly withheld: readonly RemoteTool[];
  readonly introductions: Introductions;
}

/** Named apart from the others, so that what the model has is called the same whatever is kept from it. */
const withheldNames = (known: readonly KnownServer[], taken: ReadonlySet<string>): readonly string[] =>
  nameServerTools(known.map(({ config, withheld }) => ({ config, tools: withheld })))
    .map(({ name }) => name)
    .filter((name) => !taken.has(name));

const toolsetOf = ({ name }: ServerConfig, tools: readonly string[]): Toolset => ({
  name: `mcp-${name}`,
  description: `Tools of the MCP server ${name}`,
  tools,
  includes: [],
});

/** What a server offers is written down whenever it is connected, for sessions to come; this one keeps its table. */
function linkTo(config: ServerConfig, { place, cache, redact, clock = systemClock, random = Math.random }: McpOptions): ServerLink {
  return openLink({
    parallel: config.parallel,
    clock,
    random,
    connect: async (signal) => {
      let here: McpConnection | undefined;
      const note = () => void (here !== undefined && refreshCachedTools(config, here, { cache, redact }).catch(() => {}));
      const { connect } = await import('./connect.ts');
      here = await connect(config, place, { signal, toolsChanged: note });
      note();
      return here;
    },
  });
}

export interface RefreshToolsOptions {
  readonly cache: string;
  readonly redact?: RedactAll | undefined;
  readonly signal?: AbortSignal;
}

export async function refreshCachedTools(
  config: ServerConfig,
  connection: McpConnection,
  { cache, redact, signal }: RefreshToolsOptions,
): Promise<CachedOffer> {
  const heard = { at: Date.now(), protocol: connection.protocol, server: connection.server, ...(await connection.list(signal)) };
  const seen = redact === undefined ? heard : redact(heard);
  try {
    writeCachedOffer(cache, config, seen);
  } catch {
    // A full disk costs the next session a moment, not this one its tools.
  }
  return seen;
}

/** Asks a server nobody has asked yet. One that takes too long goes on in the background and is known next time. */
async function discover(config: ServerConfig, link: ServerLink, options: McpOptions, notices: string[]): Promise<CachedOffer | undefined> {
  if (options.discoveryMs <= 0) return undefined;
  const late = AbortSignal.timeout(options.discoveryMs);
  try {
    return await refreshCachedTools(config, await link.up(late), { cache: options.cache, redact: options.redact, signal: late });
  } catch (error) {
    const why = late.aborted ? `it did not answer within ${options.discoveryMs / 1_000} s` : toErrorMessage(error);
    notices.push(`the MCP server ${config.name} is not available in this session: ${why}. For details: hermes mcp test ${config.name}`);
    return undefined;
  }
}
