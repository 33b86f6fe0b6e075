import type { WordPart } from '../../../../base/shell/ast.ts';

type WordParts = readonly WordPart[];
/** More words than this out of one are not told apart. */
const MAX_WORDS = 64;
const LONGEST = 2_000;

/** `a{b,c}d` and `{1..3}` as the shell reads them: one list of parts for each word. */
export function expandBraces(parts: WordParts): readonly WordParts[] {
  if (parts.length > LONGEST || !parts.some((part) => part.type === 'brace' && part.text === '{')) return [asText(parts)];
  return expanded(parts, { left: MAX_WORDS }).map(asText);
}

function expanded(parts: WordParts, room: { left: number }): WordParts[] {
  for (let open = 0; open < parts.length; open++) {
    if (!isBrace(parts[open], '{')) continue;
    const choice = choiceAt(parts, open);
    if (choice === undefined || room.left <= 0) continue;
    const before = parts.slice(0, open);
    const after = expanded(parts.slice(choice.end + 1), room);
    return choice.options.flatMap((option) =>
      expanded(option, room).flatMap((middle) => (room.left-- > 0 ? after.map((rest) => [...before, ...middle, ...rest]) : [])),
    );
  }
  return [[...parts]];
}

const isBrace = (part: WordPart | undefined, text: string): boolean => part?.type === 'brace' && part.text === text;

/** The options of the brace that opens here and where it closes; `undefined` when it is only a character. */
function choiceAt(parts: WordParts, open: number): { readonly options: WordParts[]; readonly end: number } | undefined {
  const options: WordParts[] = [];
  let [depth, from] = [0, open + 1];
  for (let at = open + 1; at < parts.length; at++) {
    const part = parts[at];
    if (isBrace(part, '{')) depth++;
    else if (isBrace(part, '}') && depth-- === 0) {
      options.push(parts.slice(from, at));
      const found = options.length > 1 ? options : range(options[0] ?? []);
      return found === undefined ? undefined : { options: found, end: at };
    } else if (isBrace(part, ',') && depth === 0) {
      options.push(parts.slice(from, at));
      from = at + 1;
    }
  }
  return undefined;
}

function range(parts: WordParts): WordParts[] | undefined {
  const text = parts.map((part) => (part.type === 'text' && !part.quoted ? part.text : '\0')).join('');
  const [, first, last] = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])(?:\.\.-?\d+)?$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const letters = !/\d/.test(first);
  const [from, to] = letters ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)];
  const count = Math.min(Math.abs(to - from) + 1, MAX_WORDS);
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to < from ? -index : index);
    return [{ type: 'text', text: letters ? String.fromCharCode(value) : String(value), quoted: false }];
  });
}

/** Braces that chose nothing are characters. */
const asText = (parts: WordParts): WordParts =>
  parts.map((part) => (part.type === 'brace' ? { type: 'text', text: part.text, quoted: false } : part));
