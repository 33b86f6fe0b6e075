import type { Embed } from '../../../contracts/embed.ts';
import type { Entry } from '../../../contracts/entry.ts';
import { isStoreError } from '../../../contracts/session-store.ts';
import { ToolFailure, type ToolOutput } from '../../../contracts/tool.ts';
import { expandQuery, listNoteLines } from './expand.ts';
import { renderFilePage } from './file-page.ts';
import { listFileRows } from './file-rows.ts';
import { openLog, type RecallLog } from './log.ts';
import { findByMeaning } from './meaning.ts';
import { renderOverviewPage } from './overview-page.ts';
import { toRecallOutput, type RecallPage } from './page.ts';
import { renderQueryPage, type IsWithin } from './query-page.ts';
import { parseRecallQuery } from './query.ts';
import { createSessionIndexes, type FindIndex } from './session-indexes.ts';
import { renderSpanPage } from './span-page.ts';

export interface ContextRecallInput {
  readonly query?: string;
  readonly from?: number;
  readonly to?: number;
  readonly file?: string;
  readonly limit?: number;
  readonly offset?: number;
}
export interface ContextRecallOptions {
  /** The whole log of a session. */
  entries(sessionId: string): Promise<readonly Entry[]>;
  /** Finds passages by their meaning as well, where an embedding model is set. */
  readonly embed?: Embed | undefined;
  /** Where the indexes of sessions are kept; by default the tool keeps its own. */
  readonly indexOf?: FindIndex;
}

/** Answers calls of the tool, one session at a time. */
export function openRecall({ entries, embed, indexOf = createSessionIndexes() }: ContextRecallOptions) {
  const byMeaning = embed === undefined ? undefined : findByMeaning(embed);
  return async (input: ContextRecallInput, sessionId: string, signal: AbortSignal): Promise<ToolOutput> => {
    const log = openLog(await read(entries, sessionId));
    const [query, file] = [trimmedOrUndefined(input.query), trimmedOrUndefined(input.file)];
    if (query === undefined) return toRecallOutput(pageFor(input, file, log));
    const index = indexOf(sessionId, log.entries);
    const isWithin = within(spanOf(input, log), file, log);
    const meaning = await byMeaning?.({
      sessionId,
      query,
      index,
      signal,
      textOf: ({ seq, start, end }) => log.row(seq)?.text.slice(start, end) ?? '',
      allowed: (seq) => isWithin(seq) && log.gone(seq),
    });
    return toRecallOutput(
      renderQueryPage(expandQuery(parseRecallQuery(query), listNoteLines(log.entries), index), log, {
        index,
        limit: limitOf(input),
        within: isWithin,
        meaning,
      }),
    );
  };
}

async function read(entries: ContextRecallOptions['entries'], sessionId: string): Promise<readonly Entry[]> {
  try {
    return await entries(sessionId);
  } catch (error) {
    throw isStoreError(error) ? new ToolFailure(`The log of this session could not be read. ${error.message}`, { cause: error }) : error;
  }
}

const LIMIT = 8;
const MOST = 20;

const limitOf = ({ limit }: ContextRecallInput): number => Math.min(MOST, Math.max(1, whole(limit) ?? LIMIT));

/** What is wanted without a query follows from what is given; a span beside a file narrows it. */
function pageFor(input: ContextRecallInput, file: string | undefined, log: RecallLog): RecallPage {
  const span = spanOf(input, log);
  if (file !== undefined) return renderFilePage(file, span === undefined ? log : until(log, span.from, span.to), limitOf(input));
  if (span !== undefined) return renderSpanPage({ ...span, offset: Math.max(0, whole(input.offset) ?? 0) }, log);
  return renderOverviewPage(log);
}

const trimmedOrUndefined = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();
const whole = (value: number | undefined): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : Math.trunc(value);

/** Without its beginning a span begins with the log, without its end it goes to the end. */
function spanOf({ from, to }: ContextRecallInput, { lastSeq }: RecallLog): { from: number; to: number } | undefined {
  const [first, last] = [whole(from), whole(to)];
  if (first === undefined && last === undefined) return undefined;
  return { from: first ?? 1, to: last ?? Math.max(first ?? 1, lastSeq) };
}

function within(span: { from: number; to: number } | undefined, file: string | undefined, log: RecallLog): IsWithin {
  const rows = file === undefined ? undefined : new Set(listFileRows(file, log).rows.map(({ row }) => row.seq));
  return (seq) => (span === undefined || (seq >= span.from && seq <= span.to)) && (rows === undefined || rows.has(seq));
}

const until = (log: RecallLog, from: number, to: number): RecallLog => ({
  ...log,
  entries: log.entries.filter(({ seq }) => seq >= from && seq <= to),
});
