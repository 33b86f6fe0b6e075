import type { Completion, Summariser } from '../../../src/contracts/complete.ts';
import { isMessageEntry, type Entry } from '../../../src/contracts/entry.ts';
import { NO_USAGE, collectToolCalls, joinTextBlocks } from '../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type Runtime } from '../../../src/contracts/runtime.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';
import { RUNTIME } from '../setup.ts';

/** A window that a few long results fill. */
export const SMALL: Runtime = { ...RUNTIME, limits: { window: 8_000 } };

/** What the user says, a turn each. */
export const MESSAGES = ['first: move the parser to src/lexer', 'second: why does build 4711 fail', 'third: write the notes'] as const;
const STEPS = 4;
/** Where the provider once says that the request is too large. */
const OVERFLOW = { turn: 1, step: 3 } as const;

/**
 * What the model says next, by the log alone: however often a process died on the way, the same step is asked for again
 * and gets the same answer.
 */
export function nextLine(log: readonly Entry[], request: ModelRequest): ScriptedAnswer {
  const opened = log.findLastIndex((entry) => entry.origin === 'user');
  const turn = MESSAGES.findIndex((words) => words === wordsOf(log[opened]));
  const since = log.slice(opened + 1);
  const step = since.filter(hasCalls).length;
  const refused = turn === OVERFLOW.turn && step === OVERFLOW.step && !since.some(byOverflow);
  if (refused) return { fails: { type: 'context_overflow', detail: 'the request is too large' } };
  const usage = { input: Math.ceil(JSON.stringify(request.messages).length / 4), output: 50 };
  return step < STEPS
    ? { text: `step ${step}: ${'it says what it will do and why; '.repeat(40)}`, calls: callsOf(turn, step), usage }
    : { text: `answer ${turn}`, usage };
}

/** Something that is looked at and something that is done. */
const callsOf = (turn: number, step: number): NonNullable<ScriptedAnswer['calls']> =>
  ['look', 'deed'].map((name, place) => ({ id: `t${turn}s${step}c${place}`, name, input: { path: `src/${turn}/${step}/${place}.ts` } }));

export const wordsOf = (entry: Entry | undefined): string =>
  entry !== undefined && isMessageEntry(entry) ? joinTextBlocks(entry.message) : '';
const hasCalls = (entry: Entry): boolean =>
  isMessageEntry(entry) && entry.message.role === 'assistant' && collectToolCalls(entry.message).length > 0;
const byOverflow = (entry: Entry): boolean => entry.type === 'compaction' && entry.report?.reason === 'overflow';

/** What a look gives back: long, and different for each call. */
export const longResult = (callId: string): string => `${callId} ${'reads a line of the file; '.repeat(150)}`;

/** Two models for summaries: one that can read little and needs slices, and the one behind it. */
export const SUMMARISERS = [
  { model: 'small', window: 2_400 },
  { model: 'main', window: 100_000 },
] as const satisfies readonly Omit<Summariser, 'complete'>[];

export const NOTES =
  '## Goal\n- move the parser\n## Progress\n### Done\n- read src/0\n### In Progress\n- build 4711\n## Next Steps\n- go on\n## Critical Context\n- port 8443';

/** No two calls of all stories are of the same moment: their ids begin with it. */
let made = 0;
const WRITING = { ...NO_USAGE, input: 90, output: 9 };
export const written = (model: string, words = NOTES): Completion => ({
  ok: true,
  model,
  text: words,
  usage: WRITING,
  call: {
    runtime: { ...SMALL, model },
    adjust: DEFAULT_ADJUSTMENTS,
    toolUse: 'forbidden',
    cacheTtl: 'off',
    at: ++made,
    ms: 1,
    bodyHash: '',
    bodyBytes: 0,
    segments: [],
    estimate: 90,
    usage: WRITING,
    result: 'stop',
  },
});
