import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const xai: ProviderProfile = {
  id: 'xai',
  aliases: ['grok'],
  protocol: 'openai-responses',
  baseUrl: 'https://api.x.ai/v1',
  baseUrlEnv: 'XAI_BASE_URL',
  keyEnvs: ['XAI_API_KEY'],
  defaultModel: 'grok-4.7',
};
