import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const tencentTokenhub: ProviderProfile = {
  id: 'tencent-tokenhub',
  aliases: ['tokenhub'],
  protocol: 'openai-chat',
  baseUrl: 'https://tokenhub.tencentmaas.com/v1',
  baseUrlEnv: 'TOKENHUB_BASE_URL',
  keyEnvs: ['TOKENHUB_API_KEY'],
};
