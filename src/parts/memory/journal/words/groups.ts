import { KINDS, SAME_WORDS } from './same-words.ts';
import { stem } from './stem.ts';

/** What the tables know about a word. */
export interface WordGroups {
  readonly groups: readonly string[];
  readonly asks: readonly string[];
  readonly kinds: readonly string[];
}
interface Draft {
  groups: string[];
  asks: string[];
  kinds: string[];
}

const LATIN = /^[\p{Script=Latin}\p{N}_'-]+$/u;

/** Read once, when the first text is looked at. */
let known: ReadonlyMap<string, WordGroups> | undefined;
/** Those of scripts without spaces, by their first sign, the longest first. */
let phraseStarts: ReadonlySet<string> = new Set();
let pieces: ReadonlyMap<string, readonly string[]> = new Map();

function table(): ReadonlyMap<string, WordGroups> {
  if (known !== undefined) return known;
  const drafts = new Map<string, Draft>();
  const note = (word: string, field: keyof Draft, group: string): void => {
    for (const form of LATIN.test(word) && !word.includes('_') ? new Set([word, stem(word)]) : [word]) {
      const draft = drafts.get(form) ?? { groups: [], asks: [], kinds: [] };
      if (!draft[field].includes(group)) draft[field].push(group);
      drafts.set(form, draft);
    }
  };
  for (const line of linesOf(SAME_WORDS)) for (const word of line.split(' ')) note(word, 'groups', `=${line.split(' ')[0] ?? ''}`);
  for (const line of linesOf(KINDS)) {
    const [kind = '', members = ''] = line.split(' > ');
    for (const word of kind.split(' ')) note(word, 'asks', `<${kind.split(' ')[0] ?? ''}`);
    for (const word of [...kind.split(' '), ...members.split(' ')]) note(word, 'kinds', `<${kind.split(' ')[0] ?? ''}`);
  }
  phraseStarts = new Set([...drafts.keys()].filter((word) => word.includes('_')).map((word) => word.slice(0, word.indexOf('_'))));
  pieces = Map.groupBy(
    [...drafts.keys()].filter((word) => !LATIN.test(word)).toSorted((a, b) => b.length - a.length),
    (word) => word[0] ?? '',
  );
  return (known = drafts);
}
const linesOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

export const findGroups = (word: string): WordGroups | undefined => table().get(word);

/** Words of the tables in a run of signs without spaces: from its beginning, the longest first, none inside another. */
export function findPieces(run: string): { readonly piece: string; readonly groups: WordGroups }[] {
  const words = table();
  const found = new Map<string, WordGroups>();
  for (let at = 0; at < run.length;) {
    const piece = pieces.get(run[at] ?? '')?.find((each) => run.startsWith(each, at) && (at === 0 || !isSyllable(each)));
    const groups = piece === undefined ? undefined : words.get(piece);
    if (piece !== undefined && groups !== undefined) found.set(piece, groups);
    at += piece?.length ?? 1;
  }
  return [...found].map(([piece, groups]) => ({ piece, groups }));
}
/** One Korean syllable is a word only where one can begin. */
const isSyllable = (piece: string): boolean => piece.length === 1 && /^\p{Script=Hangul}/u.test(piece);

/** Whether a phrase of the tables begins with this word. */
export const beginsPhrase = (word: string): boolean => {
  table();
  return phraseStarts.has(word);
};
