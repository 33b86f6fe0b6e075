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
const WRITE_5M: readonly UsagePath[] = [['cache_creation', 'ephemeral_5m_input_tokens']];
const WRITE_1H: readonly UsagePath[] = [['cache_creation', 'ephemeral_1h_input_tokens']];

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
export function parseInclusiveUsage(known: Usage, usage: Json): Usage {
  const cacheRead = first(usage, READ);
  const cacheWrite = first(usage, WRITE) || first(usage, WRITE_5M) + first(usage, WRITE_1H);
  const total = readCount(usage, 'total_tokens') ?? 0;
  const answered = first(usage, OUTPUT);
  // A server that tells the sum alone: what was not given out was taken in.
  const prompt = first(usage, INPUT) || Math.max(0, total - answered);
  const { output, reasoning, isPromptUncached } = countOutput({ usage, total, prompt, answered, cached: cacheRead + cacheWrite });
  const input = isPromptUncached ? prompt : Math.max(0, prompt - cacheRead - cacheWrite);
  return mergeUsage(known, { input, output, cacheRead, cacheWrite, reasoning, ...readLongWrites(usage), ...readCost(usage) });
}

interface OutputCounts {
  readonly usage: Json;
  readonly total: number;
  readonly prompt: number;
  readonly answered: number;
  readonly cached: number;
}

/**
 * Some servers count reasoning outside the answer: xAI names it, Gemini only includes it in the sum. It is billed as output either way.
 * A sum that is larger by exactly what the cache held belongs to a gateway that leaves the cached tokens out of the prompt.
 */
function countOutput({ usage, total, prompt, answered, cached }: OutputCounts) {
  const told = first(usage, REASONING);
  const beside = prompt === 0 ? 0 : Math.max(0, total - prompt - answered);
  if (beside > 0 && beside === cached) return { output: answered, reasoning: told, isPromptUncached: true };
  // More reasoning than answer, and no sum to hold it against.
  const uncounted = beside > 0 ? beside : total === 0 && told > answered ? told : 0;
  return { output: answered + uncounted, reasoning: Math.max(told, uncounted), isPromptUncached: false };
}

/** Anthropic-shaped counts: three separate classes of input; a later frame repeats only what changed. */
export function parseExclusiveUsage(known: Usage, usage: Json): Usage {
  return mergeUsage(known, {
    input: readCount(usage, 'input_tokens') ?? known.input,
    output: readCount(usage, 'output_tokens') ?? known.output,
    cacheRead: readCount(usage, 'cache_read_input_tokens') ?? known.cacheRead,
    cacheWrite: readCount(usage, 'cache_creation_input_tokens') ?? known.cacheWrite,
    reasoning: readCount(usage, 'output_tokens_details', 'thinking_tokens') ?? known.reasoning,
    ...readLongWrites(usage),
    ...readCost(usage),
  });
}

/** Counts of one call only grow: zeros in a later frame are a field that was not filled in. */
function mergeUsage(known: Usage, told: Usage): Usage {
  const isMore = countPrompt(told) >= countPrompt(known);
  const { input, cacheRead, cacheWrite } = isMore ? told : known;
  const cacheWrite1h = isMore ? (told.cacheWrite1h ?? known.cacheWrite1h) : known.cacheWrite1h;
  const cost = told.cost === undefined ? known.cost : Math.max(known.cost ?? 0, told.cost);
  return {
    input,
    output: Math.max(known.output, told.output),
    cacheRead,
    cacheWrite,
    reasoning: Math.max(known.reasoning, told.reasoning),
    ...(cacheWrite1h !== undefined && { cacheWrite1h }),
    ...(cost !== undefined && { cost }),
  };
}
const countPrompt = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

function readLongWrites(usage: Json): Pick<Usage, 'cacheWrite1h'> {
  const isTold = [...WRITE_5M, ...WRITE_1H].some((path) => readCount(usage, ...path) !== undefined);
  return isTold ? { cacheWrite1h: first(usage, WRITE_1H) } : {};
}

/** xAI's unit: so many to a US dollar. */
const TICKS_PER_USD = 1e10;

/** What the server says it charged. With a key of the owner's own behind a gateway, the gateway's fee and the provider's bill. */
function readCost(usage: Json): Pick<Usage, 'cost'> {
  const ticks = readAmount(usage, 'cost_in_usd_ticks');
  if (ticks !== undefined) return { cost: ticks / TICKS_PER_USD };
  const cost = readAmount(usage, 'cost') ?? readAmount(usage, 'cost', 'total_cost');
  if (cost === undefined) return {};
  const beside = readPath(usage, 'is_byok') === true ? (readAmount(usage, 'cost_details', 'upstream_inference_cost') ?? 0) : 0;
  return { cost: cost + beside };
}
function readAmount(usage: Json, ...path: UsagePath): number | undefined {
  const value = readPath(usage, ...path);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
