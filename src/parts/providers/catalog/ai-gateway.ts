import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const aiGateway: ProviderProfile = {
  id: 'ai-gateway',
  aliases: ['vercel'],
  protocol: 'openai-chat',
  baseUrl: 'https://ai-gateway.vercel.sh/v1',
  baseUrlEnv: 'AI_GATEWAY_BASE_URL',
  keyEnvs: ['AI_GATEWAY_API_KEY'],
  defaultModel: 'anthropic/claude-sonnet-4.6',
  cheapModels: {
    'anthropic/': 'anthropic/claude-haiku-4.5',
    'openai/': 'openai/gpt-5.4-mini',
    'google/': 'google/gemini-3.5-flash-lite',
    'deepseek/': 'deepseek/deepseek-v4-flash',
    'zai/': 'zai/glm-5.3-flash',
  },
};
