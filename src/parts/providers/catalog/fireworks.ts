import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const fireworks: ProviderProfile = {
  id: 'fireworks',
  aliases: ['fireworks-ai'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  keyEnvs: ['FIREWORKS_API_KEY'],
  defaultModel: 'accounts/fireworks/models/glm-5p3',
  cheapModels: { '': 'accounts/fireworks/models/glm-5p3-flash' },
};
