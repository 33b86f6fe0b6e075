import { takeStart } from '../../../../base/text.ts';
import { MAX_COLUMNS } from './query.ts';

/** A line as a search shows it. */
export const formatHitLine = (line: string): string =>
  (line.length > MAX_COLUMNS ? `${takeStart(line, MAX_COLUMNS)} [… cut]` : line).trimEnd();
