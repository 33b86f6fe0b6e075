import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const lmstudio: ProviderProfile = {
  id: 'lmstudio',
  aliases: ['lm-studio'],
  protocol: 'openai-chat',
  baseUrl: 'http://127.0.0.1:1234/v1',
  baseUrlEnv: 'LM_BASE_URL',
  keyEnvs: ['LM_API_KEY'],
  local: true,
  start: 'lms server start',
};
