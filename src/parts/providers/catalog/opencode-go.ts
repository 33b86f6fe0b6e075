import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** Some of its models speak another wire: name it with --api-mode. */
export const opencodeGo: ProviderProfile = {
  id: 'opencode-go',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://opencode.ai/zen/go/v1',
  baseUrlEnv: 'OPENCODE_GO_BASE_URL',
  keyEnvs: ['OPENCODE_GO_API_KEY'],
  defaultModel: 'glm-5.3',
  cheapModels: { 'glm-': 'glm-5.3-flash', qwen: 'qwen3.8-flash' },
};
