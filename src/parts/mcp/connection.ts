import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { stringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { MOST_TOOLS, readTools, type RemoteTool } from './remote-tools.ts';
import type { Sdk } from './sdk.ts';
import type { ServerConfig } from './servers.ts';

/** A way to a server before anything is said over it. */
export interface Way {
  readonly transport: Transport;
  /** What is known of how the server fares. */
  story(): string;
  /** Says goodbye where the wire has a word for it. */
  leave?(): Promise<void>;
}
export interface CallOptions {
  readonly signal: AbortSignal;
  onProgress(note: Progress): void;
}
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
/** One initialised connection. Its methods throw what the SDK throws. */
export interface Connection {
  readonly server: string;
  readonly protocol: string;
  /** Resolves once it is closed, by whomever. */
  readonly ended: Promise<void>;
  story(): string;
  list(signal?: AbortSignal): Promise<RemoteTool[]>;
  call(tool: string, input: JsonObject, options: CallOptions): Promise<Json>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const MOST_PAGES = 32;
/** How long a goodbye may take. */
const LEAVE_MS = 1_000;
const PING_MS = 10_000;
/** Servers that change many tools at once say so many times. */
const SETTLE_MS = 300;

/** Initialises. No capability is declared: a server that asks for elicitation, sampling or roots is told there is none. */
export async function join(sdk: Sdk, way: Way, config: ServerConfig, options: JoinOptions): Promise<Connection> {
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
  try {
    await unlessStopped(client.connect(transport, { timeout: config.connectTimeoutMs, signal: options.signal }), options.signal);
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  }
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  return {
    server: `${name} ${version}`.trim(),
    protocol: protocol(),
    ended: ended.promise,
    story: way.story,
    ...requestsOver(sdk, client, config.timeoutMs),
    close: async () => {
      if (way.leave !== undefined) await Promise.race([way.leave().catch(() => {}), pause(LEAVE_MS)]);
      await client.close();
      await transport.close().catch(() => {});
    },
  };
}

type Requests = Pick<Connection, 'list' | 'call' | 'ping'>;

/** Answers are read by us, leniently: the SDK's own readers refuse a whole list for one odd tool, and compile what a server sends. */
function requestsOver(sdk: Sdk, client: InstanceType<Sdk['Client']>, timeout: number): Requests {
  const hasTools = client.getServerCapabilities()?.tools !== undefined;
  const ask = async (method: string, params: JsonObject, options: RequestOptions): Promise<Json> =>
    asJson(await client.request({ method, params }, sdk.ResultSchema, options));
  return {
    list: async (signal) =>
      hasTools ? allTools((params) => ask('tools/list', params, { timeout, ...(signal !== undefined && { signal }) })) : [],
    call: (name, input, { signal, onProgress }) =>
      ask('tools/call', { name, arguments: input }, { timeout, signal, onprogress: onProgress }),
    ping: async () => void (await ask('ping', {}, { timeout: PING_MS })),
  };
}

export interface JoinOptions {
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

async function allTools(page: (params: JsonObject) => Promise<Json>): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && tools.length < MOST_TOOLS; pages++) {
    const answer = await page(cursor === undefined ? {} : { cursor });
    tools.push(...readTools(answer));
    cursor = stringAt(answer, 'nextCursor');
    if (cursor === undefined) break;
  }
  const unique = new Map(tools.slice(0, MOST_TOOLS).map((tool) => [tool.name, tool]));
  return [...unique.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Some transports start without listening to a signal. */
function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came over a JSON wire
const asJson = (value: unknown): Json => value as Json;
