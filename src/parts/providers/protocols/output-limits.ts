/**
 * Most tokens a model family writes in one answer, asked for where the wire demands a number and nobody gave one.
 * First match wins, so longer names stand before shorter ones. Source: reference core §3.4.
 */
const OUTPUT_LIMITS: readonly (readonly [string, number])[] = [
  ['claude-3-7', 128_000],
  ['claude-3.7', 128_000],
  ['claude-3-5', 8_192],
  ['claude-3.5', 8_192],
  ['claude-3', 4_096],
  ['claude-opus-4-5', 64_000],
  ['claude-opus-4.5', 64_000],
  ['claude-opus-4-1', 32_000],
  ['claude-opus-4.1', 32_000],
  ['claude-opus-4-2', 32_000],
  ['claude-opus-4-0', 32_000],
  ['claude-opus-4-6', 128_000],
  ['claude-opus-4-7', 128_000],
  ['claude-opus-4-8', 128_000],
  ['claude-opus-4.', 128_000],
  ['claude-opus-4', 32_000],
  ['claude-sonnet-4', 64_000],
  ['claude-haiku-4', 64_000],
  ['minimax', 131_072],
  ['qwen3', 65_536],
];
const DEFAULT_LIMIT = 128_000;

export function resolveOutputLimit(model: string): number {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return OUTPUT_LIMITS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? DEFAULT_LIMIT;
}
