/**
 * Every bound of a turn stands here, so that "does it end?" is answered by reading one page.
 * `call` counters start again when the model gives a usable message; `turn` counters do not.
 */
export const BOUNDS = {
  wait: { limit: 3, per: 'call', why: 'reference core §1.6: api retries; the setting agent.api_max_retries wins' },
  refresh: { limit: 2, per: 'turn', why: 'reference core §1.6: auth refresh of the same entry' },
  rotate: { limit: 8, per: 'turn', why: 'ours: a pool larger than this is worn out, not throttled' },
  fallback: { limit: 4, per: 'turn', why: 'ours: longer chains than this are walked on the next turn' },
  shrink: { limit: 3, per: 'call', why: 'reference core §1.6: compression attempts, for one request' },
  compact: { limit: 3, per: 'call', why: 'issue C: up to three passes before one request; rests are in the log' },
  cap_output: { limit: 1, per: 'call', why: 'reference core §2.4: the provider has stated the number' },
  strip_images: { limit: 1, per: 'turn', why: 'reference core §2.2: once, then the turn is text only' },
  strip_signatures: { limit: 1, per: 'turn', why: 'reference core §2.2' },
  plain_schemas: { limit: 1, per: 'turn', why: 'reference core §2.2' },
  drop_parameter: { limit: 3, per: 'turn', why: 'ours: routes refuse one parameter at a time' },
  unstream: { limit: 1, per: 'turn', why: 'ours: there is only one other way to ask' },
  continue_truncated: { limit: 4, per: 'call', why: 'reference core §1.8' },
  continue_paused: { limit: 10, per: 'turn', why: 'ours: a server pauses its own work after about ten steps of it' },
  reask_truncated_call: { limit: 4, per: 'call', why: 'reference core §1.6' },
  reask_dropped_call: { limit: 3, per: 'call', why: 'reference core §1.6: a reply that announces calls and brings none' },
  reask_written_call: { limit: 1, per: 'turn', why: 'issue F: a call written as text is asked for again once' },
  reask_repetition: { limit: 1, per: 'turn', why: 'ours: a second reply that repeats itself for ever is what this model has to say' },
  nudge_empty: { limit: 1, per: 'call', why: 'reference core §1.7: one nudge per tool round' },
  prefill_thinking: { limit: 2, per: 'call', why: 'reference core §1.7' },
  retry_empty: { limit: 3, per: 'call', why: 'reference core §1.7' },
  invalid_tool: { limit: 3, per: 'turn', why: 'reference core §1.6: steps in a row with no known tool' },
  name_models: { limit: 1, per: 'turn', why: 'ours: the list of models does not change within a turn' },
  closing: { limit: 1, per: 'turn', why: 'design §4: one closing call' },
} as const satisfies Record<string, { readonly limit: number; readonly per: 'call' | 'turn'; readonly why: string }>;

export type BoundName = keyof typeof BOUNDS;

/** The loop guard: told to the model after `warn`, ended with a closing call after `halt`. */
export const GUARD_BOUNDS = {
  same_call_failing: { warn: 2, halt: 5, why: 'reference core §1.12: identical failing call' },
  same_tool_failing: { warn: 3, halt: 8, why: 'reference core §1.12: one tool failing again and again' },
  refused: { warn: 2, halt: 20, why: 'ours: refusals in a row of any calls; an hour of work may hold many, with other work between them' },
  reads_failing: { warn: 3, halt: 24, why: 'ours: eight files that are not there are eight questions, not one asked eight times' },
  no_progress: { warn: 2, halt: 5, why: 'reference core §1.12: idempotent call, same result' },
} as const;

export const BACKOFF = {
  api: { baseMs: 2_000, capMs: 60_000 },
  empty: { baseMs: 5_000, capMs: 60_000 },
  malformed: { baseMs: 5_000, capMs: 120_000 },
  /** A stated wait of nothing, or one that has passed by a wrong clock, must not use up all tries at once. */
  least: { baseMs: 1_000, capMs: 8_000 },
  /** A longer stated wait is not waited out while another key or route is there. */
  patienceMs: 5_000,
  /** A stated Retry-After is honoured up to here. */
  retryAfterCapMs: 600_000,
} as const;

/** Answers cut off at their length are asked for with more room, doubled each time. With less than the least the prompt is made smaller first. */
export const OUTPUT_ROOM = { baseTokens: 4_096, capTokens: 32_768, leastTokens: 1_024 } as const;

export const COSTLY_EMPTY_USD = 0.25;

/** Counters that a usable message sets back. */
export const resetCallCounters = (spent: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(spent).filter(([name]) => !PER_CALL.has(name)));

const PER_CALL = new Set(Object.entries(BOUNDS).flatMap(([name, { per }]) => (per === 'call' ? [name] : [])));
