import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const ollamaCloud: ProviderProfile = {
  id: 'ollama-cloud',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://ollama.com/v1',
  baseUrlEnv: 'OLLAMA_BASE_URL',
  keyEnvs: ['OLLAMA_API_KEY'],
};
