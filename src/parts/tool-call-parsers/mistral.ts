import { isObject, parseJson } from '../../base/json.ts';
import type { ParsedCall } from '../../contracts/tool-call-parser.ts';
import type { CallFormat, CallReader } from './format.ts';
import { hasMore, skipSpace, takeMarker, takeWhile } from './input.ts';
import { readJsonText, skipBalanced } from './json-text.ts';
import { readCallObject, readList, tellCall, tellRejected, tellText, toCall } from './readers.ts';

/** An object may name its call. */
function toNamedCall(json: string): ParsedCall | undefined {
  const [call, value] = [readCallObject(json), parseJson(json)];
  const id = isObject(value) ? value['id'] : undefined;
  return call && { ...call, ...(typeof id === 'string' && id !== '' && { id }) };
}

/** An array of objects, or one object (before version 11), or a name and an object (since). */
const mistralCalls: CallReader = function* read(input, scene) {
  const start = input.at;
  yield* skipSpace(input);
  const first = (yield* hasMore(input)) ? input.text.charAt(input.at) : '';
  if (first === '[') {
    const pieces = yield* readList(input, toNamedCall);
    // The brackets belong to what was rejected, if there is nothing else.
    return pieces.some(({ type }) => type === 'call')
      ? pieces
      : tellRejected(
          input,
          scene.from,
          pieces.some((piece) => piece.type === 'rejected' && piece.truncated),
        );
  }
  const name = first === '{' ? '' : yield* takeWhile(input, (letter) => !/[\s[\]{}"<>]/.test(letter));
  const id = name !== '' && (yield* takeMarker(input, ['[CALL_ID]'])) ? yield* takeWhile(input, (letter) => /\w/.test(letter)) : '';
  if (name !== '') yield* takeMarker(input, ['[ARGS]']);
  yield* skipSpace(input);
  if ((yield* hasMore(input)) && input.text.charAt(input.at) !== '{') {
    input.at = start;
    return tellText(input, scene.from);
  }
  const brace = input.at;
  const json = yield* readJsonText(input);
  if (json.type === 'bad') {
    input.at = brace;
    yield* skipBalanced(input);
  }
  if (json.type !== 'whole') return tellRejected(input, scene.from, json.type === 'cut');
  const call = first === '{' ? toNamedCall(json.text) : toCall(name, parseJson(json.text));
  return tellCall(call && { ...call, ...(id !== '' && { id }) }, input, scene.from);
};

export const mistral: CallFormat = {
  name: 'mistral',
  calls: { '[TOOL_CALLS]': mistralCalls },
  ends: ['</s>'],
  // Templates of Mistral refuse ids of any other length.
  callId: (hash) => hash.slice(0, 9),
};
