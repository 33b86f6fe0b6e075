import type { JournalDatabase } from './database.ts';
import type { SentenceKind } from './classify.ts';
import { toTerms, type WordTerm } from './words/terms.ts';

/** Who said it: a person, the agent, or the owner's own notes. */
export type FactSpeaker = 'person' | 'agent' | 'note';

export interface JournalTurn {
  readonly id: number;
  readonly key: string;
  readonly session: string;
  readonly at: number;
  readonly platform: string;
  readonly user_id: string | null;
  readonly chat_id: string | null;
  readonly is_group: number;
  readonly is_owner: number;
  /** Where the foreign words came from that the agent had in view when it answered. */
  readonly foreign_source: string | null;
}
export interface JournalFact {
  readonly id: number;
  readonly turn: number;
  readonly position: number;
  readonly speaker: FactSpeaker;
  readonly kind: SentenceKind;
  readonly text: string;
  readonly valid_from: number;
  readonly valid_to: number | null;
  readonly superseded_by: number | null;
  /** Where the foreign words came from that the speaker had in view; such a fact is recalled with this label. */
  readonly foreign_source: string | null;
  /** The same of one that may repeat them: it is not recalled. */
  readonly quarantine: string | null;
  readonly made_by: string;
}
export type NewTurn = Omit<JournalTurn, 'id'>;
export type NewFact = Pick<JournalFact, 'speaker' | 'kind' | 'text' | 'foreign_source' | 'quarantine'> &
  Partial<Pick<JournalFact, 'valid_from' | 'valid_to' | 'made_by'>>;

export const isRecallable = ({ valid_to, quarantine }: JournalFact): boolean => valid_to === null && quarantine === null;

/** The rows of the journal and the words by which they are found, always changed together. */
export interface FactTable {
  findTurn(key: string): JournalTurn | undefined;
  turn(id: number): JournalTurn | undefined;
  turnBefore(turn: JournalTurn): JournalTurn | undefined;
  factsOf(turn: number): readonly JournalFact[];
  /** What facts of this turn took the place of, and what that had replaced: people ask in the words of the first telling. */
  replacedBy(turn: number): readonly JournalFact[];
  fact(id: number): JournalFact | undefined;
  insert(turn: NewTurn, facts: readonly NewFact[]): JournalTurn;
  append(turn: number, facts: readonly NewFact[]): void;
  end(fact: number, at: number, by: number | null): void;
  release(fact: number): void;
  remove(fact: number): void;
}

export function openFactTable(db: JournalDatabase): FactTable {
  const turn = (id: number): JournalTurn | undefined => db.get<JournalTurn>('SELECT * FROM turns WHERE id = ?', id);
  const factsOf = (id: number): readonly JournalFact[] => db.all<JournalFact>('SELECT * FROM facts WHERE turn = ? ORDER BY position', id);
  const turnBefore = ({ id, session }: JournalTurn): JournalTurn | undefined =>
    db.get<JournalTurn>('SELECT * FROM turns WHERE session = ? AND id < ? ORDER BY id DESC LIMIT 1', session, id);
  const fact = (id: number): JournalFact | undefined => db.get<JournalFact>('SELECT * FROM facts WHERE id = ?', id);
  const replacedBy = (id: number): readonly JournalFact[] =>
    db.all<JournalFact>(
      `WITH RECURSIVE old (id, depth) AS (
         SELECT o.id, 1 FROM facts o JOIN facts n ON o.superseded_by = n.id WHERE n.turn = ?
         UNION SELECT o.id, depth + 1 FROM facts o JOIN facts n ON o.superseded_by = n.id JOIN facts m ON m.turn = n.turn JOIN old ON m.id = old.id WHERE depth < 4
       ) SELECT facts.* FROM facts WHERE id IN (SELECT id FROM old)`,
      id,
    );
  const index = (of: JournalTurn): void => {
    db.run('DELETE FROM turn_words WHERE rowid = ?', of.id);
    const own = factsOf(of.id).filter(isRecallable);
    if (own.length === 0) return;
    const before = turnBefore(of);
    db.run(
      'INSERT INTO turn_words (rowid, own, before) VALUES (?, ?, ?)',
      of.id,
      toIndexWords([...own, ...replacedBy(of.id)]),
      before === undefined ? '' : toIndexWords(factsOf(before.id).filter(isRecallable)),
    );
  };
  const indexTurnOf = (id: number): void => {
    const of = fact(id);
    const owner = of === undefined ? undefined : turn(of.turn);
    if (owner !== undefined) index(owner);
  };
  return {
    findTurn: (key) => db.get<JournalTurn>('SELECT * FROM turns WHERE key = ?', key),
    turn,
    turnBefore,
    factsOf,
    replacedBy,
    fact,
    insert: (row, facts) => {
      const { id } = db.run(
        'INSERT INTO turns (key, session, at, platform, user_id, chat_id, is_group, is_owner, foreign_source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        row.key,
        row.session,
        row.at,
        row.platform,
        row.user_id,
        row.chat_id,
        row.is_group,
        row.is_owner,
        row.foreign_source,
      );
      insertFacts(db, id, row.at, facts, 0);
      const made = { ...row, id };
      index(made);
      return made;
    },
    append: (id, facts) => {
      const of = turn(id);
      if (of === undefined) return;
      insertFacts(db, id, of.at, facts, factsOf(id).length);
      index(of);
    },
    end: (id, at, by) => {
      db.run('UPDATE facts SET valid_to = ?, superseded_by = ? WHERE id = ? AND valid_to IS NULL', at, by, id);
      indexTurnOf(id);
      if (by !== null) indexTurnOf(by);
    },
    release: (id) => {
      db.run('UPDATE facts SET quarantine = NULL WHERE id = ?', id);
      indexTurnOf(id);
    },
    remove: (id) => {
      const of = fact(id);
      const owner = of === undefined ? undefined : turn(of.turn);
      db.run('DELETE FROM facts WHERE id = ?', id);
      if (owner !== undefined) index(owner);
    },
  };
}

/** Words as the index has them: one token each, whatever is in them. */
export const toToken = (key: string): string => key.replaceAll(/[^\p{L}\p{M}\p{N}=<]/gu, '_');
const tokensOf = ({ key, groups, kinds }: WordTerm): string[] => [key, ...groups, ...kinds].map(toToken);
const toIndexWords = (facts: readonly JournalFact[]): string =>
  [...new Set(facts.flatMap(({ text }) => toTerms(text).flatMap(tokensOf)))].join(' ');

const INSERT_FACT =
  'INSERT INTO facts (turn, position, speaker, kind, text, valid_from, valid_to, foreign_source, quarantine, made_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

function insertFacts(db: JournalDatabase, turn: number, at: number, facts: readonly NewFact[], from: number): void {
  for (const [
    offset,
    { speaker, kind, text, valid_from = at, valid_to = null, foreign_source, quarantine, made_by = 'rules' },
  ] of facts.entries())
    db.run(INSERT_FACT, turn, from + offset, speaker, kind, text, valid_from, valid_to, foreign_source, quarantine, made_by);
}
