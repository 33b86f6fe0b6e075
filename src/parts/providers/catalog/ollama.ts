import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const ollama: ProviderProfile = {
  id: 'ollama',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'http://127.0.0.1:11434/v1',
  baseUrlEnv: 'OLLAMA_HOST',
  keyEnvs: [],
  local: true,
  start: 'ollama serve',
};
