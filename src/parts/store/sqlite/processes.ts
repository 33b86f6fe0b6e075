import type { ProcessRecord, ProcessStore, StoredNotices } from '../../../contracts/process-store.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';

interface StoredProcessRow {
  readonly id: string;
  readonly session_id: string;
  readonly is_kept: number;
  readonly notices: string;
  readonly trace: string;
}
const COLUMNS = 'id, session_id, is_kept, notices, trace';

export function openProcessStore(db: Db): ProcessStore {
  const write = <Result>(work: () => Result): Promise<Result> => db.write('keep a background process', work);
  return {
    add: ({ id, sessionId, trace, kept, tell, watch }) => {
      const values = [id, sessionId, kept === true ? 1 : 0, toText({ tell, watch }), JSON.stringify(trace)] as const;
      return write(() => void db.run(`INSERT OR REPLACE INTO processes (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`, ...values));
    },
    change: (id, pending) => write(() => void db.run('UPDATE processes SET notices = ? WHERE id = ?', toText(pending), id)),
    keep: (id) => write(() => void db.run('UPDATE processes SET is_kept = 1 WHERE id = ?', id)),
    remove: (id) =>
      write(() => {
        const row = db.get<StoredProcessRow>(`DELETE FROM processes WHERE id = ? RETURNING ${COLUMNS}`, id);
        return row && toRecord(row);
      }),
    list: () =>
      db.read('read the background processes', () => db.all<StoredProcessRow>(`SELECT ${COLUMNS} FROM processes ORDER BY n`).map(toRecord)),
  };
}

const toText = ({ tell, watch }: { readonly [Key in keyof StoredNotices]: StoredNotices[Key] | undefined }): string =>
  JSON.stringify({ ...(tell !== undefined && { tell }), ...(watch !== undefined && { watch }) });

const toRecord = (row: StoredProcessRow): ProcessRecord => ({
  id: row.id,
  sessionId: row.session_id,
  trace: fromJson<ProcessRecord['trace']>(row.trace, `background process ${row.id}`),
  ...(row.is_kept === 1 && { kept: true }),
  ...fromJson<StoredNotices>(row.notices, `background process ${row.id}`),
});
