import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const kilocode: ProviderProfile = {
  id: 'kilocode',
  aliases: ['kilo'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.kilo.ai/api/gateway',
  baseUrlEnv: 'KILOCODE_BASE_URL',
  keyEnvs: ['KILOCODE_API_KEY'],
};
