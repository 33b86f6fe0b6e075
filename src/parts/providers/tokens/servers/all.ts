import type { ServerSettings } from '../../../../contracts/environment.ts';
import type { TokenServer } from '../token-server.ts';
import { sglangGenerate } from './sglang-generate.ts';
import { vllmChat } from './vllm-chat.ts';
import { vllmInference } from './vllm-inference.ts';
import { vllmGenerate } from './vllm-generate.ts';

export type TokenServerType = Exclude<ServerSettings['server_type'], 'openai'>;

/** Kinds of servers that tell tokens, by the name they have in the settings. */
export const TOKEN_SERVERS: Readonly<Record<TokenServerType, TokenServer>> = {
  vllm: vllmGenerate,
  sglang: sglangGenerate,
  vllm_inference: vllmInference,
  vllm_tokens: vllmChat,
};
