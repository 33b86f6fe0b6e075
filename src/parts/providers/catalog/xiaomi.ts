import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const xiaomi: ProviderProfile = {
  id: 'xiaomi',
  aliases: ['mimo'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.xiaomimimo.com/v1',
  baseUrlEnv: 'XIAOMI_BASE_URL',
  keyEnvs: ['XIAOMI_API_KEY'],
  defaultModel: 'mimo-v2.6-pro',
  cheapModels: { '': 'mimo-v2.6-flash' },
};
