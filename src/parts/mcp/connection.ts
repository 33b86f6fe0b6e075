import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { waitUnlessAborted, waitAtMost } from '../../base/waits.ts';
import { markAnswers } from './failures.ts';
import { listMethodTools, toMethodResult, type McpMethod } from './methods.ts';
import { selectOfferedTools, readTools, type ListedTools, type OfferedTools, type RemoteTool } from './remote-tools.ts';
import type { Sdk } from './sdk.ts';
import type { ServerConfig } from './servers.ts';

/** A way to a server before anything is said over it. */
export interface ServerTransport {
  readonly transport: Transport;
  /** What is known of how the server fares. */
  story(): string;
  /** Says goodbye where the wire has a word for it. */
  leave?(): Promise<void>;
}
export interface McpCallOptions {
  readonly signal: AbortSignal;
  /** The call is this request, with the input as its parameters; absent for a tool. */
  readonly method?: McpMethod;
  onProgress(note: Progress): void;
}
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
/** One initialised connection. Its methods throw what the SDK throws. */
export interface McpConnection {
  readonly server: string;
  readonly protocol: string;
  /** How it wants to be used, in its own words; empty when it says nothing. */
  readonly instructions: string;
  /** Resolves once it is closed, by whomever. */
  readonly ended: Promise<void>;
  story(): string;
  list(signal?: AbortSignal): Promise<OfferedTools>;
  call(tool: string, input: JsonObject, options: McpCallOptions): Promise<Json>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Where asking for more of a list ends; all but broken servers are through long before. */
const MAX_PAGES = 32;
const MAX_LISTED = 4_096;
/** How long a goodbye may take. */
const LEAVE_MS = 1_000;
const PING_MS = 10_000;
/** Servers that change many tools at once say so many times. */
const SETTLE_MS = 300;

/** Initialises. No capability is declared: a server that asks for elicitation, sampling or roots is told there is none. */
export async function openConnection(
  sdk: Sdk,
  way: ServerTransport,
  config: ServerConfig,
  options: ConnectionOptions,
): Promise<McpConnection> {
  const { transport } = way;
  const client = new sdk.Client(
    { name: 'hermes', version: options.version },
    { capabilities: {}, listChanged: { tools: { autoRefresh: false, debounceMs: SETTLE_MS, onChanged: options.toolsChanged } } },
  );
  const ended = Promise.withResolvers<void>();
  Object.assign(client, {
    onclose: () => ended.resolve(),
    // A stream that cannot be taken up again leaves its calls without an answer for ever.
    onerror: ({ message }: Error) => void (message.startsWith('Maximum reconnection attempts') && client.close()),
  });
  const protocol = heardProtocol(transport);
  markAnswers(transport);
  try {
    // Some transports start without listening to a signal.
    await waitUnlessAborted(client.connect(transport, { timeout: config.connectTimeoutMs, signal: options.signal }), options.signal);
    options.signal.throwIfAborted();
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  }
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  return {
    server: `${name} ${version}`.trim(),
    protocol: protocol(),
    instructions: client.getInstructions() ?? '',
    ended: ended.promise,
    story: way.story,
    ...requestsOver(sdk, client, config),
    close: async () => {
      if (way.leave !== undefined)
        await waitAtMost(
          way.leave().catch(() => {}),
          LEAVE_MS,
        );
      await client.close();
      await transport.close().catch(() => {});
    },
  };
}

type ServerRequests = Pick<McpConnection, 'list' | 'call' | 'ping'>;

/** Answers are read by us, leniently: the SDK's own readers refuse a whole list for one odd tool, and compile what a server sends. */
function requestsOver(sdk: Sdk, client: InstanceType<Sdk['Client']>, config: ServerConfig): ServerRequests {
  const { timeoutMs: timeout } = config;
  const capabilities = client.getServerCapabilities();
  const ask = async (method: string, params: JsonObject, options: RequestOptions): Promise<Json> =>
    asJson(await client.request({ method, params }, sdk.ResultSchema, options));
  return {
    list: async (signal) => {
      const page = (params: JsonObject) => ask('tools/list', params, { timeout, ...(signal !== undefined && { signal }) });
      const { tools, endless } = capabilities?.tools === undefined ? { tools: [], endless: false } : await listed(page);
      return selectOfferedTools({ tools: [...tools, ...listMethodTools(capabilities, tools)], endless }, config);
    },
    call: async (name, input, { signal, onProgress, method }) => {
      const options = { timeout, signal, onprogress: onProgress };
      if (method === undefined) return ask('tools/call', { name, arguments: input }, options);
      return toMethodResult(method, await ask(method, input, options));
    },
    ping: async () => void (await ask('ping', {}, { timeout: PING_MS })),
  };
}

export interface ConnectionOptions {
  readonly version: string;
  readonly signal: AbortSignal;
  toolsChanged(): void;
}

/** The SDK tells the agreed version to the transport only. */
function heardProtocol(transport: Transport): () => string {
  const tell = transport.setProtocolVersion?.bind(transport);
  let heard = '';
  transport.setProtocolVersion = (version) => {
    heard = version;
    tell?.(version);
  };
  return () => heard;
}

/** Everything a server lists, as far as it is worth asking on. */
async function listed(page: (params: JsonObject) => Promise<Json>): Promise<ListedTools> {
  const tools = new Map<string, RemoteTool>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && tools.size < MAX_LISTED; pages++) {
    const answer = await page(cursor === undefined ? {} : { cursor });
    for (const tool of readTools(answer)) tools.set(tool.name, tool);
    cursor = readStringAt(answer, 'nextCursor');
    if (cursor === undefined) break;
  }
  return { tools: [...tools.values()], endless: cursor !== undefined };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came over a JSON wire
const asJson = (value: unknown): Json => value as Json;
