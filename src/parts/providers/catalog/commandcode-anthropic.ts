import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

export const commandcodeAnthropic: ProviderProfile = {
  id: 'commandcode-anthropic',
  aliases: [],
  protocol: 'anthropic-messages',
  baseUrl: 'https://api.commandcode.ai/provider',
  keyEnvs: ['COMMANDCODE_API_KEY'],
};
