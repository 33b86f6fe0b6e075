import type { Profile } from '../profile.ts';

export const openaiApi: Profile = {
  id: 'openai-api',
  aliases: ['openai'],
  protocol: 'openai-responses',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlEnv: 'OPENAI_BASE_URL',
  keyEnvs: ['OPENAI_API_KEY'],
  defaultModel: 'gpt-5.4',
};
