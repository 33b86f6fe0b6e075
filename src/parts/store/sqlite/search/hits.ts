import type { SearchHit } from '../../../../contracts/session-store.ts';
import type { Db } from '../database/db.ts';
import { extractSearchableText, TITLES } from './catch-up.ts';
import { fold } from './fold.ts';
import { matchesQuery } from './match.ts';
import type { NeedleGroup } from './query.ts';
import { makeSnippet } from './snippet.ts';

interface HitRow {
  readonly session_id: string;
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly title: string | null;
  readonly body: string;
  readonly rewound: number;
}

/** What stands under a number of the index, if it really is what was looked for. */
export function findHit(db: Db, n: number, groups: readonly NeedleGroup[]): SearchHit | undefined {
  const row = n > TITLES ? titleRow(db, n - TITLES) : entryRow(db, n);
  if (row === undefined) return undefined;
  const { role, text } = n > TITLES ? { role: 'title', text: row.title ?? '' } : extractSearchableText(row.body);
  if (!matchesQuery(fold(text), groups)) return undefined;
  const { session_id: sessionId, id: entryId, seq, at, title } = row;
  const marks = { ...(title !== null && { title }), ...(row.rewound === 1 && { rewound: true as const }) };
  return { sessionId, entryId, seq, at, role, ...marks, snippet: makeSnippet(text, groups) };
}

/** A later rewind goes back to before it. */
const REWOUND = `EXISTS (SELECT 1 FROM entries AS later WHERE later.session = entries.session AND later.type = 'rewind'
  AND later.seq > entries.seq AND json_extract(later.body, '$.toSeq') < entries.seq)`;

const entryRow = (db: Db, n: number): HitRow | undefined =>
  db.get<HitRow>(
    `SELECT sessions.id AS session_id, entries.id AS id, seq, at, title, body, ${REWOUND} AS rewound FROM entries JOIN sessions ON sessions.n = entries.session
    WHERE entries.n = ?`,
    n,
  );

/** A title stands for its session: the hit points at the session's first entry. */
const titleRow = (db: Db, session: number): HitRow | undefined =>
  db.get<HitRow>(
    `SELECT sessions.id AS session_id, coalesce(entries.id, '') AS id, coalesce(seq, 0) AS seq, updated_at AS at, title, '' AS body, 0 AS rewound
    FROM sessions LEFT JOIN entries ON entries.session = sessions.n AND seq = 1 WHERE sessions.n = ?`,
    session,
  );
