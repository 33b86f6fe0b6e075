import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** Keys of mainland China belong to https://api.stepfun.com/v1. */
export const stepfun: ProviderProfile = {
  id: 'stepfun',
  aliases: ['step'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.stepfun.ai/v1',
  baseUrlEnv: 'STEPFUN_BASE_URL',
  keyEnvs: ['STEPFUN_API_KEY'],
};
