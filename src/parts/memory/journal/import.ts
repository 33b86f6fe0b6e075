import { sha256 } from '../../../base/sha256.ts';
import type { ExportedFact } from '../../../contracts/memory-provider.ts';
import { toFactScope } from '../providers/fact-scope.ts';
import { classifySentence, type SentenceKind } from './classify.ts';
import { isDone, markDone, type JournalDatabase } from './database.ts';
import type { FactSpeaker, FactTable, NewFact, NewTurn } from './facts.ts';
import { NOTES, scopeColumns } from './keep.ts';

/** Facts from another memory, each once; gives how many are new. */
export async function importFacts(facts: AsyncIterable<ExportedFact>, at: number, db: JournalDatabase, table: FactTable): Promise<number> {
  let count = 0;
  for await (const fact of facts) {
    const key = `import:${sha256(JSON.stringify([fact.text, fact.at, fact.scope, fact.author]))}`;
    if (db.write(() => keepImported(fact, key, at, db, table))) count++;
  }
  return count;
}

/** Facts of one turn make a turn again. */
function keepImported(fact: ExportedFact, key: string, at: number, db: JournalDatabase, table: FactTable): boolean {
  if (fact.text.trim() === '' || table.findTurn(key) !== undefined || isDone(key, db)) return false;
  const row: NewTurn = {
    ...scopeColumns(toFactScope(fact)),
    key,
    session: fact.source ?? 'imported',
    at: fact.at ?? at,
    foreign_source: fact.foreign ?? null,
  };
  const turn = fact.source === undefined || fact.at === undefined ? undefined : findImportedTurn(row, db);
  const made = toImportedFact(fact, row);
  if (turn === undefined) table.insert(row, [made]);
  else table.append(turn, [made]);
  markDone(key, at, db);
  return true;
}

/** The turn that an earlier fact of the same one was imported to. */
const findImportedTurn = ({ session, at, platform, user_id, chat_id, is_group, is_owner }: NewTurn, db: JournalDatabase) =>
  db.get<{ id: number }>(
    `SELECT id FROM turns WHERE session = ? AND at = ? AND platform = ? AND user_id IS ? AND chat_id IS ? AND is_group = ? AND is_owner = ?
     AND key GLOB 'import:*' ORDER BY id DESC LIMIT 1`,
    session,
    at,
    platform,
    user_id,
    chat_id,
    is_group,
    is_owner,
  )?.id;

function toImportedFact({ text, author, validFrom, validTo }: ExportedFact, { platform, is_owner, foreign_source }: NewTurn): NewFact {
  const speaker = toImportedSpeaker(author, { platform, is_owner });
  return {
    speaker,
    kind: toImportedKind(speaker, platform, text),
    text,
    foreign_source,
    // A person's own words are recalled with the label; of all others nobody knows whether they repeat what was planted.
    quarantine: author === undefined || author === 'agent' ? foreign_source : null,
    made_by: 'import',
    ...(validFrom !== undefined && { valid_from: validFrom }),
    ...(validTo !== undefined && { valid_to: validTo }),
  };
}

/** Words of the owner that nobody says they said are notes. */
function toImportedSpeaker(author: string | undefined, { platform, is_owner }: Pick<NewTurn, 'platform' | 'is_owner'>): FactSpeaker {
  if (author === 'agent') return 'agent';
  return is_owner === 1 && (author !== 'owner' || platform === NOTES) ? 'note' : 'person';
}

/** As it was kept when it was said; a question would not have been exported. */
function toImportedKind(speaker: FactSpeaker, platform: string, text: string): SentenceKind {
  if (speaker === 'note') return platform === NOTES ? 'preference' : 'statement';
  const kind = speaker === 'person' ? classifySentence(text) : 'statement';
  return kind === 'asked' ? 'statement' : kind;
}
