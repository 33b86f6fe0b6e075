import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const kimiCodingCn: ProviderProfile = {
  id: 'kimi-coding-cn',
  aliases: ['kimi-cn', 'moonshot-cn'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.moonshot.cn/v1',
  keyEnvs: ['KIMI_CN_API_KEY'],
  defaultModel: 'kimi-k3',
};
