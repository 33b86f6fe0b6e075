import { safeHead } from '../../../../base/text.ts';
import { MAX_COLUMNS } from './query.ts';

/** A line as a search shows it. */
export const shownLine = (line: string): string => (line.length > MAX_COLUMNS ? `${safeHead(line, MAX_COLUMNS)} [… cut]` : line).trimEnd();
