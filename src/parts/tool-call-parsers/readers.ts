import { isObject, parseJson } from '../../base/json.ts';
import type { JsonObject } from '../../contracts/message.ts';
import type { ParsedCall, ParsedPiece } from '../../contracts/tool-call-parser.ts';
import type { CallReader, CallScene } from './format.ts';
import { findMarker, hasMore, peekMarker, skipSpace, takeMarker, type Input, type Reading } from './input.ts';
import { readJsonText, skipBalanced, type JsonText } from './json-text.ts';
import { readArguments } from './values.ts';

/** A call as an object with a name and its arguments. */
export function readCallObject(text: string): ParsedCall | undefined {
  const value = parseJson(text);
  return isObject(value) ? toCallOfObject(value) : undefined;
}
function toCallOfObject(value: JsonObject): ParsedCall | undefined {
  const { function: inner } = value;
  // As the API writes calls, around what the format wants.
  if (value['name'] === undefined && isObject(inner)) return toCallOfObject(inner);
  return toCall(value['name'], Object.hasOwn(value, 'arguments') ? value['arguments'] : value['parameters']);
}
/** One call, or an array of nothing but calls. */
function readCallObjects(text: string): readonly ParsedCall[] {
  const value = parseJson(text);
  const calls = [value].flat().map((each) => (isObject(each) ? toCallOfObject(each) : undefined));
  return calls.includes(undefined) ? [] : calls.flatMap((call) => call ?? []);
}
export function toCall(name: unknown, values: unknown): ParsedCall | undefined {
  const args = readArguments(values);
  return typeof name !== 'string' || name === '' || args === undefined ? undefined : { name, arguments: args };
}

export const tellText = (input: Input, from: number): readonly ParsedPiece[] => [{ type: 'text', text: input.text.slice(from, input.at) }];
export const tellRejected = (input: Input, from: number, truncated: boolean): readonly ParsedPiece[] => [
  { type: 'rejected', text: input.text.slice(from, input.at), truncated },
];
const tellCalls = (calls: readonly ParsedCall[], input: Input, from: number): readonly ParsedPiece[] =>
  calls.length === 0 ? tellRejected(input, from, false) : calls.map((call) => ({ type: 'call', call }));
export const tellCall = (call: ParsedCall | undefined, input: Input, from: number): readonly ParsedPiece[] =>
  call === undefined ? tellRejected(input, from, false) : [{ type: 'call', call }];

/**
 * The end of a call: its marker, or in its place what can only stand behind a whole one, which is the next call, the end of the turn, or
 * the end of the text with nothing but the beginning of the marker before it.
 */
export function* takeEnd(input: Input, close: string, boundaries: readonly string[]): Reading<boolean> {
  yield* skipSpace(input);
  if ((yield* takeMarker(input, [close])) !== undefined) return true;
  if ((yield* peekMarker(input, boundaries)) !== undefined) return true;
  if (!input.isOver || boundaries.length === 0 || !close.startsWith(input.text.slice(input.at).trimEnd())) return false;
  input.at = input.text.length;
  return true;
}

/** From the place where a call broke to its end marker; the next call is not its business. */
export function* rejectTo(close: string, input: Input, { from, stops }: CallScene, truncated: boolean): Reading<readonly ParsedPiece[]> {
  const found = yield* findMarker(input, [close, ...stops]);
  if (found === close) input.at += close.length;
  return tellRejected(input, from, truncated && found === undefined);
}

/** What does not even begin like a call is text, unless its end marker says that it was meant as one. */
export function* rejectOrText(close: string, input: Input, scene: CallScene): Reading<readonly ParsedPiece[]> {
  const start = input.at;
  const found = yield* findMarker(input, [close, ...scene.stops]);
  if (found === close) input.at += close.length;
  else input.at = start;
  return found === close ? tellRejected(input, scene.from, false) : tellText(input, scene.from);
}

