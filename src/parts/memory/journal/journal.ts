import { join } from 'node:path';
import type { MemoryProvider, MemoryProviderOptions, MemorySessionEnd, RecalledFact } from '../../../contracts/memory-provider.ts';
import { isDone, markDone, openJournalDatabase, type JournalDatabase } from './database.ts';
import { exportFacts } from './export.ts';
import { extractByModel } from './extract-by-model.ts';
import { openFactTable, type FactTable } from './facts.ts';
import { importFacts } from './import.ts';
import { keepTurn, keepWrite } from './keep.ts';
import { findRecalled, toLine, type JournalReader, type RecalledTurn } from './recall.ts';
import { describeStatus } from './status.ts';
import { callTool, TOOLS } from './tools.ts';
import { keepVectors, measureLikeness } from './vectors.ts';

export const JOURNAL_FILE = 'journal.db';

export type JournalOptions = Pick<MemoryProviderOptions, 'home' | 'complete' | 'embed'> & { readonly now?: () => number };

/** Opened with the first use: asking for its name or its tools costs no file. */
interface OpenJournal {
  readonly db: JournalDatabase;
  readonly table: FactTable;
}

export function createJournal(options: JournalOptions): MemoryProvider {
  const { home, complete, embed, now = Date.now } = options;
  let opened: OpenJournal | undefined;
  const open = (): OpenJournal => {
    if (opened !== undefined) return opened;
    const db = openJournalDatabase(join(home.root, JOURNAL_FILE));
    return (opened = { db, table: openFactTable(db) });
  };
  const recall = async (query: string, scope: JournalReader, signal: AbortSignal): Promise<readonly RecalledTurn[]> => {
    const { db, table } = open();
    const reader = { ...scope, hasSummary: isDone(`open:${scope.sessionId ?? ''}`, db) };
    const alike = embed === undefined ? undefined : await measureLikeness(query, reader, embed, db, table, signal);
    return findRecalled(query, reader, db, table, alike);
  };
  return {
    name: 'journal',
    servesGuests: true,
    available: () => true,
    systemBlock: () =>
      'A journal of earlier sessions is kept on this machine. Facts that may fit a message are shown beside it, each with its day and who said it. Use journal_search to look for more.',
    recall: async (query, request) => toFacts(await recall(query, request, request.signal), request.maxChars),
    syncTurn: async (turn, signal) => {
      const { db, table } = open();
      const kept = db.write(() => keepTurn(turn, db, table));
      if (kept !== undefined && embed !== undefined) await keepVectors(kept.id, embed, db, table, signal);
    },
    sessionEnd: async (end, signal) => endSession(end, open(), options, now(), signal),
    beforeCompress: async (_messages, { sessionId }) => {
      const { db } = open();
      markDone(`open:${sessionId}`, now(), db);
      return undefined;
    },
    wrote: async (change) => {
      const { db, table } = open();
      db.write(() => keepWrite(change, now(), db, table));
    },
    tools: () => TOOLS,
    readsOnly: () => true,
    call: async (name, input, scope) => callTool(name, input, async (query) => recall(query, scope, scope.signal)),
    backupPaths: () => [JOURNAL_FILE],
    exportFacts: () => exportFacts(open().db),
    importFacts: async (facts) => {
      const { db, table } = open();
      return importFacts(facts, now(), db, table);
    },
    status: async () => describeStatus(open().db, { hasModel: complete !== undefined, hasVectors: embed !== undefined }),
    close: async () => {
      opened?.db[Symbol.dispose]();
      opened = undefined;
    },
  };
}

/** Every turn is kept, also of the shortest session; where there is a model, it adds its own wording once. */
async function endSession(
  end: MemorySessionEnd,
  { db, table }: OpenJournal,
  { complete }: JournalOptions,
  at: number,
  signal: AbortSignal,
): Promise<void> {
  db.write(() => {
    for (const turn of end.turns) keepTurn(turn, db, table);
    markDone(`open:${end.sessionId}`, at, db);
  });
  if (complete === undefined || isDone(end.key, db)) return;
  const facts = await extractByModel(end.turns, complete, signal);
  if (facts === undefined) return;
  db.write(() => {
    if (isDone(end.key, db)) return;
    for (const { turn, text, words } of facts) {
      const key = end.turns[turn]?.key;
      const kept = key === undefined ? undefined : table.findTurn(key);
      if (kept === undefined) continue;
      const { foreign_source } = kept;
      const of = { speaker: 'agent', foreign_source, quarantine: foreign_source, made_by: 'model' } as const;
      table.append(kept.id, [{ ...of, kind: 'statement', text }, ...(words === '' ? [] : [{ ...of, kind: 'cue', text: words } as const])]);
    }
    markDone(end.key, at, db);
  });
}

/** As many as fit, the best first. What was said with foreign words in view says so. */
function toFacts(found: readonly RecalledTurn[], maxChars: number): readonly RecalledFact[] {
  const facts: RecalledFact[] = [];
  let left = maxChars;
  for (const recalled of found) {
    const { text, at } = toLine(recalled);
    if (text.length + 1 > left) continue;
    left -= text.length + 1;
    const sources = new Set(recalled.facts.flatMap(({ foreign_source }) => foreign_source ?? []));
    facts.push({ text, at, ...(sources.size > 0 && { foreign: [...sources].join(', ') }) });
  }
  return facts;
}
