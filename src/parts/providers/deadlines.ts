import { isLocal } from '../../base/http.ts';
import type { Deadlines } from '../../contracts/provider.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { providerSettings } from './settings.ts';

/** Models that think for minutes before their first byte, and how many seconds they are given. Source: reference core §2.8. */
const REASONING_FLOORS: readonly (readonly [RegExp, number])[] = [
  [/(^|\/)o[13](-pro|-preview|-deep-research)?$|(^|\/)o1-/i, 600],
  [/deepseek-(r1|reasoner|v4)/i, 600],
  [/nemotron-3-(ultra|super)|claude-fable/i, 600],
  [/(^|\/)o[34]-mini|qwq|grok.*reasoning/i, 600],
  [/gpt-5.*(pro|codex)/i, 600],
];

/**
 * The deadlines of one call. Only defaults are raised for slow routes: a value the owner set, be it the default's own figure, is taken at
 * its word. `sources` has a key for each setting the owner set.
 */
export function resolveDeadlines(
  runtime: Runtime,
  values: SliceValues<typeof providerSettings>,
  sources: Readonly<Record<string, unknown>> = {},
): Deadlines {
  const floor = isLocal(runtime.baseUrl) ? values['stream.local_timeout'] : reasoningFloor(runtime.model);
  const seconds = (key: 'stream.idle_timeout' | 'stream.first_byte_timeout') => {
    const value = values[key];
    return sources[key] === undefined ? Math.max(value, floor) : value;
  };
  return {
    connect: values['stream.connect_timeout'] * 1000,
    firstByte: seconds('stream.first_byte_timeout') * 1000,
    idle: seconds('stream.idle_timeout') * 1000,
    total: values['stream.total_timeout'] * 1000,
  };
}

const reasoningFloor = (model: string): number => REASONING_FLOORS.find(([name]) => name.test(model))?.[1] ?? 0;
