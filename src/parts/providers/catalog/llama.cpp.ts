import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const llamaCpp: ProviderProfile = {
  id: 'llama.cpp',
  aliases: ['llamacpp', 'llama-cpp'],
  protocol: 'openai-chat',
  baseUrl: 'http://127.0.0.1:8080/v1',
  keyEnvs: [],
  local: true,
  start: 'llama-server -m MODEL.gguf',
};
