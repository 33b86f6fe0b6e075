import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const nvidia: ProviderProfile = {
  id: 'nvidia',
  aliases: ['nim'],
  protocol: 'openai-chat',
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  baseUrlEnv: 'NVIDIA_BASE_URL',
  keyEnvs: ['NVIDIA_API_KEY'],
  defaultModel: 'nvidia/nemotron-3-ultra-550b-a55b',
};
