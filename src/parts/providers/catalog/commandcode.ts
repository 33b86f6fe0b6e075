import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const commandcode: ProviderProfile = {
  id: 'commandcode',
  aliases: ['command-code'],
  protocol: 'openai-chat',
  baseUrl: 'https://api.commandcode.ai/provider/v1',
  keyEnvs: ['COMMANDCODE_API_KEY'],
};
