import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const minimaxCn: ProviderProfile = {
  id: 'minimax-cn',
  aliases: [],
  protocol: 'anthropic-messages',
  baseUrl: 'https://api.minimaxi.com/anthropic',
  baseUrlEnv: 'MINIMAX_CN_BASE_URL',
  keyEnvs: ['MINIMAX_CN_API_KEY'],
  defaultModel: 'MiniMax-M3',
  cheapModels: { '': 'MiniMax-M3.1-Flash' },
};
