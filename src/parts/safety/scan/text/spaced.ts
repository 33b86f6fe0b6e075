export interface Vocabulary {
  /** A word we look for, or one that begins with a stem we look for. */
  readonly has: (word: string) => boolean;
  /** A word we look for, letter by letter. */
  readonly holds: (word: string) => boolean;
}

const SEPARATORS = new Set([' ', '.', '-', '_', '*', '|', '/', ',', '·', '\n']);
const FEWEST = 5;
const WORD = /[\p{L}\p{N}]/u;
const one = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  return at < text.length && WORD.test(text[at] ?? '');
};

/** Letters written one by one (`i g n o r e`, `i.g.n.o.r.e`). A wider gap parts the words; without one they are found in the run. */
export function readSpaced(
  text: string,
  from: number,
  vocabulary: Vocabulary,
): { readonly words: readonly string[]; readonly end: number } | undefined {
  if (from > 0 && one(text, from - 1)) return undefined;
  const sign = text[from + 1] ?? '';
  if (!SEPARATORS.has(sign) || !one(text, from + 2) || one(text, from + 3)) return undefined;
  const { parts, letters, end } = collect(text, from, sign);
  if (letters < FEWEST) return undefined;
  return { words: parts.flatMap((part) => (vocabulary.has(part) || part.length < 4 ? [part] : cut(part, vocabulary))), end };
}

function collect(text: string, from: number, sign: string) {
  const parts: string[] = [];
  let part = '';
  let letters = 0;
  let end = from;
  for (let at = from; one(text, at) && !one(text, at + 1);) {
    part += text[at];
    letters++;
    end = at + 1;
    let next = at + 1;
    while (next < at + 5 && SEPARATORS.has(text[next] ?? '')) next++;
    if (next === at + 1) break;
    if (next - at > 2 || text[at + 1] !== sign) {
      parts.push(part);
      part = '';
    }
    at = next;
  }
  if (part !== '') parts.push(part);
  return { parts, letters, end };
}

/** Longest known word first; letters that belong to none are passed over. */
function cut(run: string, vocabulary: Vocabulary): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < run.length;) {
    const length = longestWord(run, at, vocabulary.holds) || longestWord(run, at, vocabulary.has);
    if (length > 0) found.push(run.slice(at, at + length));
    at += length || 1;
  }
  return found.length > 0 ? found : [run];
}

function longestWord(run: string, at: number, is: (word: string) => boolean): number {
  for (let length = Math.min(14, run.length - at); length > 2; length--) if (is(run.slice(at, at + length))) return length;
  return 0;
}
