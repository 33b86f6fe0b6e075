import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssistantMessage, Message } from '../../../../src/contracts/message.ts';
import type { ModelEvent, ModelRequest, ToolDefinition } from '../../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../../src/contracts/runtime.ts';
import type { TokenServerType } from '../../../../src/parts/providers/tokens/servers/all.ts';
import { createTokenProvider, type TokenProvider } from '../../../../src/parts/providers/tokens/token-provider.ts';
import { TOKEN_SERVERS } from '../../../../src/parts/providers/tokens/servers/all.ts';
import { loadLocalTokenizer } from '../../../../src/parts/providers/tokens/local-tokenizer.ts';
import { serverTokenizer } from '../../../../src/parts/providers/tokens/server-tokenizer.ts';
import { createApiKeyAuth } from '../../../../src/parts/providers/auth/api-key.ts';
import { BUILT_IN } from '../../../../src/parts/providers/catalog/all.ts';
import { httpSse } from '../../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../../src/parts/providers/wire-format.ts';
import { findToolCallParser } from '../../../../src/parts/tool-call-parsers/all.ts';
import { CHATML_TEMPLATE, writeByteTokenizer } from '../../../../src/testing/token-server/byte-tokenizer.ts';
import { startTokenServer, type FakeTokenServer, type TokenReply, type TokenRequest } from '../../../../src/testing/token-server/server.ts';

/** Kinds of servers, each with each place its tokenizer may be. */
export const KINDS: readonly { readonly name: string; readonly type: TokenServerType; readonly isLocal?: true }[] = [
  { name: 'vLLM /generate, tokenizer of a folder', type: 'vllm', isLocal: true },
  { name: 'vLLM /generate, tokenizer of the server', type: 'vllm' },
  { name: 'vLLM /inference/v1/generate, tokenizer of a folder', type: 'vllm_inference', isLocal: true },
  { name: 'SGLang /generate, tokenizer of a folder', type: 'sglang', isLocal: true },
  { name: 'SGLang /generate, tokenizer of the server', type: 'sglang' },
  { name: 'stock vLLM', type: 'vllm_tokens' },
];
export type Kind = (typeof KINDS)[number];

export const TOOLS: readonly ToolDefinition[] = ['look', 'write'].map((name) => ({
  name,
  description: name,
  input: { type: 'object', properties: { path: { type: 'string' } } },
}));
/** Calls as the model of the fake writes them. */
export const written = (...paths: readonly string[]): string =>
  paths.map((path) => `<tool_call>\n{"name": "look", "arguments": {"path": "${path}"}}\n</tool_call>`).join('\n');

export interface TokenStage extends AsyncDisposable {
  readonly server: FakeTokenServer;
  readonly provider: TokenProvider;
  /** What a conversation so far makes the model say. */
  ask(messages: readonly Message[], change?: Partial<ModelRequest>, signal?: AbortSignal): Promise<readonly ModelEvent[]>;
  /** Asks, and gives the reply; throws when there is none. */
  reply(messages: readonly Message[], change?: Partial<ModelRequest>): Promise<AssistantMessage>;
  request(messages: readonly Message[], change?: Partial<ModelRequest>): ModelRequest;
}

export interface TokenStageOptions {
  readonly replies?: readonly TokenReply[];
  readonly answer?: (request: TokenRequest, index: number) => TokenReply;
  readonly maxTokens?: number;
  readonly template?: unknown;
  readonly key?: string;
}

export async function stageTokens(kind: Kind, options: TokenStageOptions): Promise<TokenStage> {
  const {
    replies = [],
    answer = (_, index) => replies[index] ?? { status: 400 },
    maxTokens = 8_192,
    template = CHATML_TEMPLATE,
    key,
  } = options;
  const server = await startTokenServer({ answer });
  const folder = mkdtempSync(join(tmpdir(), 'hermes-tokens-'));
  const tokenizer = kind.isLocal === true ? await loadLocalTokenizer(writeByteTokenizer(folder, template)) : serverTokenizer;
  const transport = httpSse();
  const baseUrl = `${server.url}/v1`;
  const provider = createTokenProvider({
    formatOf: createWireFormats(BUILT_IN.profileOf),
    transport,
    auth: createApiKeyAuth({ profileOf: BUILT_IN.profileOf, secret: () => key, owned: () => [baseUrl] }),
    deadlinesOf: () => ({ connect: 5_000, firstByte: 60_000, idle: 60_000 }),
    server: TOKEN_SERVERS[kind.type],
    tokenizer,
    parser: findToolCallParser('hermes'),
    maxTokens,
  });
  const request: TokenStage['request'] = (messages, change = {}) => ({
    runtime: {
      provider: 'custom',
      model: 'byte-model',
      baseUrl,
      protocol: 'openai-chat',
      credential: key === undefined ? 'none' : 'SERVER_KEY',
      limits: { window: 1_000_000 },
    },
    adjust: DEFAULT_ADJUSTMENTS,
    system: 'Be brief.',
    tools: TOOLS,
    toolUse: 'auto',
    messages: messages.map((message) => ({ message })),
    cacheTtl: 'off',
    ...change,
  });
  const ask: TokenStage['ask'] = async (messages, change, signal = new AbortController().signal) => {
    const events: ModelEvent[] = [];
    for await (const event of provider.stream(provider.encode(request(messages, change)), { signal, estimate: 10 })) events.push(event);
    return events;
  };
  return {
    server,
    provider,
    request,
    ask,
    reply: async (messages, change) => {
      const last = (await ask(messages, change)).at(-1);
      if (last?.type === 'done') return last.message;
      throw new Error(JSON.stringify(last));
    },
    [Symbol.asyncDispose]: async () => {
      transport[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text, trust: 'owner' }] });
export const result = (callId: string, text: string): Message => ({
  role: 'tool',
  callId,
  name: 'look',
  content: [{ type: 'text', text, trust: 'tool' }],
  failed: false,
});
