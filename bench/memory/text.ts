/** How texts are compared: the same for the scorer, for the generator and for the tests of the corpus. */

/** Whether a space stands beside a Chinese or Japanese sign is a matter of taste. */
const AROUND_SIGNS =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) | (?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;

/** Compatibility forms, case, quotes, dashes, marks of Markdown, commas in numbers and white space make no difference. */
export const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[*`]/g, '')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\s+/g, ' ')
    .replace(AROUND_SIGNS, '')
    .trim();

const GLUE = /[\p{Script=Latin}\p{N}]/u;

/** The strings are few and are looked for in thousands of messages. */
const NEEDLES = new Map<string, string>();

/** Whether a string stands in a normalized text. Latin letters and digits must not go on beyond its ends: 80 is not in 8080. */
export function holds(normalized: string, needle: string): boolean {
  const wanted = NEEDLES.get(needle) ?? normalize(needle);
  NEEDLES.set(needle, wanted);
  if (wanted === '') throw new Error('an empty string stands in every text');
  for (let at = normalized.indexOf(wanted); at !== -1; at = normalized.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isWhole = !glued(normalized[at - 1], wanted[0]) && !glued(wanted.at(-1), normalized[end]);
    if (isWhole) return true;
  }
  return false;
}
const glued = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && GLUE.test(left) && GLUE.test(right);

const RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{Script=Hangul}]+|[\p{Script=Thai}]+|[\p{L}\p{N}]+/gu;
const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u;

/** The words a search would use: Latin words without the commonest ones, pairs of signs where a script has no spaces. */
export function words(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of normalize(text).matchAll(RUNS)) for (const word of SPACELESS.test(run) ? pairs(run) : [run]) found.add(word);
  return found.difference(STOP_WORDS);
}
const pairs = (run: string): string[] =>
  run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));

const STOP_WORDS = new Set(
  `a an the of and or to in on at for from by with as is are was were be been am do does did has have had i me my mine we us our you your it its
  he she they them his her their this that these those there here what which who whom whose when where why how if so not no yes can could
  would should will shall may might must again any some about into out up down over than then too also just still now ever get got s t re ve ll d m
  der die das den dem des ein eine einen einem einer und oder zu im in am an auf für von mit als ist sind war waren bin hat haben habe hatte ich
  mir mich mein meine meinen meiner wir uns unser du dein es er sie ihr was welche welcher welches wer wann wo wie ob nicht kein noch mal doch denn
  的 了 是 我 你 在 吗 呢 什么 哪个 怎么 です ます した って から まで の は が を に で と も 뭐 지 은 는 이 가`.split(/\s+/),
);
