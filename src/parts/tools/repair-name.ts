import { splitCamelCase } from '../../base/name-words.ts';
import { editDistance } from '../../base/text.ts';

/** What some chat templates put before every tool. */
const NAMESPACE = /^(?:functions?|default_?api|tools?)[.:]/i;
/** What models hang on the name of a tool. */
const SUFFIX = /(?:[_\s-]?tool){1,2}$/i;
const REMOTE = /^mcp(?![a-z0-9])/i;

/**
 * The tool that is plainly meant, in whatever way its name is decorated, cased or joined. A name that is merely like another
 * is never taken for it: a tool the owner denied must not become one they did not. Only a slip of the pen is mended, and
 * only in names of our own.
 */
export function repairName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  const plain = (name.split(/["'<>]/)[0] ?? '').trim().replace(NAMESPACE, '');
  const remote = REMOTE.test(plain);
  const forms = [plain, ...(remote ? [] : [plain.replace(SUFFIX, '')])];
  const spelt = forms.flatMap((form) => only(known.filter((candidate) => isSpelling(form, candidate))) ?? [])[0];
  if (spelt !== undefined || remote) return spelt;
  const own = known.filter((candidate) => !REMOTE.test(candidate));
  return only(own.filter((candidate) => isSlip(splitNameWords(forms.at(-1) ?? ''), splitNameWords(candidate))));
}

/** Names that may have been meant, the most likely first; for words, never for running. */
export function suggestNames(name: string, known: readonly string[]): string[] {
  const wanted = splitNameWords(name).join('_');
  return known
    .map((candidate) => ({ candidate, likeness: Math.max(...[candidate, bare(candidate)].map((form) => alike(wanted, form))) }))
    .filter(({ likeness }) => likeness >= LIKENESS)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, SUGGESTED)
    .map(({ candidate }) => candidate);
}
const LIKENESS = 0.6;
const SUGGESTED = 3;

const bare = (name: string): string => name.slice(name.lastIndexOf('__') + 1).replace(/^_/, '');
const alike = (wanted: string, form: string): number => {
  const spelt = splitNameWords(form).join('_');
  return 1 - editDistance(wanted, spelt) / Math.max(wanted.length, spelt.length, 1);
};

const only = (found: readonly string[]): string | undefined => (found.length === 1 ? found[0] : undefined);

/** Letters and digits of a name, where its words meet (`_`), and where its parts do (`__`). */
interface NameSpelling {
  readonly letters: string;
  readonly seams: ReadonlySet<number>;
  readonly walls: ReadonlySet<number>;
}

function spellingOf(name: string): NameSpelling {
  const [seams, walls] = [new Set<number>(), new Set<number>()];
  const pieces = splitCamelCase(name).split(/([_\s.:/-]+)/);
  let letters = '';
  pieces.forEach((piece, at) => {
    if (at % 2 === 0) letters += piece.toLowerCase();
    else {
      seams.add(letters.length);
      if (/__/.test(piece)) walls.add(letters.length);
      // Between digits it tells numbers apart: 1_23 is not 12_3.
      if (/\d$/.test(letters) && /^\d/.test(pieces[at + 1] ?? '')) letters += '_';
    }
  });
  return { letters, seams, walls };
}

/** The same letters, and seams that are left out or added but never moved: note_send is not notes_end, server a's b_c not a_b's c. */
function isSpelling(asked: string, known: string): boolean {
  const [a, b] = [spellingOf(asked), spellingOf(known)];
  return a.letters !== '' && a.letters === b.letters && nested(a.seams, b.seams) && nested(a.walls, b.walls);
}
const nested = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => a.isSubsetOf(b) || b.isSubsetOf(a);

/** A name's words in lower case. */
export const splitNameWords = (name: string): string[] =>
  splitCamelCase(name)
    .toLowerCase()
    .split(/[_\s.:/-]+/)
    .filter((word) => word !== '');

/** Word for word the same but for one, and that one is the same word mistyped. */
function isSlip(asked: readonly string[], known: readonly string[]): boolean {
  if (asked.length !== known.length) return false;
  const pairs = asked.flatMap((word, at) => (word === known[at] ? [] : [[word, known[at] ?? ''] as const]));
  const [pair] = pairs;
  return pairs.length === 1 && pair !== undefined && isMistyped(...pair);
}

/** Shorter words have too many neighbours: stat is not start. */
const LONG_ENOUGH = 5;

/** A letter too many, too few or swapped with its neighbour; never another letter, for that makes get of set, and never a digit. */
function isMistyped(asked: string, known: string): boolean {
  const [short, long] = asked.length <= known.length ? [asked, known] : [known, asked];
  if (short.length >= 3 && long === `${short}s`) return true;
  if (short.length < LONG_ENOUGH || asked[0] !== known[0] || /\d/.test(asked + known)) return false;
  let rest = 0;
  while (rest < short.length && short[rest] === long[rest]) rest++;
  if (short.length === long.length) return `${short.slice(0, rest)}${short[rest + 1]}${short[rest]}${short.slice(rest + 2)}` === long;
  return long.length === short.length + 1 && long.slice(rest + 1) === short.slice(rest);
}
