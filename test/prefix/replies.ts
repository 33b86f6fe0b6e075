import type { Failure } from '../../src/contracts/failure.ts';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { plannedCall } from './tool-calls.ts';
import { words } from './words.ts';

/** How a made-up model behaves while it has steps left, by likelihood. */
export const HABITS = {
  calls: 62,
  answer: 8,
  thinking: 4,
  empty: 4,
  blank: 2,
  length: 5,
  broken: 4,
  cut: 3,
  fails: 8,
} as const;
export type Habits = Readonly<Record<keyof typeof HABITS, number>>;

/** Failures and how often each comes. Those that change what is sent are rarer than those that only cost a try. */
const FAILURES = {
  overloaded: 6,
  network: 4,
  parameter_refused: 2,
  streaming_refused: 1,
  output_cap: 1,
  unauthorized: 2,
  context_overflow: 4,
  image_refused: 1,
  schema_refused: 1,
  bad_signature: 1,
} as const;

export function replyFor(chance: SeededRandom, index: number, habits: Habits): ScriptedAnswer {
  const own = chance.fork(`line ${index}`);
  return { ...LINES[own.weighed(habits)](own, index), ...(own.hits(0.3) && { chunk: own.int(1, 9) }) };
}

/** What ends a turn for good. */
export const lastReply = (chance: SeededRandom, index: number): ScriptedAnswer => LINES.answer(chance.fork(`last ${index}`), index);

/** Nothing to answer with: after some tries another route is asked. */
export const isSilent = ({ text = '', calls = [] }: ScriptedAnswer): boolean => text.trim() === '' && calls.length === 0;

const LINES: Readonly<Record<keyof typeof HABITS, (chance: SeededRandom, index: number) => ScriptedAnswer>> = {
  calls: (chance, index) => ({
    ...thought(chance),
    ...maybeText(chance),
    calls: chance.list(1, chance.pick([1, 2, 4]), (place) => plannedCall(chance, index, place)),
  }),
  answer: (chance, index) => ({ ...thought(chance), text: `Answer ${index}. ${words(chance)}` }),
  thinking: (chance) => ({ thinking: words(chance), ...(chance.hits(0.3) && { finish: 'length' }) }),
  empty: () => ({}),
  blank: () => ({ text: ' \n' }),
  length: (chance, index) => ({ ...thought(chance), text: `Piece ${index} ${words(chance)}`, finish: 'length' }),
  broken: (chance, index) => ({ ...maybeText(chance), calls: [{ ...plannedCall(chance, index, 0), malformed: '{"path": oops}' }] }),
  cut: (chance, index) => ({
    calls: [plannedCall(chance, index, 0), { ...plannedCall(chance, index, 1), malformed: '{"path": "no' }],
    ...(chance.hits(0.5) && { finish: 'length' }),
  }),
  fails: (chance) => ({ ...maybeText(chance), fails: failure(chance) }),
};

const thought = (chance: SeededRandom): Pick<ScriptedAnswer, 'thinking'> => (chance.hits(0.35) ? { thinking: words(chance) } : {});
const maybeText = (chance: SeededRandom): Pick<ScriptedAnswer, 'text'> => (chance.hits(0.4) ? { text: `While I ${words(chance)}` } : {});

function failure(chance: SeededRandom): Failure {
  const type = chance.weighed(FAILURES);
  const detail = `made up: ${type}`;
  if (type === 'network') return { type, detail, ...(chance.hits(0.5) && { partial: { text: 'so far' } }) };
  if (type === 'parameter_refused') return { type, detail, parameter: chance.pick(['stream_options', 'tool_choice', 'prompt_cache_key']) };
  if (type === 'output_cap') return { type, detail, available: chance.int(100, 4_000) };
  return { type, detail };
}
