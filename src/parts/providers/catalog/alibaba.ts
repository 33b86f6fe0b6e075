import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const alibaba: ProviderProfile = {
  id: 'alibaba',
  aliases: ['dashscope', 'qwen'],
  protocol: 'openai-chat',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  baseUrlEnv: 'DASHSCOPE_BASE_URL',
  keyEnvs: ['DASHSCOPE_API_KEY'],
};
