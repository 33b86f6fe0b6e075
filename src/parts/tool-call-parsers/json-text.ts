import { hasMore, skipSpace, takeWhile, type Input, type Reading } from './input.ts';

/** `cut`: the text ended inside it. `bad`: nothing that follows would make it JSON; the input stands where that shows. */
export type JsonText = { readonly type: 'whole'; readonly text: string } | { readonly type: 'cut' | 'bad' };
type JsonTextKind = JsonText['type'];

const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;

/** An object, an array or a string. It is followed letter by letter by the rules of JSON, so that a marker inside a string does not end it. */
export function* readJsonText(input: Input): Reading<JsonText> {
  const from = input.at;
  if (!(yield* hasMore(input))) return { type: 'cut' };
  if (!/["[{]/.test(input.text.charAt(from))) return { type: 'bad' };
  const found = yield* readValue(input, 0);
  return found === 'whole' ? { type: 'whole', text: input.text.slice(from, input.at) } : { type: found };
}

/** Deeper than any arguments are; deeper text would break the stack. */
const MAX_DEPTH = 200;

function* readValue(input: Input, depth: number): Reading<JsonTextKind> {
  yield* skipSpace(input);
  if (!(yield* hasMore(input))) return 'cut';
  const letter = input.text.charAt(input.at);
  if (depth > MAX_DEPTH) return 'bad';
  if (letter === '"') return yield* readString(input);
  if (letter === '{') return yield* readMembers(input, '}', depth);
  if (letter === '[') return yield* readMembers(input, ']', depth);
  const from = input.at;
  const scalar = yield* takeWhile(input, (one) => /[\w.+-]/.test(one));
  if (SCALAR.test(scalar)) return 'whole';
  if (input.at >= input.text.length) return 'cut';
  input.at = from;
  return 'bad';
}

/** What stands between brackets. */
function* readMembers(input: Input, close: '}' | ']', depth: number): Reading<JsonTextKind> {
  input.at++;
  for (let isFirst = true; ; isFirst = false) {
    const ended = yield* readEnd(input, close, isFirst);
    if (ended !== undefined) return ended;
    const key = close === '}' ? yield* readKey(input) : 'whole';
    const member = key === 'whole' ? yield* readValue(input, depth + 1) : key;
    if (member !== 'whole') return member;
  }
}

/** The closing bracket, or the comma between members; `undefined` when a member follows. */
function* readEnd(input: Input, close: string, isFirst: boolean): Reading<JsonTextKind | undefined> {
  yield* skipSpace(input);
  if (!(yield* hasMore(input))) return 'cut';
  const letter = input.text.charAt(input.at);
  if (letter === close) {
    input.at++;
    return 'whole';
  }
  if (isFirst) return undefined;
  if (letter !== ',') return 'bad';
  input.at++;
  return undefined;
}

function* readKey(input: Input): Reading<JsonTextKind> {
  yield* skipSpace(input);
  if (!(yield* hasMore(input))) return 'cut';
  if (input.text.charAt(input.at) !== '"') return 'bad';
  const key = yield* readString(input);
  if (key !== 'whole') return key;
  yield* skipSpace(input);
  if (!(yield* hasMore(input))) return 'cut';
  if (input.text.charAt(input.at) !== ':') return 'bad';
  input.at++;
  return 'whole';
}

function* readString(input: Input): Reading<JsonTextKind> {
  input.at++;
  while (yield* hasMore(input)) {
    const letter = input.text.charAt(input.at);
    if (letter < ' ') return 'bad';
    if (letter === '\\') {
      const escaped = yield* readEscape(input);
      if (escaped !== 'whole') return escaped;
    } else input.at++;
    if (letter === '"') return 'whole';
  }
  return 'cut';
}

function* readEscape(input: Input): Reading<JsonTextKind> {
  const from = input.at;
  for (let length = 2; ;) {
    while (input.text.length < from + length) {
      if (input.isOver) {
        input.at = input.text.length;
        return 'cut';
      }
      yield undefined;
    }
    const escape = input.text.slice(from, from + length);
    if (ESCAPE.test(escape)) {
      input.at = from + length;
      return 'whole';
    }
    if (length === 6 || escape !== '\\u') return 'bad';
    length = 6;
  }
}

/** Past the bracket that closes the one that stands here, in text that need not be JSON. Says whether there is one. */
export function* skipBalanced(input: Input): Reading<boolean> {
  for (let depth = 0; yield* hasMore(input);) {
    const letter = input.text.charAt(input.at);
    if (letter === '"') yield* skipQuoted(input);
    else input.at++;
    if (letter === '{' || letter === '[') depth++;
    if (letter === '}' || letter === ']') depth--;
    if (depth === 0) return true;
  }
  return false;
}

/** Brackets between quotes on one line do not count; a lone quote is a letter like others. */
function* skipQuoted(input: Input): Reading<void> {
  const from = input.at++;
  while (yield* hasMore(input)) {
    const letter = input.text.charAt(input.at);
    if (letter === '\n') break;
    input.at += letter === '\\' ? 2 : 1;
    if (letter === '"') return;
  }
  input.at = from + 1;
}
