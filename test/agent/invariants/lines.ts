import type { Failure, FailureType, PartialText } from '../../../src/contracts/failure.ts';
import type { Json } from '../../../src/contracts/message.ts';
import type { SeededRandom } from '../../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';

/** Stands in every reasoning text and nowhere else, so that a leak can be found. */
export const REASONING = 'inner-voice';

/** How a random model behaves, by likelihood. */
export const HABITS = {
  answer: 30,
  calls: 32,
  fails: 16,
  empty: 3,
  blank: 2,
  thinking: 4,
  length: 5,
  filtered: 1,
  broken: 4,
  cut: 4,
} as const;
export type Habit = keyof typeof HABITS;

/** The model's line for one call; one in three keeps to the habit of its neighbours, so that trouble also comes in a row. */
export function lineFor(chance: SeededRandom, index: number, habits: Readonly<Record<Habit, number>> = HABITS): ScriptedAnswer {
  const own = chance.fork(`line ${index}`);
  const streak = chance.fork(`streak ${Math.floor(index / 4)}`);
  const from = own.hits(0.35) ? streak : own;
  return { ...LINES[from.weighed(habits)](own, index, from), ...(own.hits(0.4) && { chunk: own.int(1, 9) }) };
}

const LINES: Readonly<Record<Habit, (chance: SeededRandom, index: number, streak: SeededRandom) => ScriptedAnswer>> = {
  answer: (chance, index) => ({ ...thought(chance), text: `answer ${index} ${words(chance)}`, ...usage(chance) }),
  calls: (chance, index) => ({
    ...thought(chance),
    ...maybeText(chance),
    calls: chance.list(1, 4, (place) => randomCall(chance, index, place)),
    ...usage(chance),
  }),
  fails: (chance, _index, streak) => ({ ...maybeText(chance), fails: randomFailure(chance, streak.pick(FAILURES)) }),
  empty: () => ({}),
  blank: () => ({ text: ' \n' }),
  thinking: (chance) => ({ thinking: `${REASONING} ${words(chance)}`, ...(chance.hits(0.3) && { finish: 'length' }) }),
  length: (chance, index) => ({ ...thought(chance), text: `piece ${index} ${words(chance)}`, finish: 'length' }),
  filtered: (chance) => ({ ...maybeText(chance), finish: 'content_filter' }),
  broken: (chance, index) => ({ ...maybeText(chance), calls: [{ ...randomCall(chance, index, 0), malformed: '{"at": oops}' }] }),
  cut: (chance, index) => ({
    calls: [randomCall(chance, index, 0), { ...randomCall(chance, index, 1), malformed: '{"at": "no' }],
    ...(chance.hits(0.5) && { finish: 'length' }),
  }),
};

const thought = (chance: SeededRandom): Pick<ScriptedAnswer, 'thinking'> =>
  chance.hits(0.3) ? { thinking: `${REASONING} ${words(chance)}` } : {};
const maybeText = (chance: SeededRandom): Pick<ScriptedAnswer, 'text'> => (chance.hits(0.4) ? { text: `while ${words(chance)}` } : {});
const usage = (chance: SeededRandom): Pick<ScriptedAnswer, 'usage'> => ({
  usage: { input: chance.int(0, 900), output: chance.int(0, 200) },
});
const WORDS = ['river', 'stone', 'æther', '漢字', '🜁 fire', '"quoted"', '\\', '\u0007', 'a\nb', '\ud800 half'] as const;
const words = (chance: SeededRandom): string => chance.list(1, 3, () => chance.pick(WORDS)).join(' ');

export const TOOL_NAMES = ['look', 'write', 'flaky', 'bulk', 'bomb'] as const;
const NAMES = [...TOOL_NAMES, ...TOOL_NAMES, 'Look', 'write_tool', 'nothing_like_it', '', '__proto__', 'constructor'] as const;

function randomCall(
  chance: SeededRandom,
  index: number,
  place: number,
): { readonly id: string; readonly name: string; readonly input: Json } {
  const own = `call_${index}_${place}`;
  const odd = ['call_0', 'call_0', 'same', '', ' ', 'weird id/é"', 'x'.repeat(70)] as const;
  return { id: chance.hits(0.6) ? own : chance.pick(odd), name: chance.pick(NAMES), input: randomInput(chance) };
}

export function randomInput(chance: SeededRandom): Json {
  const keys = chance.shuffled(['at', 'depth', '10', '2', 'z', 'ключ']).slice(0, chance.int(0, 4));
  return Object.fromEntries(
    keys.map((key) => [key, chance.pick<Json>([1, -0, 'x', null, true, [1, { b: 1, a: 2 }], { z: 1, a: { d: 1, c: 2 } }])]),
  );
}

const PARTIAL = { partial: { text: 'so far' } } as const;
export const FAILURES = [
  'rate_limited',
  'upstream_limited',
  'overloaded',
  'server_error',
  'network',
  'tls',
  'malformed',
  'timeout',
  'unauthorized',
  'forbidden',
  'billing',
  'context_overflow',
  'output_cap',
  'parameter_refused',
  'payload_too_large',
  'image_refused',
  'tool_content_refused',
  'schema_refused',
  'streaming_refused',
  'bad_signature',
  'bad_request',
  'model_not_found',
  'endpoint_not_found',
  'policy_blocked',
  'content_blocked',
  'truncated',
  'repetition',
  'written_call',
  'empty',
  'thinking_only',
  'cancelled',
] as const satisfies readonly FailureType[];
/** Fails to compile when a type of failure is missing above. */
type Missing = Exclude<FailureType, (typeof FAILURES)[number]>;
const NONE_MISSING: readonly Missing[] = [];

export function randomFailure(chance: SeededRandom, type: FailureType): Failure {
  const detail = `${type} ${NONE_MISSING.length}`;
  const partial = chance.pick<{ readonly partial?: PartialText }>([{}, PARTIAL, { partial: { text: ' ' } }]);
  if (type === 'timeout') return { type, detail, stage: 'idle', ...partial };
  if (type === 'truncated') return { type, detail, partial: { text: 'cut' }, calls: chance.hits(0.5) };
  if (type === 'repetition') return { type, detail, partial: { text: 'again' } };
  if (type === 'network' || type === 'tls' || type === 'malformed') return { type, detail, ...partial };
  if (type === 'rate_limited' || type === 'upstream_limited' || type === 'overloaded' || type === 'server_error') {
    return { type, detail, ...chance.pick<{ readonly retryAfterMs?: number }>([{}, { retryAfterMs: 900 }, { retryAfterMs: 7_200_000 }]) };
  }
  if (type === 'parameter_refused') return { type, detail, parameter: chance.pick(['temperature', 'tool_choice', 'stream_options']) };
  if (type === 'output_cap') return { type, detail, available: chance.int(1, 4_000) };
  if (type === 'context_overflow') return { type, detail, ...(chance.hits(0.5) && { limit: chance.int(100, 9_000) }) };
  return { type, detail };
}
