import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const alibabaCodingPlan: ProviderProfile = {
  id: 'alibaba-coding-plan',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://coding-intl.dashscope.aliyuncs.com/v1',
  baseUrlEnv: 'ALIBABA_CODING_PLAN_BASE_URL',
  keyEnvs: ['ALIBABA_CODING_PLAN_API_KEY'],
};
