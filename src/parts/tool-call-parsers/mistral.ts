import { isObject, parseJson } from '../../base/json.ts';
import type { ToolDefinition } from '../../contracts/provider.ts';
import type { ParsedCall, ParsedPiece } from '../../contracts/tool-call-parser.ts';
import type { CallFormat, CallReader, CallScene } from './format.ts';
import { findMarker, hasMore, peekMarker, skipSpace, takeMarker, takeWhile, type Input, type Reading } from './input.ts';
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
  // In prose a space stands behind the marker; a name follows it at once.
  const isAtOnce = input.at === start;
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
  const hasMark = name !== '' && (yield* takeMarker(input, ['[ARGS]'])) !== undefined;
  yield* skipSpace(input);
  if (name !== '' && isAtOnce && (yield* hasNoArguments(input, scene, { name, hasMark })))
    return [{ type: 'call', call: { name, arguments: {}, ...(id !== '' && { id }) } }];
  if ((yield* hasMore(input)) && input.text.charAt(input.at) !== '{') {
    input.at = start;
    return yield* readListBehind(input, scene);
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

/** A name and nothing else: the end of the turn or the next call says so. At the end of the text it may be half a call, unless its tool takes no arguments. */
function* hasNoArguments(
  input: Input,
  { boundaries, tools }: CallScene,
  { name, hasMark }: { readonly name: string; readonly hasMark: boolean },
): Reading<boolean> {
  const tool = tools.find((one) => one.name === name);
  if (!(yield* hasMore(input))) return !hasMark && tool !== undefined && takesNothing(tool);
  if (tools.length > 0 ? tool === undefined : !/^[A-Za-z_][\w-]*$/.test(name)) return false;
  return (yield* peekMarker(input, boundaries)) !== undefined;
}

const takesNothing = ({ input }: ToolDefinition): boolean =>
  !isObject(input) || !isObject(input['properties']) || Object.keys(input['properties']).length === 0;

/** Words before an array of calls are passed over; without such an array the marker is text like them. */
function* readListBehind(input: Input, scene: CallScene): Reading<readonly ParsedPiece[]> {
  const start = input.at;
  const end = yield* findMarker(input, ['[{', ...scene.boundaries]);
  if (end === '[{') {
    const pieces = yield* readList(input, toNamedCall);
    if (pieces.some(({ type }) => type === 'call')) return pieces.filter(({ type }) => type === 'call');
  }
  input.at = start;
  return tellText(input, scene.from);
}

export const mistral: CallFormat = {
  name: 'mistral',
  calls: { '[TOOL_CALLS]': mistralCalls },
  ends: ['</s>'],
  // Templates of Mistral refuse ids of any other length.
  callId: (hash) => hash.slice(0, 9),
};
