import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const arcee: ProviderProfile = {
  id: 'arcee',
  aliases: ['arcee-ai', 'arceeai'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.arcee.ai/api/v1',
  baseUrlEnv: 'ARCEE_BASE_URL',
  keyEnvs: ['ARCEEAI_API_KEY'],
};
