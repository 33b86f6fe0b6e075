import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** Through its OpenAI-shaped endpoint; an address that ends in /v1beta is completed. */
export const gemini: ProviderProfile = {
  id: 'gemini',
  aliases: ['google'],
  protocol: 'openai-chat',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  baseUrlEnv: 'GEMINI_BASE_URL',
  keyEnvs: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  defaultModel: 'gemini-3.8-flash',
  cheapModels: { '': 'gemini-3.5-flash-lite' },
};
