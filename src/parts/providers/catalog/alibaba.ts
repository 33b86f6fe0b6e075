import type { Profile } from '../../../contracts/provider-profile.ts';

export const alibaba: Profile = {
  id: 'alibaba',
  aliases: ['dashscope', 'qwen'],
  protocol: 'openai-chat',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  baseUrlEnv: 'DASHSCOPE_BASE_URL',
  keyEnvs: ['DASHSCOPE_API_KEY'],
};
