import type { ProviderProfile, ProviderQuirks } from '../../contracts/provider-profile.ts';

/** A row holds for the providers and models it names; absent means all. Later rows win. */
interface QuirkRow {
  readonly providers?: readonly string[];
  readonly models?: RegExp;
  readonly quirks: ProviderQuirks;
}

const ROWS: readonly QuirkRow[] = [
  { providers: ['deepseek', 'kimi-coding', 'kimi-coding-cn', 'xiaomi'], quirks: { reasoningEcho: true } },
  { providers: ['openrouter', 'nous', 'custom', 'vllm', 'ollama', 'lmstudio', 'llama.cpp'], quirks: { reasoningReturn: true } },
  // Google documents this value for calls that were not made by its own models.
  { providers: ['gemini'], models: /gemini-(?:[3-9]|\d\d)/i, quirks: { callSignature: 'skip_thought_signature_validator' } },
  { providers: ['openrouter', 'nous'], models: /claude|kimi|moonshot/i, quirks: { cacheMarks: true } },
  // Without a limit these gateways reserve or default to a few thousand tokens for Claude.
  { providers: ['openrouter', 'nous'], models: /claude/i, quirks: { needsMaxTokens: true } },
  { providers: ['openai-api', 'azure-foundry', 'xai'], quirks: { promptCacheKey: true } },
  { providers: ['openai-api', 'azure-foundry'], quirks: { maxTokensField: 'max_completion_tokens', toolContentText: true } },
  { models: /gpt-5|codex|(^|\/)o[1-9](-|$)/i, quirks: { developerRole: true, toolContentText: true } },
  { providers: ['kimi-coding', 'kimi-coding-cn'], quirks: { omit: ['temperature'] } },
];

/** Every provider a row names, by the id a route bears; an alias would never be met. */
export const quirkProviders: readonly string[] = ROWS.flatMap((row) => row.providers ?? []);

/** The quirks of one route: table rows by provider and model, then what the profile itself declares. */
export function resolveQuirks(provider: string, model: string, profile?: ProviderProfile): ProviderQuirks {
  const rows = ROWS.filter((row) => (row.providers?.includes(provider) ?? true) && (row.models?.test(model) ?? true));
  return [...rows, { quirks: profile?.quirks ?? {} }].reduce<ProviderQuirks>((all, row) => ({ ...all, ...row.quirks }), {});
}
