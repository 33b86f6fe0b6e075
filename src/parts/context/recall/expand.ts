import type { CompactionEntry, Entry } from '../../../contracts/entry.ts';
import { STOP_WORDS } from './common-words.ts';
import type { PassageIndex } from './passage-index.ts';
import type { RecallQuery, SoughtTerms } from './query.ts';
import { splitRuns, extractTerms } from './terms.ts';

/** Lines that may lend their words, and how many terms are lent in all. */
const LENDING = 3;
const MAX_LENT = 12;
const LENT = 0.3;
/** A term in more passages than this share says nothing. */
const COMMONPLACE = 0.05;

/**
 * The query with words the session itself ties to it: who wrote the notes told the same things in other words, so a line
 * of notes that answers to the question lends its names and rare words to the search in the log.
 */
export function expandQuery(query: RecallQuery, notes: readonly string[], index: PassageIndex): RecallQuery {
  const asked = new Set(query.clauses.flatMap(({ terms }) => terms.map(({ term }) => term)));
  const lines = notes.map((line) => ({ terms: new Set(termsIn(line)) }));
  const holding = new Map<string, number>();
  for (const { terms } of lines) for (const term of terms) holding.set(term, (holding.get(term) ?? 0) + 1);
  const worth = ({ terms }: { readonly terms: ReadonlySet<string> }): number =>
    [...asked].reduce((sum, term) => sum + (terms.has(term) ? Math.log(1 + lines.length / (holding.get(term) ?? 1)) : 0), 0);
  const best = lines
    .map((line) => ({ ...line, worth: worth(line) }))
    .filter((line) => line.worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, LENDING);
  const lent = [...new Set(best.flatMap(({ terms }) => [...terms]))].filter((term) => !asked.has(term) && isTelling(term, index));
  const rarest = lent.toSorted((a, b) => index.postings(a).length - index.postings(b).length).slice(0, MAX_LENT);
  return { ...query, clauses: [...query.clauses, ...rarest.map((term): SoughtTerms => ({ terms: [{ term, weight: LENT }] }))] };
}

function isTelling(term: string, index: PassageIndex): boolean {
  const held = index.postings(term).length;
  return term.length > 1 && held > 0 && held <= Math.max(3, COMMONPLACE * index.passages.length);
}

const termsIn = (line: string): string[] =>
  splitRuns(line)
    .filter((run) => !STOP_WORDS.has(run.toLowerCase()))
    .flatMap((run) => {
      const { whole, words } = extractTerms(run);
      return [...whole, ...words];
    });

/** What was written in place of spans, line by line. */
export const listNoteLines = (entries: readonly Entry[]): string[] =>
  entries
    .filter((entry): entry is Entry & CompactionEntry => entry.type === 'compaction')
    .slice(-NOTES)
    .flatMap(({ summary }) => summary.content.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : [])))
    .filter((line) => line.length > 10 && !line.startsWith('#') && !line.startsWith('['));
/** Of many compactions the last ones have what the earlier had. */
const NOTES = 3;
