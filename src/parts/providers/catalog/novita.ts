import type { Profile } from '../../../contracts/provider-profile.ts';

export const novita: Profile = {
  id: 'novita',
  aliases: ['novita-ai'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.novita.ai/openai/v1',
  baseUrlEnv: 'NOVITA_BASE_URL',
  keyEnvs: ['NOVITA_API_KEY'],
};
