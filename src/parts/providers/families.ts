/**
 * Windows by family, for models the table does not have. The longest name that begins the model's holds. Names as `sanitizeToolName`
 * writes them: lower case, versions with a dot. Source: reference core §3.8.
 */
const FAMILIES: Readonly<Record<string, number>> = {
  claude: 200_000,
  'claude-fable': 1_000_000,
  'claude-opus-4.6': 1_000_000,
  'claude-opus-4.7': 1_000_000,
  'claude-opus-4.8': 1_000_000,
  'claude-opus-5': 1_000_000,
  'claude-sonnet-4.6': 1_000_000,
  'claude-sonnet-5': 1_000_000,
  'claude-haiku-5': 1_000_000,
  'gpt-5': 400_000,
  'gpt-5.4': 1_050_000,
  'gpt-5.5': 1_050_000,
  'gpt-5.6': 1_050_000,
  'gpt-6': 1_050_000,
  gemini: 1_048_576,
  deepseek: 131_072,
  'deepseek-v4': 1_000_000,
  glm: 202_752,
  'glm-5.2': 1_048_576,
  'glm-5.3': 1_048_576,
  kimi: 262_144,
  'kimi-k3': 1_048_576,
  qwen: 131_072,
  minimax: 204_800,
  'minimax-m3': 1_000_000,
  'grok-4': 256_000,
  llama: 131_072,
};
const LONGEST_FIRST = Object.entries(FAMILIES).toSorted(([a], [b]) => b.length - a.length);

export const findFamilyWindow = (plainName: string): number | undefined =>
  LONGEST_FIRST.find(([family]) => plainName.startsWith(family))?.[1];