/** One JSON object, then the end marker. */
export const jsonBlock = (close: string): CallReader =>
  function* read(input, scene) {
    const start = input.at;
    yield* skipSpace(input);
    if ((yield* hasMore(input)) && !/[[{]/.test(input.text.charAt(input.at))) {
      input.at = start;
      return yield* rejectOrText(close, input, scene);
    }
    const brace = input.at;
    const json = yield* readJsonText(input);
    if (json.type !== 'whole' || !(yield* takeEnd(input, close, scene.boundaries))) {
      // A quote that is missing may have hidden the end and the next call. A call in a string has escaped quotes, so that none runs by this.
      if (json.type === 'bad') input.at = brace;
      return yield* rejectTo(close, input, scene, json.type !== 'bad');
    }
    return tellCalls(readCallObjects(json.text), input, scene.from);
  };

export interface HeadedOptions {
  readonly separator: string;
  readonly close: string;
  /** What stands between the separator and the end. */
  readonly readBody: (input: Input, header: string, scene: CallScene) => Reading<HeadedBody | undefined>;
}
/** `name` and `json` as they were written; no JSON is no arguments. */
export interface HeadedBody {
  readonly name: string | undefined;
  readonly json: JsonText | undefined;
  readonly id?: string;
}

/** A header, a separator, the arguments, and the end marker behind them. */
export const headed = ({ separator, close, readBody }: HeadedOptions): CallReader =>
  function* read(input, scene) {
    const start = input.at;
    const found = yield* findMarker(input, [separator, close, ...scene.stops]);
    const header = input.text.slice(start, input.at).trim();
    if (found !== separator) {
      if (!/\s/.test(header)) return yield* rejectTo(close, input, scene, true);
      input.at = start;
      return yield* rejectOrText(close, input, scene);
    }
    input.at += separator.length;
    const body = yield* readBody(input, header, scene);
    if (body?.json !== undefined && body.json.type !== 'whole') return yield* rejectTo(close, input, scene, body.json.type === 'cut');
    // Without arguments only the marker says that there are none.
    if (!(yield* takeEnd(input, close, body?.json === undefined ? [] : scene.boundaries)))
      return yield* rejectTo(close, input, scene, true);
    const values = body?.json === undefined ? {} : parseJson(body.json.text);
    const call = toCall(body?.name, values);
    return tellCall(call && { ...call, ...(body?.id !== undefined && { id: body.id }) }, input, scene.from);
  };

/** Arguments as JSON, or nothing before the end marker. */
export function* readBareJson(input: Input, close: string): Reading<JsonText | undefined> {
  yield* skipSpace(input);
  return (yield* peekMarker(input, [close])) === close ? undefined : yield* readJsonText(input);
}

/** What opens a section of calls says nothing itself. If no call follows it is text, and if only its end does, a broken call. */
export const section = (calls: readonly string[], closers: readonly string[]): CallReader =>
  function* read(input, scene) {
    const start = input.at;
    yield* skipSpace(input);
    const isAtCall = (yield* peekMarker(input, calls)) !== undefined;
    input.at = start;
    if (isAtCall) return [{ type: 'marker', text: input.text.slice(scene.from, start) }];
    const found = yield* findMarker(input, [...closers, ...scene.stops]);
    const isEmpty = found !== undefined && closers.includes(found);
    input.at = isEmpty ? input.at + found.length : start;
    return isEmpty ? tellRejected(input, scene.from, false) : tellText(input, scene.from);
  };

export interface PairsOptions {
  readonly close: string;
  readonly readName: (input: Input) => Reading<string | undefined>;
  /** What begins a pair. */
  readonly opener: string;
  /** A name and a value as plain text; `undefined` if it is broken. */
  readonly readPair: (input: Input) => Reading<readonly [string, string] | undefined>;
}

/** A name, then names and values as plain text. */
export const pairsBlock = (options: PairsOptions): CallReader =>
  function* read(input, scene) {
    const start = input.at;
    const name = yield* options.readName(input);
    const { pairs, isWhole } = name === undefined ? { pairs: [], isWhole: false } : yield* readPairs(input, scene, options);
    if (name !== undefined && isWhole) {
      const values = Object.fromEntries(pairs.map(([argument, text]) => [argument, scene.types(name, argument, text)]));
      return [{ type: 'call', call: { name, arguments: values } }];
    }
    if (pairs.length > 0 || !(yield* hasMore(input))) return yield* rejectTo(options.close, input, scene, true);
    input.at = start;
    return yield* rejectOrText(options.close, input, scene);
  };

interface Pairs {
  readonly pairs: readonly (readonly [string, string])[];
  /** Whether the end of the call was seen. */
  readonly isWhole: boolean;
}
function* readPairs(input: Input, { ends }: CallScene, { close, opener, readPair }: PairsOptions): Reading<Pairs> {
  const pairs: (readonly [string, string])[] = [];
  for (;;) {
    yield* skipSpace(input);
    const marker = yield* takeMarker(input, [close, opener]);
    if (marker === close) return { pairs, isWhole: true };
    // Without arguments only the marker says that there are none.
    if (marker === undefined) return { pairs, isWhole: pairs.length > 0 && (yield* peekMarker(input, ends)) !== undefined };
    const pair = yield* readPair(input);
    if (pair === undefined) return { pairs, isWhole: false };
    pairs.push(pair);
  }
}

/** An array of calls. One that is broken or cut does not take the others along. The input stands on the bracket. */
export function* readList(input: Input, toCallOf: (json: string) => ParsedCall | undefined): Reading<readonly ParsedPiece[]> {
  const pieces: ParsedPiece[] = [];
  for (input.at++; ;) {
    yield* skipSpace(input);
    if (!(yield* hasMore(input))) return pieces;
    const letter = input.text.charAt(input.at);
    if (letter === ']' || letter === ',') input.at++;
    if (letter === ']') return pieces;
    if (letter === ',') continue;
    if (letter !== '{') return pieces;
    const from = input.at;
    const json = yield* readJsonText(input);
    if (json.type === 'bad') {
      input.at = from;
      yield* skipBalanced(input);
    }
    pieces.push(...(json.type === 'whole' ? tellCall(toCallOf(json.text), input, from) : tellRejected(input, from, json.type === 'cut')));
  }
}
