import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const deepinfra: ProviderProfile = {
  id: 'deepinfra',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  baseUrlEnv: 'DEEPINFRA_BASE_URL',
  keyEnvs: ['DEEPINFRA_API_KEY'],
};
