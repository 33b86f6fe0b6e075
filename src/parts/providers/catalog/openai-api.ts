import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const openaiApi: ProviderProfile = {
  id: 'openai-api',
  aliases: ['openai'],
  protocol: 'openai-responses',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlEnv: 'OPENAI_BASE_URL',
  keyEnvs: ['OPENAI_API_KEY'],
  // Servers that take this provider's place nearly all speak the older wire; --api-mode names the other.
  elsewhere: 'openai-chat',
  defaultModel: 'gpt-5.4',
  cheapModels: { '': 'gpt-5.4-mini' },
};
