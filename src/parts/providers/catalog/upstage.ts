import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const upstage: ProviderProfile = {
  id: 'upstage',
  aliases: ['solar'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.upstage.ai/v1',
  baseUrlEnv: 'UPSTAGE_BASE_URL',
  keyEnvs: ['UPSTAGE_API_KEY'],
};
