import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** Some of its models speak another wire: name it with --api-mode. */
export const opencodeZen: ProviderProfile = {
  id: 'opencode-zen',
  aliases: ['opencode', 'zen'],
  protocol: 'openai-chat',
  baseUrl: 'https://opencode.ai/zen/v1',
  baseUrlEnv: 'OPENCODE_ZEN_BASE_URL',
  keyEnvs: ['OPENCODE_ZEN_API_KEY'],
  defaultModel: 'glm-5.3',
  cheapModels: { 'claude-': 'claude-haiku-5-5', 'glm-': 'glm-5.3-flash', qwen: 'qwen3.8-flash' },
};
