import type { CallFormat } from './format.ts';
import { skipSpace, takeMarker, takeWhile, type Input, type Reading } from './input.ts';
import { readJsonText } from './json-text.ts';
import { headed, readBareJson, section, type HeadedBody } from './readers.ts';

const OPEN = '<｜tool▁call▁begin｜>';
const CLOSE = '<｜tool▁call▁end｜>';
const SECTION_CLOSE = '<｜tool▁calls▁end｜>';
const around = { separator: '<｜tool▁sep｜>', close: CLOSE };
const sections = { '<｜tool▁calls▁begin｜>': section([OPEN], [SECTION_CLOSE]) };
const rest = { closers: [SECTION_CLOSE], ends: ['<｜end▁of▁sentence｜>'] };
const FENCE = '```';

/** `function`, the name on the separator's line, and the arguments in a fence. */
export const deepseekV3: CallFormat = {
  name: 'deepseek_v3',
  calls: { [OPEN]: headed({ ...around, readBody: readFenced }), ...sections },
  ...rest,
};
/** The name, the separator, the arguments. */
export const deepseekV31: CallFormat = {
  name: 'deepseek_v3_1',
  aliases: ['deepseek_v31'],
  calls: { [OPEN]: headed({ ...around, readBody: readPlain }), ...sections },
  ...rest,
};

function* readFenced(input: Input): Reading<HeadedBody | undefined> {
  const name = (yield* takeWhile(input, (letter) => letter !== '\n' && letter !== '`')).trim();
  yield* skipSpace(input);
  if ((yield* takeMarker(input, [`${FENCE}json`])) === undefined) return { name, json: { type: 'bad' } };
  yield* skipSpace(input);
  const json = yield* readJsonText(input);
  yield* skipSpace(input);
  yield* takeMarker(input, [FENCE]);
  return { name, json };
}

function* readPlain(input: Input, name: string): Reading<HeadedBody | undefined> {
  return { name, json: yield* readBareJson(input, CLOSE) };
}
