import type { Profile } from '../../../contracts/provider-profile.ts';

export const kilocode: Profile = {
  id: 'kilocode',
  aliases: ['kilo'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.kilo.ai/api/gateway',
  baseUrlEnv: 'KILOCODE_BASE_URL',
  keyEnvs: ['KILOCODE_API_KEY'],
};
