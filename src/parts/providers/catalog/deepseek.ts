import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const deepseek: ProviderProfile = {
  id: 'deepseek',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://api.deepseek.com/v1',
  baseUrlEnv: 'DEEPSEEK_BASE_URL',
  keyEnvs: ['DEEPSEEK_API_KEY'],
  defaultModel: 'deepseek-v4-pro',
  cheapModels: { '': 'deepseek-flash' },
};
