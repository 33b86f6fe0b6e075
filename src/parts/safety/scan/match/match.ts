import type { ConceptMatch } from './chunks.ts';
import { createExcuses } from './excuses.ts';
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
  const isExcused = createExcuses(marks, text);
  const hits: RuleHit[] = [];
  for (const mark of marks) {
    for (const { rule: number, part } of slots.get(mark.concept) ?? []) {
      const rule = rules[number];
      const seen = latest[number];
      if (rule === undefined || seen === undefined || !stands(rule, mark)) continue;
      seen[part] = mark;
      const first = firstOf(seen, mark, rule.within);
      if (first === undefined) continue;
      const parts = seen.filter((other) => other !== undefined);
      if (!isExcused(rule, first, mark, parts)) hits.push({ rule, at: first.at, end: Math.max(mark.end, first.end) });
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

function listAt<Item>(map: Map<string, Item[]>, key: string): Item[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: Item[] = [];
  map.set(key, made);
  return made;
}
