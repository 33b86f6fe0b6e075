import type { CallFormat } from './format.ts';
import { findMarker, takeMarker, takeWhile, type Input, type Reading } from './input.ts';
import { pairsBlock, section } from './readers.ts';

const OPEN = '<function=';
const CLOSE = '</function>';
const PARAMETER = '<parameter=';
const PARAMETER_CLOSE = '</parameter>';
const SECTION_CLOSE = '</tool_call>';

export const qwen3Coder: CallFormat = {
  name: 'qwen3_coder',
  calls: {
    [OPEN]: pairsBlock({ close: CLOSE, readName: readTag, opener: PARAMETER, readPair }),
    '<tool_call>': section([OPEN], [SECTION_CLOSE]),
  },
  closers: [SECTION_CLOSE],
  ends: ['<|im_end|>', '<|endoftext|>'],
};

/** What stands between the `=` and the `>` of a tag. */
function* readTag(input: Input): Reading<string | undefined> {
  const name = (yield* takeWhile(input, (letter) => !/[<>\n]/.test(letter))).trim();
  return (yield* takeMarker(input, ['>'])) === undefined || name === '' ? undefined : name;
}

function* readPair(input: Input): Reading<readonly [string, string] | undefined> {
  const key = yield* readTag(input);
  const from = input.at;
  const found = key === undefined ? undefined : yield* findMarker(input, [PARAMETER_CLOSE, PARAMETER]);
  if (key === undefined || found === undefined) return undefined;
  const value = input.text.slice(from, input.at);
  if (found === PARAMETER_CLOSE) input.at += found.length;
  else if (value.includes(OPEN) || value.includes(CLOSE)) {
    // The parameter that follows is one of another call, so that the end of this one was never written.
    input.at = from;
    return undefined;
  }
  return [key, unwrap(value)];
}

/** One line break belongs to the tags on either side; the rest of a value is the model's own. */
const unwrap = (text: string): string => text.replace(/^\n/, '').replace(/\n$/, '');
