import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const aiGateway: ProviderProfile = {
  id: 'ai-gateway',
  aliases: ['vercel'],
  protocol: 'openai-chat',
  baseUrl: 'https://ai-gateway.vercel.sh/v1',
  baseUrlEnv: 'AI_GATEWAY_BASE_URL',
  keyEnvs: ['AI_GATEWAY_API_KEY'],
  defaultModel: 'anthropic/claude-sonnet-4.6',
};
