import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const minimax: ProviderProfile = {
  id: 'minimax',
  aliases: [],
  protocol: 'anthropic-messages',
  baseUrl: 'https://api.minimax.io/anthropic',
  baseUrlEnv: 'MINIMAX_BASE_URL',
  keyEnvs: ['MINIMAX_API_KEY'],
  defaultModel: 'MiniMax-M3',
  cheapModels: { '': 'MiniMax-M3.1-Flash' },
};
