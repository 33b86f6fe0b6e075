import type { CallFormat } from './format.ts';
import { findMarker, skipSpace, takeMarker, takeWhile, type Input, type Reading } from './input.ts';
import { pairsBlock } from './readers.ts';

const KEY_CLOSE = '</arg_key>';
const VALUE_CLOSE = '</arg_value>';

/** The older generation breaks lines behind the name and each pair, the newer one need not; both are read for either. */
export const glm45: CallFormat = {
  name: 'glm45',
  calls: { '<tool_call>': pairsBlock({ close: '</tool_call>', readName, opener: '<arg_key>', readPair }) },
  ends: ['<|user|>', '<|observation|>', '<|endoftext|>'],
};
export const glm47: CallFormat = { ...glm45, name: 'glm47' };

function* readName(input: Input): Reading<string | undefined> {
  yield* skipSpace(input);
  return (yield* takeWhile(input, (letter) => !/[\s<{]/.test(letter))) || undefined;
}

/** Nothing but its end tag ends a value: markers inside it are the model's own text. */
function* readPair(input: Input): Reading<readonly [string, string] | undefined> {
  const key = yield* takeUntil(input, KEY_CLOSE);
  if (key === undefined) return undefined;
  yield* skipSpace(input);
  if ((yield* takeMarker(input, ['<arg_value>'])) === undefined) return undefined;
  const value = yield* takeUntil(input, VALUE_CLOSE);
  return value === undefined ? undefined : [key.trim(), value];
}

function* takeUntil(input: Input, close: string): Reading<string | undefined> {
  const from = input.at;
  if ((yield* findMarker(input, [close])) === undefined) return undefined;
  const text = input.text.slice(from, input.at);
  input.at += close.length;
  return text;
}
