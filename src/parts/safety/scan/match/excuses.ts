import { PLACE } from '../text/regions.ts';
import type { ConceptMatch } from './chunks.ts';
import type { ScanRule } from './rule.ts';

/** Whether words around a hit, which goes from `first` to `last`, make it harmless. */
export type IsExcused = (rule: ScanRule, first: ConceptMatch, last: ConceptMatch, parts: readonly ConceptMatch[]) => boolean;

/** Looks at the words around a hit alone, so that a text full of hits and excuses takes no longer. */
export function createExcuses(marks: readonly ConceptMatch[], text: string): IsExcused {
  const met = new Map<string, ConceptMatch[]>();
  // What stands in code excuses nothing: `sample.yml` is no sample.
  for (const mark of marks.filter(({ place }) => (place & PLACE.code) === 0)) {
    const known = met.get(mark.concept);
    if (known === undefined) met.set(mark.concept, [mark]);
    else known.push(mark);
  }
  return ({ unless = [], near }, first, last, parts) =>
    unless.some((concept) => {
      const counts = PLACED.get(concept);
      const reach = counts === undefined ? near : MAX_REACH;
      const words = wordsBetween(met.get(concept) ?? [], first.pos - reach, last.pos + reach);
      return counts === undefined ? words.length > 0 : words.some((word) => counts(word, parts, text));
    });
}

type PlacedExcuse = (word: ConceptMatch, parts: readonly ConceptMatch[], text: string) => boolean;

/** Excuses that count by their place in the sentence; one nearby says nothing. */
const PLACED: ReadonlyMap<string, PlacedExcuse> = new Map([
  ['tooling', isObject],
  ['actor', isSubject],
  ['does', isReport],
  ['version', isScope],
]);
const MAX_REACH = 8;

/** Words of every project, as what the sentence is about: `ignore all lint rules`, `the rules of the linter`. */
function isObject(word: ConceptMatch, parts: readonly ConceptMatch[], text: string): boolean {
  const last = parts.every((part) => part.end <= word.at);
  return parts.some((part) => belongs(part, word, text) || (last && DIRECT.test(text.slice(part.end, word.at))));
}
/** Between a verb and its object: `these rules override your defaults`. */
const DIRECT = /^ (?:(?:the|your|our|all|any|its|their|these|those|this|every|my) ){0,2}$/;

/** Somebody else does it, `the worker uploads`, `customers can export`: that describes and orders nobody about. */
function isSubject(word: ConceptMatch, parts: readonly ConceptMatch[], text: string): boolean {
  return parts.some((part) => part.at > word.end && DOES.test(text.slice(word.end, part.at)));
}
const DOES = /^ (?:(?:can|may|will|must|should|also|then|only|never|always) ){0,2}$/;

/** A verb of the third person whose subject is not the model: `the exporter uploads`. */
function isReport(word: ConceptMatch, parts: readonly ConceptMatch[], text: string): boolean {
  return parts.some((part) => part.at === word.at) && !MODEL.test(text.slice(Math.max(0, word.at - 16), word.at));
}
const MODEL = /\b(?:assistants?|agents?|model|ai|llm|hermes|it|and)\s$/;

/** Said for some versions only: `these replace the steps above for 2.x`, `no longer apply since 2.2`. */
function isScope(word: ConceptMatch, _parts: readonly ConceptMatch[], text: string): boolean {
  return SCOPE.test(text.slice(Math.max(0, word.at - 16), word.at));
}
const SCOPE = /\b(?:for|since|of|in|from|before|until|with|ab|seit|fur|pour|depuis|desde|para|la)\s(?:version\s)?$/;

/** One of the parts is named after such a word (`lint rules`) or belongs to one (`the rules of the linter`). */
function belongs(part: ConceptMatch, word: ConceptMatch, text: string): boolean {
  if (word.at <= part.at) return word.end >= part.at || (part.pos - word.pos <= 2 && NAMES.test(text.slice(word.end, part.at)));
  return word.at <= part.end || (word.pos - part.pos <= 6 && OF.test(text.slice(part.end, word.at)));
}
/** What may stand between a name and what it names, and between a thing and what it is of. */
const NAMES = /^[\s'"`*_-]{1,3}(?:[\w-]{1,20}[\s'"`*_-]{1,3})?$/;
const OF = /^[\s'"`*_]{1,3}(?:for|of|from|in|on|about|by|with)[\s'"`*_]{1,3}(?:(?!and|or|then)[\w-]{1,20}[\s'"`*_-]{1,3}){0,2}$/;

/** Those of a list in reading order that stand from `low` to `high`. */
function wordsBetween(sorted: readonly ConceptMatch[], low: number, high: number): readonly ConceptMatch[] {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.pos ?? 0) < low) from = middle + 1;
    else to = middle;
  }
  let end = from;
  while (end < sorted.length && (sorted[end]?.pos ?? 0) <= high) end++;
  return sorted.slice(from, end);
}
