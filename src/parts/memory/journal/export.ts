import type { ExportedFact } from '../../../contracts/memory-provider.ts';
import type { JournalDatabase } from './database.ts';
import type { JournalFact, JournalTurn } from './facts.ts';
import { NOTES } from './keep.ts';

type ExportRow = Pick<JournalFact, 'id' | 'text' | 'speaker' | 'valid_from' | 'valid_to' | 'foreign_source' | 'quarantine'> &
  Pick<JournalTurn, 'at' | 'session' | 'platform' | 'user_id' | 'chat_id' | 'is_group' | 'is_owner'>;
const AT_A_TIME = 500;

/** Every fact, also those that are over or in quarantine, in the order they were learned. */
export async function* exportFacts(db: JournalDatabase): AsyncIterable<ExportedFact> {
  for (let after = 0; ;) {
    const rows = db.all<ExportRow>(
      `SELECT facts.id, text, speaker, valid_from, valid_to, quarantine, at, session, platform, user_id, chat_id, is_group, is_owner, facts.foreign_source
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

function toExported(row: ExportRow): ExportedFact {
  const { text, at, session, platform, user_id, chat_id, is_group, is_owner, valid_from, valid_to } = row;
  // A person's own words are not in quarantine, but those written with foreign words in view say so when they are recalled.
  const foreign = row.quarantine ?? row.foreign_source;
  return {
    text,
    at,
    scope: {
      platform,
      isOwner: is_owner === 1,
      ...(user_id !== null && { userId: user_id }),
      ...(chat_id !== null && { chatId: chat_id }),
      ...(is_group === 1 && { isGroup: true }),
    },
    ...describeAuthor(row),
    source: session,
    validFrom: valid_from,
    ...(foreign !== null && { foreign }),
    ...(valid_to !== null && { validTo: valid_to }),
  };
}

/**
 * Words in quarantine that are not the agent's were imported, and nobody knows whose they are: an author would let them out. Of
 * notes that no file of the owner's has nobody knows either; those with a label were let out, so the owner stands for them.
 */
function describeAuthor({ speaker, platform, foreign_source, quarantine, is_owner, user_id }: ExportRow): Pick<ExportedFact, 'author'> {
  if (speaker === 'agent') return { author: 'agent' };
  if (quarantine !== null || (speaker === 'note' && platform !== NOTES && foreign_source === null)) return {};
  return { author: is_owner === 1 ? 'owner' : (user_id ?? 'guest') };
}
