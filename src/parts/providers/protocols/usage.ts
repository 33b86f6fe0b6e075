import { readPath } from '../../../base/json.ts';
import type { Json, Usage } from '../../../contracts/message.ts';

type UsagePath = readonly string[];

/** Every name under which a count has been seen; the first that is there holds. */
const INPUT: readonly UsagePath[] = [['prompt_tokens'], ['input_tokens']];
const OUTPUT: readonly UsagePath[] = [['completion_tokens'], ['output_tokens']];
const READ: readonly UsagePath[] = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['input_tokens_details', 'cached_tokens'],
  ['prompt_cache_hit_tokens'],
  ['cached_tokens'],
  ['cache_read_input_tokens'],
];
const WRITE: readonly UsagePath[] = [
  ['prompt_tokens_details', 'cache_write_tokens'],
  ['prompt_tokens_details', 'cache_creation_tokens'],
  ['input_tokens_details', 'cache_write_tokens'],
  ['cache_creation_input_tokens'],
];
const REASONING: readonly UsagePath[] = [
  ['completion_tokens_details', 'reasoning_tokens'],
  ['output_tokens_details', 'reasoning_tokens'],
  ['reasoning_tokens'],
];

/** A count, also one that a gateway sends as a string of digits. */
function readCount(usage: Json, ...path: UsagePath): number | undefined {
  const value = readPath(usage, ...path);
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const first = (usage: Json, paths: readonly UsagePath[]): number => {
  const found = paths.map((path) => readCount(usage, ...path)).filter((value) => value !== undefined);
  // A gateway may fill one field with 0 and another with the count.
  return found.find((value) => value > 0) ?? 0;
};

/** OpenAI-shaped counts: the prompt includes what came from the cache. */
export function parseInclusiveUsage(usage: Json): Usage {
  const cacheRead = first(usage, READ);
  const cacheWrite = first(usage, WRITE);
  const output = first(usage, OUTPUT);
  // A server that tells the sum alone: what was not given out was taken in.
  const prompt = first(usage, INPUT) || Math.max(0, (readCount(usage, 'total_tokens') ?? 0) - output);
  const input = Math.max(0, prompt - cacheRead - cacheWrite);
  return { input, output, cacheRead, cacheWrite, reasoning: first(usage, REASONING) };
}

/** Anthropic-shaped counts: three separate classes of input; a later frame repeats only what changed. */
export function parseExclusiveUsage(known: Usage, usage: Json): Usage {
  return {
    input: readCount(usage, 'input_tokens') ?? known.input,
    output: readCount(usage, 'output_tokens') ?? known.output,
    cacheRead: readCount(usage, 'cache_read_input_tokens') ?? known.cacheRead,
    cacheWrite: readCount(usage, 'cache_creation_input_tokens') ?? known.cacheWrite,
    reasoning: readCount(usage, 'output_tokens_details', 'thinking_tokens') ?? known.reasoning,
  };
}
