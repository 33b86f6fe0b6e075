import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const anthropic: ProviderProfile = {
  id: 'anthropic',
  aliases: ['claude'],
  protocol: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com',
  baseUrlEnv: 'ANTHROPIC_BASE_URL',
  keyEnvs: ['ANTHROPIC_API_KEY'],
  defaultModel: 'claude-sonnet-4-6',
  cheapModels: { '': 'claude-haiku-5-5' },
};
