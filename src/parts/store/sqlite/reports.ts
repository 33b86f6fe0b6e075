import type { CompactionReport } from '../../../contracts/entry.ts';
import type { StoredCompactionReport } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';

interface ReportRow {
  readonly id: string;
  readonly at: number;
  readonly report: string;
}

/** What compactions came to, over all sessions: those done stand in their own entry, those refused in a note. What a branch copied counts once. */
export function readReports(db: Db, since = 0): StoredCompactionReport[] {
  const sql = `SELECT id, at, report FROM (
      SELECT sessions.id AS id, entries.at AS at, entries.n AS n,
        CASE WHEN json_valid(body) THEN json_extract(body, iif(type = 'note', '$.compaction', '$.report')) END AS report
      FROM entries JOIN sessions ON sessions.n = entries.session
      WHERE type IN ('compaction', 'note') AND entries.at >= ? AND seq > copied_seq)
    WHERE report IS NOT NULL ORDER BY at, n`;
  return db.all<ReportRow>(sql, since).map(({ id, at, report }) => ({
    ...fromJson<CompactionReport>(report, `a report of session ${id}`),
    sessionId: id,
    at,
  }));
}
