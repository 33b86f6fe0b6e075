import type { MemoryScope, MemoryWrite, SyncedTurn } from '../../../contracts/memory-provider.ts';
import type { JournalDatabase } from './database.ts';
import { extractByRules, toSource } from './extract.ts';
import { isRecallable, toToken, type FactTable, type JournalTurn, type NewFact, type NewTurn } from './facts.ts';
import { countTerms } from './recall.ts';
import { findSuperseded } from './supersede.ts';
import { toTerms } from './words/terms.ts';

export const scopeColumns = ({ platform, userId, chatId, isGroup, isOwner }: Omit<MemoryScope, 'sessionId'>) => ({
  platform,
  user_id: userId ?? null,
  chat_id: chatId ?? null,
  is_group: isGroup === true ? 1 : 0,
  is_owner: isOwner ? 1 : 0,
});

/** Keeps a turn once, whatever it is told how often; gives the facts that are new. */
export function keepTurn(turn: SyncedTurn, db: JournalDatabase, table: FactTable): JournalTurn | undefined {
  if (table.findTurn(turn.key) !== undefined) return undefined;
  const row: NewTurn = {
    ...scopeColumns(turn),
    key: turn.key,
    session: turn.sessionId,
    at: turn.at,
    foreign_source: toSource(turn.foreign),
  };
  return keep(row, extractByRules(turn), db, table);
}

/** Where notes of the owner's two files are kept: what was said elsewhere does not end with them. */
export const NOTES = 'notes';

/** A note of the owner's two files: added, or taken away with what it said. */
export function keepWrite({ key, operation, target, source }: MemoryWrite, at: number, db: JournalDatabase, table: FactTable): void {
  if (table.findTurn(key) !== undefined) return;
  const session = `${target} notes`;
  if (operation.action !== 'add') endNotes(operation.oldText, session, at, db, table);
  if (operation.action === 'remove') return;
  const foreign = toSource(source?.foreign ?? []);
  const row: NewTurn = {
    key,
    session,
    at,
    platform: NOTES,
    user_id: null,
    chat_id: null,
    is_group: 0,
    is_owner: 1,
    foreign_source: foreign,
  };
  keep(row, [{ speaker: 'note', kind: 'preference', text: operation.content, foreign_source: foreign, quarantine: null }], db, table);
}

/** The entry of a file that has these words; only one has. */
function endNotes(words: string, session: string, at: number, db: JournalDatabase, table: FactTable): void {
  const rows = db.all<{ id: number }>(
    `SELECT facts.id FROM facts JOIN turns ON turns.id = turn
     WHERE speaker = 'note' AND platform = ? AND session = ? AND valid_to IS NULL AND instr(text, ?) > 0`,
    NOTES,
    session,
    words,
  );
  for (const { id } of rows) table.end(id, at, null);
}

function keep(row: NewTurn, facts: readonly NewFact[], db: JournalDatabase, table: FactTable): JournalTurn | undefined {
  if (facts.length === 0) return undefined;
  const turn = table.insert(row, facts);
  endSuperseded(turn, db, table);
  return turn;
}

/** Earlier turns that are compared with a new one: those that share the rarest words with it. */
const MAX_EARLIER = 40;

function endSuperseded(later: JournalTurn, db: JournalDatabase, table: FactTable): void {
  const facts = table.factsOf(later.id).filter(isRecallable);
  const tokens = new Set(facts.flatMap(({ text }) => toTerms(text).flatMap(({ key, groups }) => [key, ...groups].map(toToken))));
  if (tokens.size === 0) return;
  const rows = db.all<{ rowid: number }>(
    'SELECT rowid FROM turn_words WHERE turn_words MATCH ? AND rowid < ? ORDER BY rank LIMIT ?',
    `own : (${[...tokens].map((token) => `"${token}"`).join(' OR ')})`,
    later.id,
    MAX_EARLIER,
  );
  const counts = countTerms(db);
  const people = new Set(
    db
      .all<{ name: string }>('SELECT DISTINCT lower(user_id) AS name FROM turns WHERE chat_id = ? AND user_id IS NOT NULL', later.chat_id)
      .map(({ name }) => name),
  );
  for (const { rowid } of rows) {
    const earlier = table.turn(rowid);
    if (earlier === undefined || !isSameAudience(earlier, later)) continue;
    const told = { facts: table.factsOf(rowid).filter(isRecallable), session: earlier.session };
    for (const { fact, rest } of findSuperseded(told, { facts, session: later.session }, counts, people)) {
      table.end(fact.id, later.at, facts[0]?.id ?? null);
      if (rest === undefined) continue;
      const { speaker, kind, foreign_source } = fact;
      table.append(earlier.id, [{ speaker, kind, text: rest, foreign_source, quarantine: null, made_by: 'rest' }]);
    }
  }
}

const isSameAudience = (a: JournalTurn, b: JournalTurn): boolean => {
  if (a.is_group !== b.is_group) return false;
  const isSamePlace = a.platform === b.platform && a.chat_id === b.chat_id;
  if (a.is_group === 1) return isSamePlace;
  return a.is_owner === 1 ? b.is_owner === 1 : a.user_id === b.user_id && isSamePlace && b.is_owner === 0;
};
