import { isObject, parseJson } from '../../base/json.ts';
import type { ParsedCall } from '../../contracts/tool-call-parser.ts';
import type { CallFormat, CallReader } from './format.ts';
import { hasMore, skipSpace } from './input.ts';
import { readJsonText, skipBalanced } from './json-text.ts';
import { readCallObject, readList, section, tellRejected, tellText } from './readers.ts';

/** An object is a call when it has a name and parameters; any other is text. */
function toBareCall(json: string): ParsedCall | undefined {
  const value = parseJson(json);
  return isObject(value) && (Object.hasOwn(value, 'parameters') || Object.hasOwn(value, 'arguments')) ? readCallObject(json) : undefined;
}
/** Broken, but meant as a call. */
const isLikeCall = (text: string): boolean => /"name"\s*:/.test(text) && /"(?:parameters|arguments)"/.test(text);

/** Only an outermost object is a call: what stands inside another one is data, also when that one is broken or cut. */
const bareObject: CallReader = function* read(input, { from }) {
  input.at = from;
  const json = yield* readJsonText(input);
  if (json.type === 'whole') {
    const call = toBareCall(json.text);
    return call === undefined ? tellText(input, from) : [{ type: 'call', call }];
  }
  const broken = input.at;
  if (json.type === 'bad') {
    input.at = from;
    if (!(yield* skipBalanced(input))) {
      input.at = Math.max(broken, from + 1);
      return tellText(input, from);
    }
  }
  const isMeant = isLikeCall(input.text.slice(from, input.at));
  return isMeant ? tellRejected(input, from, json.type === 'cut') : tellText(input, from);
};

const bareList: CallReader = function* read(input, { from }) {
  input.at = from + 1;
  yield* skipSpace(input);
  const isOfObjects = (yield* hasMore(input)) && input.text.charAt(input.at) === '{';
  input.at = from;
  if (isOfObjects) {
    const pieces = yield* readList(input, toBareCall);
    return pieces.some(({ type }) => type === 'call') ? pieces : tellText(input, from);
  }
  if ((yield* readJsonText(input)).type !== 'whole') input.at = from + 1;
  return tellText(input, from);
};

export const llama3Json: CallFormat = {
  name: 'llama3_json',
  aliases: ['llama4_json'],
  calls: { '{': bareObject, '[': bareList, '<|python_tag|>': section(['{', '['], []) },
  closers: [';', ','],
  ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|eot|>', '<|eom|>'],
};
