import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const huggingface: ProviderProfile = {
  id: 'huggingface',
  aliases: ['hf'],
  protocol: 'openai-chat',
  baseUrl: 'https://router.huggingface.co/v1',
  baseUrlEnv: 'HF_BASE_URL',
  keyEnvs: ['HF_TOKEN'],
  defaultModel: 'moonshotai/Kimi-K3',
};
