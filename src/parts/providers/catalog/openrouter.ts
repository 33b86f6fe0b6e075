import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const openrouter: ProviderProfile = {
  id: 'openrouter',
  aliases: ['or'],
  protocol: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyEnvs: ['OPENROUTER_API_KEY'],
  headers: { 'x-title': 'Hermes' },
  defaultModel: 'anthropic/claude-sonnet-4.6',
};
