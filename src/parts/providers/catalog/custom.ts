import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** Any server its owner names by address. The key, if it wants one, is that of the wire it speaks. */
export const custom: ProviderProfile = {
  id: 'custom',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: '',
  keyEnvs: ['OPENAI_API_KEY'],
};
