import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const zai: ProviderProfile = {
  id: 'zai',
  aliases: ['glm', 'z-ai'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  baseUrlEnv: 'GLM_BASE_URL',
  keyEnvs: ['GLM_API_KEY', 'ZAI_API_KEY', 'Z_AI_API_KEY'],
  defaultModel: 'glm-5.3',
  cheapModels: { '': 'glm-5.3-flash' },
};
