import { PLACE } from '../text/regions.ts';
import type { ConceptMatch } from './chunks.ts';
import type { ScanRule } from './rule.ts';

/** A rule that holds, from its first mark to its last. */
export interface RuleHit {
  readonly rule: ScanRule;
  readonly at: number;
  readonly end: number;
}

interface RulePart {
  readonly rule: number;
  readonly part: number;
}

/** Rules with the way from a concept to the parts it fills. */
export interface RuleBook {
  readonly rules: readonly ScanRule[];
  readonly slots: ReadonlyMap<string, readonly RulePart[]>;
}

export function createRuleBook(rules: readonly ScanRule[]): RuleBook {
  const slots = new Map<string, RulePart[]>();
  for (const [number, { need }] of rules.entries())
    for (const [part, concepts] of need.entries()) for (const concept of concepts) listAt(slots, concept).push({ rule: number, part });
  return { rules, slots };
}

/** Tries all rules in one pass: per rule only the latest place of each part is kept, so time grows with the marks alone. */
export function match({ rules, slots }: RuleBook, marks: readonly ConceptMatch[], text: string): readonly RuleHit[] {
  const latest = rules.map((rule) => rule.need.map((): ConceptMatch | undefined => undefined));
  const positions = new Map<string, number[]>();
  const objects = new Map<string, ConceptMatch[]>();
  // What stands in code excuses nothing: `sample.yml` is no sample.
  for (const mark of marks.filter(({ place }) => (place & PLACE.code) === 0)) {
    listAt(positions, mark.concept).push(mark.pos);
    if (EVERYDAY.has(mark.concept)) listAt(objects, mark.concept).push(mark);
  }
  const excuses = (rule: ScanRule, first: ConceptMatch, last: ConceptMatch, seen: readonly (ConceptMatch | undefined)[]): boolean =>
    excused(rule, first.pos, last.pos, positions) || excusedByObject(rule, seen, objects, text);
  const hits: RuleHit[] = [];
  for (const mark of marks) {
    for (const { rule: number, part } of slots.get(mark.concept) ?? []) {
      const rule = rules[number];
      const seen = latest[number];
      if (rule === undefined || seen === undefined || !stands(rule, mark)) continue;
      seen[part] = mark;
      const first = firstOf(seen, mark, rule.within);
      if (first !== undefined && !excuses(rule, first, mark, seen)) hits.push({ rule, at: first.at, end: Math.max(mark.end, first.end) });
    }
  }
  return hits;
}

const stands = ({ inside, outside = 0 }: ScanRule, { place }: ConceptMatch): boolean =>
  (inside === undefined || (place & inside) !== 0) && (place & outside) === 0;

/** The earliest part, when all are met and near enough. */
function firstOf(seen: readonly (ConceptMatch | undefined)[], mark: ConceptMatch, within: number): ConceptMatch | undefined {
  let first = mark;
  for (const other of seen) {
    if (other === undefined || mark.pos - other.pos > within) return undefined;
    if (other.pos < first.pos) first = other;
  }
  return first;
}

/** A word nearby that makes the same words harmless. */
function excused({ unless = [], near }: ScanRule, from: number, to: number, positions: ReadonlyMap<string, readonly number[]>): boolean {
  return unless.some((concept) => !EVERYDAY.has(concept) && anyBetween(positions.get(concept) ?? [], from - near, to + near));
}

/** Words of every project. One nearby says nothing; only as what the sentence is about do they make it harmless: `ignore all lint rules`. */
const EVERYDAY: ReadonlySet<string> = new Set(['tooling']);

/** One of the parts is named after such a word (`lint rules`) or belongs to one (`the rules of the linter`). */
function excusedByObject(
  { unless = [] }: ScanRule,
  seen: readonly (ConceptMatch | undefined)[],
  objects: ReadonlyMap<string, readonly ConceptMatch[]>,
  text: string,
): boolean {
  const parts = seen.filter((part) => part !== undefined);
  return unless.some((concept) =>
    (objects.get(concept) ?? []).some((word) => {
      const last = parts.every((part) => part.end <= word.at);
      return parts.some((part) => belongs(part, word, text) || (last && DIRECT.test(text.slice(part.end, word.at))));
    }),
  );
}
/** Between a verb and its object: `these rules override your defaults`. */
const DIRECT = /^ (?:(?:the|your|our|all|any|its|their|these|those|this|every|my) ){0,2}$/;

function belongs(part: ConceptMatch, word: ConceptMatch, text: string): boolean {
  if (word.at <= part.at) return word.end >= part.at || (part.pos - word.pos <= 2 && NAMES.test(text.slice(word.end, part.at)));
  return word.at <= part.end || (word.pos - part.pos <= 6 && OF.test(text.slice(part.end, word.at)));
}
/** What may stand between a name and what it names, and between a thing and what it is of. */
const NAMES = /^[\s'"`*_-]{1,3}(?:[\w-]{1,20}[\s'"`*_-]{1,3})?$/;
const OF = /^[\s'"`*_]{1,3}(?:for|of|from|in|on|about|by|with)[\s'"`*_]{1,3}(?:(?!and|or|then)[\w-]{1,20}[\s'"`*_-]{1,3}){0,2}$/;

function anyBetween(sorted: readonly number[], low: number, high: number): boolean {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < low) from = middle + 1;
    else to = middle;
  }
  return from < sorted.length && (sorted[from] ?? 0) <= high;
}

function listAt<Item>(map: Map<string, Item[]>, key: string): Item[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: Item[] = [];
  map.set(key, made);
  return made;
}
