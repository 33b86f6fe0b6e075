import type { Db } from '../db.ts';
import type { Group, Needle } from './query.ts';
import { denseTokens, PIECE, runsOf, type Run } from './tokens.ts';
import { expand, type Expansion } from './vocabulary.ts';

/** The groups for the index, as an FTS5 expression that every text asked for fulfils; `undefined` when the index cannot help. */
export function indexExpression(db: Db, groups: readonly Group[]): string | undefined {
  const terms = groups.map((group) => groupExpression(db, group)).filter((term) => term !== '');
  return terms.length === 0 ? undefined : terms.map((term) => `(${term})`).join(' OR ');
}

function groupExpression(db: Db, { want }: Group): string {
  const parts = want.flatMap((needle) => [...denseParts(needle), ...runsOf(needle.text).flatMap((run) => wordPart(db, needle, run))]);
  if (parts.some(({ words }) => words.length === 0)) return '';
  // Parts known only by their frequent words would rule texts out: they help only where nothing else does.
  const sure = parts.filter((part) => part.complete);
  return (sure.length > 0 ? sure : parts).map(({ words }) => `(${words.map((word) => `"${word}"`).join(' OR ')})`).join(' AND ');
}

/** Tokens within a longer one say nothing new. */
function denseParts({ text }: Needle): Expansion[] {
  const tokens = [...denseTokens(text)];
  const longest = tokens.filter((token) => !tokens.some((other) => other !== token && other.includes(token)));
  return longest.map((token) => ({ words: [token], complete: true }));
}

/** What a run of letters says: a whole word where the needle shows both its ends, else all words it may be a part of. */
function wordPart(db: Db, needle: Needle, run: Run): Expansion[] {
  const startsHere = run.from > 0 || needle.atStart;
  const endsHere = run.to < needle.text.length || needle.atEnd;
  if (run.text.length > PIECE / 2) return [expand(db, run.text.slice(0, PIECE / 2), 'inside')];
  if (startsHere && endsHere) return [{ words: [run.text], complete: true }];
  if (startsHere) return [expand(db, run.text, 'prefix')];
  if (run.text.length < 3) return [];
  return [expand(db, run.text, endsHere ? 'suffix' : 'inside')];
}
