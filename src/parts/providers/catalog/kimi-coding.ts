import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const kimiCoding: ProviderProfile = {
  id: 'kimi-coding',
  aliases: ['kimi', 'moonshot'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.moonshot.ai/v1',
  baseUrlEnv: 'KIMI_BASE_URL',
  keyEnvs: ['KIMI_API_KEY', 'KIMI_CODING_API_KEY'],
  defaultModel: 'kimi-k3',
};
