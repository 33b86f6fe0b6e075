import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const vllm: ProviderProfile = {
  id: 'vllm',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'http://127.0.0.1:8000/v1',
  keyEnvs: [],
  local: true,
  start: 'vllm serve MODEL',
};
