import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const gmi: ProviderProfile = {
  id: 'gmi',
  aliases: ['gmi-cloud', 'gmicloud'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.gmi-serving.com/v1',
  baseUrlEnv: 'GMI_BASE_URL',
  keyEnvs: ['GMI_API_KEY'],
};
