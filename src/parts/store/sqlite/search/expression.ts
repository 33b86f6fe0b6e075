import type { Db } from '../database/db.ts';
import type { NeedleGroup, Needle } from './query.ts';
import { collectDenseTokens, PIECE, splitLetterRuns, type LetterRun } from './tokens.ts';
import { expand, type ExpansionLimits, type WordExpansion } from './vocabulary.ts';

/** What to ask the index. */
export interface IndexExpression {
  /** An FTS5 expression; empty when no text can be what is looked for, or the index cannot help. */
  readonly expression: string;
  /** Every text that is looked for fulfils it. */
  readonly complete: boolean;
}

export function lookUp(db: Db, groups: readonly NeedleGroup[], breadth: ExpansionLimits): IndexExpression {
  const questions = groups.map((group) => lookUpGroup(db, group, breadth)).filter(({ expression }) => expression !== '');
  return {
    expression: questions.map(({ expression }) => `(${expression})`).join(' OR '),
    complete: questions.every(({ complete }) => complete),
  };
}

function lookUpGroup(db: Db, { want }: NeedleGroup, breadth: ExpansionLimits): IndexExpression {
  const parts = want.flatMap((needle) => [
    ...denseParts(needle),
    ...splitLetterRuns(needle.text).flatMap((run) => wordPart(db, needle, run, breadth)),
  ]);
  if (parts.some(({ words }) => words.length === 0)) return { expression: '', complete: true };
  // Parts known only by their frequent words would rule texts out: they help only where nothing else does.
  const sure = parts.filter((part) => part.complete);
  const used = sure.length > 0 ? sure : parts;
  const expression = used.map(({ words }) => `(${words.map((word) => `"${word}"`).join(' OR ')})`).join(' AND ');
  return { expression, complete: sure.length > 0 };
}

/** Tokens within a longer one say nothing new. */
function denseParts({ text }: Needle): WordExpansion[] {
  const tokens = [...collectDenseTokens(text)];
  const longest = tokens.filter((token) => !tokens.some((other) => other !== token && other.includes(token)));
  return longest.map((token) => ({ words: [token], complete: true }));
}

/** What a run of letters says: a whole word where the needle shows both its ends, else all words it may be a part of. */
function wordPart(db: Db, needle: Needle, run: LetterRun, breadth: ExpansionLimits): WordExpansion[] {
  const startsHere = run.from > 0 || needle.atStart;
  const endsHere = run.to < needle.text.length || needle.atEnd;
  if (run.text.length > PIECE / 2) return [expand(db, run.text.slice(0, PIECE / 2), 'inside', breadth)];
  if (startsHere && endsHere) return [{ words: [run.text], complete: true }];
  if (startsHere) return [expand(db, run.text, 'prefix', breadth)];
  if (run.text.length < 3) return [];
  return [expand(db, run.text, endsHere ? 'suffix' : 'inside', breadth)];
}
