import { dirname, join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { toPrintable } from '../../../base/printable.ts';
import type { AnyCommand } from '../../../contracts/command.ts';
import { defineCommand } from '../../../contracts/services/define-command.ts';
import type { MemoryService } from '../../../contracts/services/owner.ts';
import { openJournalDatabase, type JournalDatabase } from './database.ts';
import { toDay } from './days.ts';
import { openFactTable, type FactTable, type JournalFact, type JournalTurn } from './facts.ts';
import { JOURNAL_FILE } from './journal.ts';
import { findRecalled, toLine, toSpeaker } from './recall.ts';

const FACTS = { category: 'prompt', where: ['shell', 'terminal'], whileBusy: 'run', needs: ['memory'] } as const;
const ID = { kind: 'whole_number', required: true, description: 'the number of a fact' } as const;
const SHOWN = 'SELECT facts.*, at, user_id, is_owner FROM facts JOIN turns ON turns.id = turn';

/** A fact as the owner is shown it. */
interface FactView {
  readonly id: number;
  readonly day: string;
  readonly who: string;
  readonly text: string;
  readonly kind: string;
  readonly made_by: string;
  readonly valid_until?: string;
  readonly superseded_by?: number;
  /** Where the foreign words came from that the speaker had in view. */
  readonly foreign?: string;
  readonly quarantine?: string;
}
type ShownFact = JournalFact & Pick<JournalTurn, 'at' | 'user_id' | 'is_owner'>;

const toView = ({ speaker, user_id, is_owner, ...fact }: ShownFact): FactView => {
  const { id, at, text, kind, made_by, valid_to, superseded_by, foreign_source, quarantine } = fact;
  return {
    id,
    day: toDay(at),
    who: toSpeaker({ speaker }, { user_id, is_owner }),
    text,
    kind,
    made_by,
    ...(valid_to !== null && { valid_until: toDay(valid_to) }),
    ...(superseded_by !== null && { superseded_by }),
    ...(foreign_source !== null && { foreign: foreign_source }),
    ...(quarantine !== null && { quarantine }),
  };
};
const describeFact = ({ id, day, who, text, valid_until, foreign, quarantine }: FactView): string =>
  [
    `${id}. ${day}, ${who}: ${toPrintable(text)}`,
    ...(valid_until === undefined ? [] : [`(until ${valid_until})`]),
    ...(foreign === undefined || quarantine !== undefined ? [] : [`(with words from outside in view: ${toPrintable(foreign)})`]),
    ...(quarantine === undefined ? [] : [`(quarantine: ${toPrintable(quarantine)})`]),
  ].join(' ');
const describeFacts = (none: string) => (facts: readonly FactView[]) => (facts.length === 0 ? none : facts.map(describeFact).join('\n'));

/** The file stands beside the folder with the two notes. */
function withJournal<Result>({ folder }: MemoryService, work: (db: JournalDatabase, table: FactTable) => Result): Result {
  using db = openJournalDatabase(join(dirname(folder), JOURNAL_FILE));
  return work(db, openFactTable(db));
}
function findFact(id: number, db: JournalDatabase): ShownFact {
  const row = db.get<ShownFact>(`${SHOWN} WHERE facts.id = ?`, id);
  if (row === undefined) throw new UsageError(`the journal has no fact ${id}. To see what it has: hermes journal list`);
  return row;
}

const journalList = defineCommand({
  ...FACTS,
  name: 'journal list',
  summary: 'List the newest facts of the journal',
  options: {
    limit: { kind: 'whole_number', default: 30, description: 'how many' },
    all: { kind: 'flag', description: 'also those that no longer hold' },
  },
  json: 'one JSON array',
  examples: ['hermes journal list', 'hermes journal list --all --limit 100'],
  run: async ({ limit, all }, { memory }) =>
    withJournal(memory, (db) =>
      db
        .all<ShownFact>(
          `${SHOWN} WHERE kind NOT IN ('asked', 'cue') AND quarantine IS NULL AND (? OR valid_to IS NULL) ORDER BY facts.id DESC LIMIT ?`,
          all === true ? 1 : 0,
          limit,
        )
        .map(toView),
    ),
  describe: describeFacts('The journal is empty.'),
});

const journalSearch = defineCommand({
  ...FACTS,
  name: 'journal search',
  summary: 'Show what the journal would recall for a message of yours',
  arguments: { words: { kind: 'text', required: true, prose: true, description: 'the message' } },
  json: 'one JSON array',
  examples: ['hermes journal search "Where do I keep the spare key?"'],
  run: async ({ words }, { memory }) =>
    withJournal(memory, (db, table) =>
      findRecalled(words, { platform: 'cli', isOwner: true }, db, table).map((found) => toLine(found).text),
    ),
  describe: (lines) => (lines.length === 0 ? 'The journal has nothing about that.' : lines.map(toPrintable).join('\n')),
});

const journalShow = defineCommand({
  ...FACTS,
  name: 'journal show',
  summary: 'Show a fact with everything that was kept of its turn',
  arguments: { id: ID },
  json: 'as JSON',
  examples: ['hermes journal show 12'],
  run: async ({ id }, { memory }) =>
    withJournal(memory, (db) => {
      const fact = findFact(id, db);
      const turn = db.get<{ session: string; platform: string }>('SELECT session, platform FROM turns WHERE id = ?', fact.turn);
      const facts = db.all<ShownFact>(`${SHOWN} WHERE turn = ? ORDER BY position`, fact.turn).map(toView);
      return { ...toView(fact), session: turn?.session ?? '', platform: turn?.platform ?? '', turn: facts };
    }),
  describe: ({ session, platform, turn, ...fact }) =>
    [describeFact(fact), `from session ${session} (${platform})`, ...turn.map((each) => `  ${describeFact(each)}`)].join('\n'),
});

const journalForget = defineCommand({
  ...FACTS,
  name: 'journal forget',
  summary: 'Remove a fact from the journal for good',
  arguments: { id: ID },
  options: { yes: { kind: 'flag', description: 'do not ask for confirmation' } },
  ownerOnly: true,
  destructive: ({ id }, { memory }) => withJournal(memory, (db) => `the fact "${toPrintable(findFact(id, db).text)}"`),
  json: 'as JSON',
  examples: ['hermes journal forget 12'],
  run: async ({ id }, { memory }) =>
    withJournal(memory, (db, table) => {
      const fact = toView(findFact(id, db));
      db.write(() => table.remove(id));
      return fact;
    }),
  describe: (fact) => `forgotten: ${describeFact(fact)}`,
});

const journalQuarantine = defineCommand({
  ...FACTS,
  name: 'journal quarantine',
  summary: 'List what was said with foreign text in view, or release one such fact',
  arguments: { id: { kind: 'whole_number', description: 'the number of the fact to release' } },
  ownerOnly: ({ id }) => (id === undefined ? undefined : 'releasing a fact from quarantine'),
  json: 'one JSON array',
  examples: ['hermes journal quarantine', 'hermes journal quarantine 12'],
  run: async ({ id }, { memory }) =>
    withJournal(memory, (db, table) => {
      if (id === undefined)
        return db
          .all<ShownFact>(`${SHOWN} WHERE quarantine IS NOT NULL AND kind NOT IN ('asked', 'cue') ORDER BY facts.id DESC LIMIT 200`)
          .map(toView);
      const fact = findFact(id, db);
      if (fact.quarantine === null) throw new UsageError(`fact ${id} is not in quarantine. To see what is: hermes journal quarantine`);
      db.write(() => table.release(id));
      return [toView(findFact(id, db))];
    }),
  describe: describeFacts('Nothing is in quarantine.'),
});

export const JOURNAL_COMMANDS: readonly AnyCommand[] = [journalList, journalSearch, journalShow, journalForget, journalQuarantine];
