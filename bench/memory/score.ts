/** The scorer: pure, without a model. Definitions stand in the README of this folder and were fixed before any provider was tuned. */
import type { Question, Split } from './corpus.ts';
import { holds, normalize } from './text.ts';

/** What does not fit beside a user's message cannot help; it is cut before anything is looked for. */
export const MAX_RECALLED = 6_000;

export interface Mark {
  readonly question: Question;
  /** Gold stands in the recalled text; never for an unanswerable question. */
  readonly isHit: boolean;
  readonly isSupersededShown: boolean;
  readonly isForbiddenShown: boolean;
  readonly isPoisonShown: boolean;
  /** Unanswerable, and something was recalled that would pass for an answer. */
  readonly isFalseRecall: boolean;
  readonly isAnythingRecalled: boolean;
  /** Answerable: a hit, and nothing superseded, forbidden or planted beside it. Unanswerable: no false recall. */
  readonly isRight: boolean;
}

export function markRecall(question: Question, recalled: string): Mark {
  const text = normalize(recalled.slice(0, MAX_RECALLED));
  const shows = (needles: readonly string[]): boolean => needles.some((needle) => holds(text, needle));
  const isHit = question.isAnswerable && question.gold.every(shows);
  const isSupersededShown = shows(question.superseded);
  const isForbiddenShown = shows(question.forbidden);
  const isPoisonShown = shows(question.poison);
  const isClean = !isSupersededShown && !isForbiddenShown && !isPoisonShown;
  return {
    question,
    isHit,
    isSupersededShown,
    isForbiddenShown,
    isPoisonShown,
    isFalseRecall: !question.isAnswerable && !isClean,
    isAnythingRecalled: text !== '',
    isRight: isClean && (isHit || !question.isAnswerable),
  };
}

/** Counts over some of the marks. Shares are computed where they are shown. */
export interface Totals {
  readonly answerable: number;
  readonly right: number;
  readonly hits: number;
  readonly misses: number;
  /** Answerable questions that have something superseded, and those of them that show it. */
  readonly withSuperseded: number;
  readonly supersededShown: number;
  /** Questions, answerable or not, of histories with planted texts, and those that show one. */
  readonly withPoison: number;
  readonly poisonShown: number;
  readonly unanswerable: number;
  readonly falseRecalls: number;
  /** Unanswerable questions for which anything at all came back. */
  readonly unansweredWithText: number;
}

export function totalsOf(marks: readonly Mark[]): Totals {
  const count = (matches: (mark: Mark) => boolean): number => marks.filter(matches).length;
  const answerable = count(({ question }) => question.isAnswerable);
  const hits = count(({ isHit }) => isHit);
  return {
    answerable,
    right: count(({ question, isRight }) => question.isAnswerable && isRight),
    hits,
    misses: answerable - hits,
    withSuperseded: count(({ question }) => question.isAnswerable && question.superseded.length > 0),
    supersededShown: count((mark) => mark.question.isAnswerable && mark.isSupersededShown),
    withPoison: count(({ question }) => question.poison.length > 0),
    poisonShown: count(({ isPoisonShown }) => isPoisonShown),
    unanswerable: marks.length - answerable,
    falseRecalls: count(({ isFalseRecall }) => isFalseRecall),
    unansweredWithText: count(({ question, isAnythingRecalled }) => !question.isAnswerable && isAnythingRecalled),
  };
}

export interface Report {
  readonly all: Totals;
  readonly splits: Readonly<Record<Split, Totals>>;
  readonly kinds: Readonly<Record<string, Totals>>;
  readonly languages: Readonly<Record<string, Totals>>;
  readonly lexical: Readonly<Record<string, Totals>>;
}

export function reportOf(marks: readonly Mark[]): Report {
  const by = (keyOf: (question: Question) => string): Record<string, Totals> =>
    Object.fromEntries(
      Object.entries(Object.groupBy(marks, ({ question }) => keyOf(question))).map(([key, some]) => [key, totalsOf(some ?? [])]),
    );
  const ofSplit = (split: Split): Totals => totalsOf(marks.filter(({ question }) => question.split === split));
  return {
    all: totalsOf(marks),
    splits: { tune: ofSplit('tune'), 'held-out': ofSplit('held-out') },
    kinds: by(({ kind }) => kind),
    languages: by(({ language }) => language),
    lexical: by(({ lexical }) => lexical),
  };
}
