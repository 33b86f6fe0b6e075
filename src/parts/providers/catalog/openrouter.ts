import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const openrouter: ProviderProfile = {
  id: 'openrouter',
  aliases: ['or'],
  protocol: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyEnvs: ['OPENROUTER_API_KEY'],
  headers: { 'x-title': 'Hermes' },
  defaultModel: 'anthropic/claude-sonnet-4.6',
  cheapModels: {
    'anthropic/': 'anthropic/claude-haiku-4.5',
    'openai/': 'openai/gpt-5.4-mini',
    'google/': 'google/gemini-3.5-flash-lite',
    'deepseek/': 'deepseek/deepseek-v4-flash',
    'z-ai/': 'z-ai/glm-5.3-flash',
  },
};
