import { formatCount } from '../../../base/screen/figures.ts';
import type { JournalDatabase } from './database.ts';

interface Counts {
  readonly facts: number;
  readonly over: number;
  readonly held: number;
  readonly worded: number;
}

/** In a few words: how much it knows, and by what it was made. */
export function describeStatus(
  db: JournalDatabase,
  { hasModel, hasVectors }: { readonly hasModel: boolean; readonly hasVectors: boolean },
): string {
  const counts = db.get<Counts>(
    `SELECT count(*) FILTER (WHERE valid_to IS NULL AND quarantine IS NULL) AS facts, count(*) FILTER (WHERE valid_to IS NOT NULL) AS over,
       count(*) FILTER (WHERE quarantine IS NOT NULL) AS held, count(*) FILTER (WHERE made_by = 'model') AS worded
     FROM facts WHERE kind NOT IN ('asked', 'cue')`,
  ) ?? { facts: 0, over: 0, held: 0, worded: 0 };
  return [
    `${formatCount(counts.facts, 'fact')}, ${counts.over} superseded, ${counts.held} in quarantine`,
    hasModel ? `extracted by rules and by a model (${formatCount(counts.worded, 'fact')})` : 'extracted by rules',
    hasVectors ? 'searched by words and vectors' : 'searched by words',
  ].join('; ');
}
