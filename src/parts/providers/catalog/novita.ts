import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const novita: ProviderProfile = {
  id: 'novita',
  aliases: ['novita-ai'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.novita.ai/openai/v1',
  baseUrlEnv: 'NOVITA_BASE_URL',
  keyEnvs: ['NOVITA_API_KEY'],
};
