import type { Json } from '../../../base/json-types.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import type { GrantHolder, NewQuestion, QuestionStore, StoredQuestion } from '../../../contracts/question-store.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';

export function openQuestionStore(db: Db, now: () => number): QuestionStore {
  const write = <Result>(work: () => Result): Promise<Result> => db.write('keep a question to the owner', work);
  return {
    list: (maxAgeMs) => db.read('read the questions to the owner', () => listQuestions(db, now() - maxAgeMs)),
    begin: (question) => write(() => insertQuestion(db, { ...question, at: now(), state: 'open' })),
    end: (id) => write(() => void db.run('DELETE FROM questions WHERE id = ?', id)),
    keep: (question, maxAgeMs) => write(() => keepQuestion(db, question, maxAgeMs, now())),
    decide: (id, state, maxAgeMs) =>
      write(() =>
        findChanged(db, `UPDATE questions SET state = ?, decided_at = ? WHERE id = ? AND ${OPEN}`, state, now(), id, now() - maxAgeMs),
      ),
    // Most acts were never asked about before: no lock is taken for them.
    use: async (act, maxAgeMs) =>
      (await db.read('look for a consent', () => db.get(`SELECT 1 FROM questions WHERE act = ? AND state = 'allowed'`, act))) === undefined
        ? undefined
        : write(() => findChanged(db, USE, act, now() - maxAgeMs)),
    adopt: (questions) => write(() => questions.forEach((question) => insertQuestion(db, question))),
    grant: (to, scopes) => write(() => insertGrants(db, to, scopes, now())),
    granted: (to) => db.read('read what is allowed', () => listGrants(db, to)),
  };
}

interface QuestionRow {
  readonly id: string;
  readonly at: number;
  readonly state: StoredQuestion['state'];
  readonly decided_at: number | null;
  readonly action: string;
}
const COLUMNS = 'id, at, state, decided_at, action';
const OPEN = `state = 'open' AND at > ? RETURNING ${COLUMNS}`;
const USE = `UPDATE questions SET state = 'used'
  WHERE n = (SELECT n FROM questions WHERE act = ? AND state = 'allowed' AND at > ? ORDER BY n LIMIT 1) RETURNING ${COLUMNS}`;

const listQuestions = (db: Db, since: number): StoredQuestion[] =>
  db.all<QuestionRow>(`SELECT ${COLUMNS} FROM questions WHERE at > ? ORDER BY n`, since).map(toQuestion);

function insertQuestion(db: Db, { id, act, action, at, state, decidedAt }: NewQuestion & StoredQuestion): void {
  const sql = `INSERT OR IGNORE INTO questions (id, session_id, act, at, state, decided_at, action) VALUES (?, ?, ?, ?, ?, ?, ?)`;
  db.run(sql, id, action.sessionId ?? null, act, at, state, decidedAt ?? null, JSON.stringify(action));
}

/** What is too old to be answered goes with the next one that is kept. */
function keepQuestion(db: Db, question: NewQuestion, maxAgeMs: number, now: number): StoredQuestion {
  db.run('DELETE FROM questions WHERE at <= ?', now - maxAgeMs);
  const sql = `SELECT ${COLUMNS} FROM questions WHERE state IN ('open', 'denied') AND (id = ?1 OR act = ?2) ORDER BY id = ?1 DESC, n LIMIT 1`;
  const known = db.get<QuestionRow>(sql, question.id, question.act);
  if (known !== undefined) return toQuestion(known);
  const { id, action } = question;
  insertQuestion(db, { ...question, at: now, state: 'open' });
  return { id, at: now, action, state: 'open' };
}

function findChanged(db: Db, sql: string, ...values: readonly (string | number)[]): StoredQuestion | undefined {
  const row = db.get<QuestionRow>(sql, ...values);
  return row && toQuestion(row);
}

const toQuestion = (row: QuestionRow): StoredQuestion => ({
  id: row.id,
  at: row.at,
  action: fromJson<ApprovalRequest>(row.action, `question ${row.id}`),
  state: row.state,
  ...(row.decided_at !== null && { decidedAt: row.decided_at }),
});

/** A session that is never ended keeps what it was allowed for this long. */
const GRANTED_MS = 30 * 86_400_000;

function insertGrants(db: Db, { sessionId, turnId = '' }: GrantHolder, scopes: readonly Json[], now: number): void {
  db.run('DELETE FROM grants WHERE at < ?', now - GRANTED_MS);
  const sql = 'INSERT OR REPLACE INTO grants (session_id, turn_id, at, scope) VALUES (?, ?, ?, ?)';
  for (const scope of scopes) db.run(sql, sessionId, turnId, now, JSON.stringify(scope));
}

const listGrants = (db: Db, { sessionId, turnId = '' }: GrantHolder): Json[] =>
  db
    .all<{ scope: string }>(`SELECT scope FROM grants WHERE session_id = ? AND turn_id IN ('', ?) ORDER BY n`, sessionId, turnId)
    .map(({ scope }) => fromJson<Json>(scope, 'what was allowed'));
