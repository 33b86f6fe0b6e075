import { LETTER, startsWord } from './kinds.ts';
import type { NeedleGroup, Needle } from './query.ts';
import { classifyAround } from './tokens.ts';

export interface MatchSpan {
  readonly from: number;
  readonly to: number;
}

/** Whether a folded text is what was asked for. The index only proposes; this decides. */
export const matchesQuery = (folded: string, groups: readonly NeedleGroup[]): boolean =>
  groups.some((group) => groupMatches(folded, group));

const groupMatches = (folded: string, { want, avoid }: NeedleGroup): boolean =>
  want.every((needle) => firstSpan(folded, needle, 0) !== undefined) && !avoid.some((needle) => firstSpan(folded, needle, 0) !== undefined);

/** Where the wanted things stand, in order, without overlaps. */
export function findMatchSpans(folded: string, groups: readonly NeedleGroup[]): MatchSpan[] {
  const held = groups.filter((group) => groupMatches(folded, group));
  const all = held.flatMap((group) => group.want.flatMap((needle) => needleSpans(folded, needle)));
  const spans: MatchSpan[] = [];
  for (const span of all.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (span.from >= (spans.at(-1)?.to ?? 0)) spans.push(span);
  }
  return spans;
}

/** A text full of hits needs no more marks than a snippet can show. */
const MAX_SPANS = 50;

function needleSpans(folded: string, needle: Needle): MatchSpan[] {
  const spans: MatchSpan[] = [];
  for (let span = firstSpan(folded, needle, 0); span !== undefined && spans.length < MAX_SPANS; span = firstSpan(folded, needle, span.to)) {
    spans.push(span);
  }
  return spans;
}

function firstSpan(folded: string, { text, atStart, atEnd }: Needle, after: number): MatchSpan | undefined {
  for (let from = folded.indexOf(text, after); from >= 0; from = folded.indexOf(text, from + 1)) {
    const to = from + text.length;
    if ((!atStart || beginsWord(folded, from)) && (!atEnd || endsWord(folded, to))) return { from, to };
  }
  return undefined;
}

const beginsWord = (folded: string, index: number): boolean => startsWord(...classifyAround(folded, index));
const endsWord = (folded: string, index: number): boolean => classifyAround(folded, index).some((kind) => kind !== LETTER);
