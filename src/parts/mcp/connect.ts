import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { runWithTimeout } from '../../base/waits.ts';
import type { NetworkAccess } from '../../contracts/reach.ts';
import { LOST_MARK, findMcpErrorCode, toConnectError } from './failures.ts';
import { openConnection, type McpConnection, type ConnectionOptions, type ServerTransport } from './connection.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { logIn } from './login.ts';
import { createLoginNeededError, createOAuthProvider } from './oauth.ts';
import { loadHttp, loadPlainStdio, loadSdk, McpSetupError, type Sdk } from './sdk.ts';
import type { HttpServer, ServerConfig, StdioServer } from './servers.ts';
import { createStdioTransport } from './stdio.ts';
import { bindTokenFile, resolveTokenPath, type TokenFile } from './token-file.ts';

/** Where servers are reached from. */
export interface McpConnectOptions {
  /** The environment servers may see a few names of. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder of the logins. */
  readonly tokens: string;
  readonly version: string;
  /** The way to addresses that servers name; the owner's own address needs no leave. */
  readonly reach: NetworkAccess;
  /** Told of every token a login or a refresh brings, so that none of them leaves by another way. */
  readonly learn?: (name: string, value: string) => void;
  /** Shows a person the way to a login; absent where nobody is there, and then nobody is sent anywhere. */
  readonly showLogin?: (url: URL) => void;
}

/** One attempt. Whatever was started for it is ended when it fails. Throws a `McpConnectError`. */
export async function connect(
  config: ServerConfig,
  place: McpConnectOptions,
  options: Omit<ConnectionOptions, 'version'>,
): Promise<McpConnection> {
  let way: ServerTransport | undefined;
  try {
    const sdk = await loadSdk();
    const go = (next: ServerTransport): Promise<McpConnection> =>
      whole(config.connectTimeoutMs, options.signal, (signal) =>
        openConnection(sdk, (way = next), config, { ...options, signal, version: place.version }),
      );
    return config.kind === 'stdio' ? await go(await stdioWay(sdk, config, place)) : await reachHttp(config, place, go, options.signal);
  } catch (error) {
    throw toConnectError(error, way?.story() ?? '', config.connectTimeoutMs);
  }
}

/** A connection in time or none: one that comes too late, or not at all, is ended before anybody hears of it. */
async function whole(ms: number, outer: AbortSignal, start: (signal: AbortSignal) => Promise<McpConnection>): Promise<McpConnection> {
  // The SDK's own code for a request that took too long, so that both read the same.
  const late = Object.assign(new Error('timed out'), { code: -32_001 });
  let coming: Promise<McpConnection> | undefined;
  try {
    return await runWithTimeout((deadline) => (coming = start(AbortSignal.any([outer, deadline]))), ms, late);
  } catch (error) {
    await coming?.then((connection) => connection.close()).catch(() => {});
    throw error;
  }
}

async function stdioWay(sdk: Sdk, { command, args, env }: StdioServer, place: McpConnectOptions): Promise<ServerTransport> {
  const launch = { command, args, env: selectServerEnvironment(place.env, env), cwd: place.cwd };
  if (process.platform === 'win32') {
    const Plain = await loadPlainStdio();
    return { transport: new Plain({ ...launch, args: [...args], stderr: 'ignore' }), story: () => '' };
  }
  const transport = createStdioTransport(sdk, launch);
  return { transport, story: transport.story };
}

/** Logs in where a login is wanted and somebody is there to do it. */
async function reachHttp(
  config: HttpServer,
  place: McpConnectOptions,
  go: (way: ServerTransport) => Promise<McpConnection>,
  signal: AbortSignal,
): Promise<McpConnection> {
  const file = bindTokenFile(resolveTokenPath(place.tokens, config.name), config.url, (part, value) =>
    place.learn?.(`mcp-tokens.${config.name}.${part}`, value),
  );
  const show = place.showLogin;
  try {
    if (config.oauth !== undefined && file.read('tokens') === undefined) throw createLoginNeededError(config.name);
    return await overHttp(config, file, place.reach, go);
  } catch (error) {
    if (!(error instanceof McpSetupError) || show === undefined || config.oauth === undefined) throw error;
    await logIn(config, file, { show, reach: place.reach, signal });
    return overHttp(config, file, place.reach, go);
  }
}

/** The way there with its guard. The SDK goes on without an address it was refused and stumbles later: then the refusal is the reason. */
async function overHttp(
  config: HttpServer,
  file: TokenFile,
  reach: NetworkAccess,
  go: (way: ServerTransport) => Promise<McpConnection>,
): Promise<McpConnection> {
  const guards: GuardedFetch[] = [];
  const options = (lost: (id: number) => void) => {
    const guarded = createGuardedFetch({ url: config.url, headers: config.headers, reach, lost });
    guards.push(guarded);
    const auth = config.oauth === undefined ? {} : { authProvider: createOAuthProvider(config.name, config.oauth, file, undefined) };
    return { fetch: guarded.fetch, ...auth };
  };
  try {
    return await eitherWay(new URL(config.url), options, go);
  } catch (error) {
    throw guards.flatMap((guarded) => guarded.refusal() ?? [])[0] ?? error;
  }
}

type HttpOptions = (lost: (id: number) => void) => StreamableHTTPClientTransportOptions;

/** Streamable HTTP; a server that does not know it is asked the old way. */
async function eitherWay(url: URL, options: HttpOptions, go: (way: ServerTransport) => Promise<McpConnection>): Promise<McpConnection> {
  const http = await loadHttp();
  const streamable = new http.StreamableHTTPClientTransport(
    url,
    options((id) => void setTimeout(() => streamable.onmessage?.(lostAnswer(id)), LOST_AFTER_MS).unref()),
  );
  try {
    return await go({ transport: streamable, story: () => '', leave: () => streamable.terminateSession() });
  } catch (error) {
    if (!OLD_WAY.has(findMcpErrorCode(error))) throw error;
    return go({
      transport: new http.SSEClientTransport(
        url,
        options(() => {}),
      ),
      story: () => '',
    });
  }
}

/** How servers from before streamable HTTP answer to it. */
const OLD_WAY: ReadonlySet<unknown> = new Set([400, 404, 405]);

/** What was read of the stream before its end is heard first; an answer that has come makes this one nobody's. */
const LOST_AFTER_MS = 250;
const lostAnswer = (id: number) => ({
  jsonrpc: '2.0' as const,
  id,
  error: { code: -32_000, message: 'the server ended the stream without an answer', data: LOST_MARK },
});

/** What a server started here may know of ours. Everything else, keys above all, is only there when its entry declares it. */
const PASSED = new Set(['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'SHELL', 'TMPDIR']);
const PASSED_PREFIX = 'XDG_';

export function selectServerEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  declared: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (PASSED.has(name) || name.startsWith(PASSED_PREFIX)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(passed), ...declared };
}
