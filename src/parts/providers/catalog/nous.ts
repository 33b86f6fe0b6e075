import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** With a key of its own; the sign-in by device code stands in later.ts. */
export const nous: ProviderProfile = {
  id: 'nous',
  aliases: ['nous-portal'],
  protocol: 'openai-chat',
  baseUrl: 'https://inference-api.nousresearch.com/v1',
  baseUrlEnv: 'NOUS_BASE_URL',
  keyEnvs: ['NOUS_API_KEY'],
};
