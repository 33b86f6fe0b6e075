import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import type { ProviderRoute } from '../../contracts/host.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { downloadTokenizer, isHubName } from '../../faces/environments/datasets/hub-model.ts';
import type { RunSettings } from '../../faces/environments/read-settings.ts';
import type { RolloutLimits, RolloutModel } from '../../faces/environments/rollout.ts';
import { createApiKeyAuth, NO_CREDENTIAL } from '../../parts/providers/auth/api-key.ts';
import { BUILT_IN } from '../../parts/providers/catalog/all.ts';
import { waitForServer } from '../../parts/providers/tokens/health.ts';
import { loadLocalTokenizer } from '../../parts/providers/tokens/local-tokenizer.ts';
import { serverTokenizer } from '../../parts/providers/tokens/server-tokenizer.ts';
import { TOKEN_SERVERS } from '../../parts/providers/tokens/servers/all.ts';
import { createTokenProvider } from '../../parts/providers/tokens/token-provider.ts';
import { httpSse } from '../../parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../parts/providers/wire-format.ts';
import { findToolCallParser } from '../../parts/tool-call-parsers/all.ts';

export interface TokenModelOptions {
  readonly settings: Pick<RunSettings, 'env' | 'server'>;
  readonly env: Env;
  readonly signal: AbortSignal;
  readonly notice: (words: string) => void;
  /** A folder for tokenizers that are downloaded; without one they are not. */
  readonly downloads?: string;
}
export interface TokenModels extends Disposable {
  /** A model for one attempt; nothing where the server tells no tokens. */
  open(limits?: RolloutLimits): RolloutModel | undefined;
}

/** Models on a server that tells tokens. Throws a `UsageError` when the server or the tokenizer is not there. */
export async function openTokenModels({ settings, env, signal, notice, downloads }: TokenModelOptions): Promise<TokenModels> {
  const { server_type: type, base_url: baseUrl, api_key_env: keyName, model_name: model, health_check: isChecked } = settings.server;
  const { tokenizer_name: name, tool_call_parser: parserName, max_token_length: maxTokens } = settings.env;
  const urls = listServers(baseUrl);
  if (isChecked) await Promise.all(urls.map((url) => waitForServer(url, { signal })));
  if (type === 'openai') return { open: () => undefined, [Symbol.dispose]: () => {} };
  if (urls.length === 0)
    throw new UsageError(`openai.server_type is ${type}, and openai.base_url is not set. Set it to the address of the server.`);
  if (name === null && TOKEN_SERVERS[type].tellsNoText === true)
    throw new UsageError(
      `openai.server_type is ${type}, whose replies are tokens without text, and env.tokenizer_name is not set. Set it to the model's tokenizer: a folder, or its name at Hugging Face.`,
    );
  const tokenizer =
    name === null
      ? serverTokenizer
      : await loadTokenizer(await findTokenizer(name, { env, signal, notice, ...(downloads !== undefined && { downloads }) }), notice);
  const parser = findToolCallParser(parserName);
  const transport = httpSse(env);
  const auth = createApiKeyAuth({ profileOf: BUILT_IN.profileOf, secret: (key) => env[key], owned: () => urls });
  const formatOf = createWireFormats(BUILT_IN.profileOf);
  const credential = keyName !== null && env[keyName] !== undefined ? keyName : NO_CREDENTIAL;
  const nextServer = takeTurns(urls);
  const parts = { formatOf, transport, auth, deadlinesOf: () => DEADLINES, server: TOKEN_SERVERS[type], tokenizer, parser, maxTokens };
  return {
    open: (limits) => {
      const provider = createTokenProvider({ ...parts, ...limits });
      const runtime: Runtime = { ...ROUTE, model: model ?? 'default', baseUrl: nextServer(), credential };
      return { provider: createRoute(runtime, provider), trace: provider.trace };
    },
    [Symbol.dispose]: () => transport[Symbol.dispose](),
  };
}

/** A folder of this machine, else the name of a model at Hugging Face. */
async function findTokenizer(name: string, { downloads, env, signal, notice }: Omit<TokenModelOptions, 'settings'>): Promise<string> {
  const folder = resolve(name);
  if (existsSync(folder) || downloads === undefined || !isHubName(name)) return folder;
  return downloadTokenizer(name, { downloads, signal, notice, token: env['HF_TOKEN'] ?? '' });
}

async function loadTokenizer(folder: string, notice: (words: string) => void) {
  const tokenizer = await loadLocalTokenizer(folder);
  if (!tokenizer.isToolAware)
    notice(`The chat template in ${folder} says nothing of tools: name them in env.system_prompt, or the model does not know them.`);
  return tokenizer;
}

/** The servers of a run: one address, or several with commas between them. */
export const listServers = (baseUrl: string | null): readonly string[] =>
  (baseUrl ?? '').split(',').flatMap((url) => (url.trim() === '' ? [] : [url.trim()]));

/** One after the other, so that attempts are shared out evenly. A conversation stays with its server, which has it in its cache. */
export function takeTurns(urls: readonly string[]): () => string {
  let next = 0;
  return () => urls[next++ % urls.length] ?? '';
}

/** What is too long is found by counting tokens (`max_token_length`), never by our estimate. */
const ROUTE = { provider: 'custom', protocol: 'openai-chat', limits: { window: 10_000_000, stated: true } } as const;

/** A reply comes when it is whole, which may take long; the time of the attempt bounds it. */
const DEADLINES = { connect: 15_000, firstByte: 3_600_000, idle: 3_600_000 };

const createRoute = (runtime: Runtime, provider: ProviderRoute['provider']): ProviderRoute => ({
  runtime,
  provider,
  routes: {
    refresh: async () => false,
    rotate: async () => undefined,
    fallback: async () => undefined,
    learnt: async () => ({}),
    learn: async () => {},
  },
  price: () => undefined,
});
