/** The texts of the store benchmark: three fifths English with code and paths, the rest Chinese, Japanese, Korean, Thai and Arabic; frequencies as in language (Zipf). */

type Random = () => number;

export function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const zipf = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.min(items.length - 1, Math.floor(Math.exp(random() * Math.log(items.length + 1)) - 1))];
  if (item === undefined) throw new Error('an empty list has no items to draw');
  return item;
};
const letters = (from: number, count: number): string[] => Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index));
const SYLLABLES =
  'ka ro mi te lo su ne ta ri vo pel dan gor tis mar ven cor al ex in per tra con pro ble tion ment ing er est qua zu xi phy sch ough'.split(
    ' ',
  );
const WORDS = makeWords(generator(3), 80_000);
const [HAN, KANA, HANGUL, THAI, ARABIC] = [
  letters(0x4e00, 3500),
  letters(0x3042, 80),
  letters(0xac00, 2000),
  letters(0xe01, 46),
  letters(0x627, 36),
] as const;

function makeWords(random: Random, count: number): string[] {
  const common =
    'the of and to in is that for it on with as was be by this are or an at from not file code error function return value type string server request build test fix issue docker network timeout session model token tool result config migration search deploy container'.split(
      ' ',
    );
  const invented = () =>
    Array.from({ length: 2 + Math.floor(random() * 4) }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
  return [...common, ...Array.from({ length: count }, invented)];
}

export const english = (random: Random, count: number): string =>
  Array.from({ length: count }, () => {
    const draw = random();
    if (draw < 0.03) return `src/${zipf(random, WORDS)}/${zipf(random, WORDS)}.ts`;
    return draw < 0.05 ? Math.floor(random() * 1e9).toString(16) : zipf(random, WORDS);
  }).join(' ');
const run = (random: Random, set: readonly string[], count: number, spaces: number): string =>
  Array.from({ length: count }, () => zipf(random, set) + (random() < spaces ? ' ' : '')).join('');

export function message(random: Random): string {
  const [kind, tail] = [random(), random() < 0.08 ? random() * 2.5 : 0];
  const length = Math.max(3, Math.floor(Math.exp(2.7 + random() + tail)));
  if (kind < 0.6) return english(random, length);
  if (kind < 0.75) return `${run(random, HAN, length * 2, 0)}，${english(random, 3)}${run(random, HAN, length, 0)}`;
  if (kind < 0.83) return run(random, KANA, length, 0) + run(random, HAN, length, 0) + run(random, KANA, length, 0);
  if (kind < 0.9) return run(random, HANGUL, length * 2, 0.3);
  return kind < 0.95 ? run(random, THAI, length * 3, 0.05) : run(random, ARABIC, length * 3, 0.2);
}

/** Forty queries of each kind from texts that `draw` gives, and some that hit nothing. */
export function queriesFrom(random: Random, draw: () => string): Record<string, string[]> {
  const sample = (wanted: (text: string) => string | undefined): string[] => {
    const found: string[] = [];
    while (found.length < 40) {
      const query = wanted(draw());
      if (query !== undefined) found.push(query);
    }
    return found;
  };
  const inside = (text: string, pattern: RegExp) => pattern.exec(text.slice(Math.floor(random() * text.length * 0.7)))?.[0];
  return {
    word: sample((text) => wordsOf(text)[0]),
    prefix: sample((text) => wordsOf(text)[1]?.slice(0, 4).concat('*')),
    'two words': sample((text) => (wordsOf(text).length > 1 ? wordsOf(text).slice(0, 2).join(' ') : undefined)),
    phrase: sample((text) => inside(text, /\b[a-z]{4,} [a-z]{3,}\b/u)?.replace(/^.*$/u, '"$&"')),
    substring: sample((text) =>
      wordsOf(text)
        .find((word) => word.length > 7)
        ?.slice(2, 7),
    ),
    'one CJK': sample((text) => inside(text, /[\u3042-\ud7a3]/u)),
    'two CJK': sample((text) => inside(text, /[\u3042-\ud7a3]{2}/u)),
    'four CJK': sample((text) => inside(text, /[\u4e00-\u9fff]{4}/u)),
    thai: sample((text) => inside(text, /[\u0e01-\u0e2e]{4}/u)),
    nothing: Array.from({ length: 40 }, () => `${zipf(random, WORDS)}${zipf(random, WORDS)}`),
  };
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => /^[a-z]{5,}$/u.test(word));
