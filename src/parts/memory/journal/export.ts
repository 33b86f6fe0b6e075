import type { ExportedFact } from '../../../contracts/memory-provider.ts';
import type { JournalDatabase } from './database.ts';
import type { JournalFact, JournalTurn } from './facts.ts';

type ExportRow = Pick<JournalFact, 'id' | 'text' | 'speaker' | 'valid_from' | 'valid_to' | 'quarantine'> &
  Pick<JournalTurn, 'at' | 'session' | 'platform' | 'user_id' | 'chat_id' | 'is_owner'>;
const AT_A_TIME = 500;

/** Every fact, also those that are over or in quarantine, in the order they were learned. */
export async function* exportFacts(db: JournalDatabase): AsyncIterable<ExportedFact> {
  for (let after = 0; ;) {
    const rows = db.all<ExportRow>(
      `SELECT facts.id, text, speaker, valid_from, valid_to, quarantine, at, session, platform, user_id, chat_id, is_owner
       FROM facts JOIN turns ON turns.id = turn WHERE facts.id > ? AND kind NOT IN ('asked', 'cue') ORDER BY facts.id LIMIT ?`,
      after,
      AT_A_TIME,
    );
    for (const row of rows) {
      yield toExported(row);
      after = row.id;
    }
    if (rows.length < AT_A_TIME) return;
  }
}

const toExported = ({
  text,
  at,
  speaker,
  session,
  platform,
  user_id,
  chat_id,
  is_owner,
  quarantine,
  valid_from,
  valid_to,
}: ExportRow): ExportedFact => ({
  text,
  at,
  scope: { platform, ...(user_id !== null && { userId: user_id }), ...(chat_id !== null && { chatId: chat_id }) },
  author: speaker === 'agent' ? 'agent' : is_owner === 1 ? 'owner' : (user_id ?? 'guest'),
  source: session,
  validFrom: valid_from,
  ...(quarantine !== null && { foreign: quarantine }),
  ...(valid_to !== null && { validTo: valid_to }),
});
