import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** Every resource has an address of its own, such as https://NAME.openai.azure.com/openai/v1; the model is the name of the deployment. */
export const azureFoundry: ProviderProfile = {
  id: 'azure-foundry',
  aliases: ['azure'],
  protocol: 'openai-chat',
  baseUrl: '',
  baseUrlEnv: 'AZURE_FOUNDRY_BASE_URL',
  keyEnvs: ['AZURE_FOUNDRY_API_KEY'],
  keyHeader: 'api-key',
};
