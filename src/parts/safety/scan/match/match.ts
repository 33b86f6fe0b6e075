import { PLACE } from '../text/regions.ts';
import type { Mark } from './marks.ts';
import type { Rule } from './rule.ts';

/** A rule that holds, from its first mark to its last. */
export interface Hit {
  readonly rule: Rule;
  readonly at: number;
  readonly end: number;
}

interface Slot {
  readonly rule: number;
  readonly part: number;
}

/** Rules with the way from a concept to the parts it fills. */
export interface RuleBook {
  readonly rules: readonly Rule[];
  readonly slots: ReadonlyMap<string, readonly Slot[]>;
}

/** Tries all rules in one pass: per rule only the latest place of each part is kept, so time grows with the marks alone. */
export function match({ rules, slots }: RuleBook, marks: readonly Mark[]): readonly Hit[] {
  const latest = rules.map((rule) => rule.need.map((): Mark | undefined => undefined));
  const positions = new Map<string, number[]>();
  for (const mark of marks) {
    const list = positions.get(mark.concept);
    if (list === undefined) positions.set(mark.concept, [mark.pos]);
    else list.push(mark.pos);
  }
  const hits: Hit[] = [];
  for (const mark of marks) {
    for (const { rule: number, part } of slots.get(mark.concept) ?? []) {
      const rule = rules[number];
      const seen = latest[number];
      if (rule === undefined || seen === undefined || !stands(rule, mark)) continue;
      const hit = take(rule, seen, part, mark);
      if (hit !== undefined && !excused(rule, hit, positions)) hits.push({ rule, at: hit.first.at, end: mark.end });
    }
  }
  return hits;
}

export function ruleBook(rules: readonly Rule[]): RuleBook {
  const slots = new Map<string, Slot[]>();
  rules.forEach(({ need }, rule) =>
    // Backwards, so that one mark cannot fill two parts of an ordered rule at once.
    need.toReversed().forEach((concepts, back) => {
      for (const concept of concepts.split('|')) {
        const slot = { rule, part: need.length - 1 - back };
        const list = slots.get(concept);
        if (list === undefined) slots.set(concept, [slot]);
        else list.push(slot);
      }
    }),
  );
  return { rules, slots };
}

const stands = ({ inside, outside = 0 }: Rule, { place }: Mark): boolean =>
  (inside === undefined || (place & inside) !== 0) && (place & outside) === 0;

function take(rule: Rule, seen: (Mark | undefined)[], part: number, mark: Mark): { readonly first: Mark; readonly last: Mark } | undefined {
  if (rule.ordered === true) return takeOrdered(rule, seen, part, mark);
  seen[part] = mark;
  let first = mark;
  for (const other of seen) {
    if (other === undefined || mark.pos - other.pos > rule.within) return undefined;
    if (other.pos < first.pos) first = other;
  }
  return { first, last: mark };
}

/** For ordered rules `seen[n]` is where the latest chain of n+1 parts began. */
function takeOrdered(rule: Rule, seen: (Mark | undefined)[], part: number, mark: Mark) {
  const start = part === 0 ? mark : seen[part - 1];
  if (start === undefined || mark.pos - start.pos > rule.within || (part > 0 && mark.at < start.at)) return undefined;
  seen[part] = start;
  return part === rule.need.length - 1 ? { first: start, last: mark } : undefined;
}

/** A word nearby that makes the same words harmless. */
function excused(
  { unless = '', near = 6 }: Rule,
  hit: { readonly first: Mark; readonly last: Mark },
  positions: ReadonlyMap<string, readonly number[]>,
): boolean {
  if (unless === '') return false;
  return unless.split('|').some((concept) => anyBetween(positions.get(concept) ?? [], hit.first.pos - near, hit.last.pos + near));
}

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

export const inQuotes = (place: number): boolean => (place & (PLACE.quoted | PLACE.fence | PLACE.table)) !== 0;
