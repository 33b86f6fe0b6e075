import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome } from '../../../../src/base/home.ts';
import type { MemoryProvider, MemoryScope, SyncedTurn } from '../../../../src/contracts/memory-provider.ts';
import { createJournal, type JournalOptions } from '../../../../src/parts/memory/journal/journal.ts';

export const SIGNAL: AbortSignal = new AbortController().signal;
export const OWNER: MemoryScope = { sessionId: 's-ask', platform: 'cli', isOwner: true };
export const DAY = 86_400_000;
export const START = new Date(2026, 2, 14, 9).getTime();

export interface JournalStage extends AsyncDisposable {
  readonly folder: string;
  readonly journal: MemoryProvider;
  /** Tells a turn of the owner, each a day after the last. */
  tell(userMessage: string, assistantResponse?: string, more?: Partial<SyncedTurn>): Promise<SyncedTurn>;
  ask(query: string, scope?: MemoryScope): Promise<readonly string[]>;
}

export function stageJournal(options: Omit<JournalOptions, 'home'> = {}): JournalStage {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-journal-'));
  const journal = createJournal({ home: resolveHome({ HERMES_HOME: folder }), ...options });
  let count = 0;
  return {
    folder,
    journal,
    tell: async (userMessage, assistantResponse = 'All right.', more = {}) => {
      const id = `t${++count}`;
      const turn: SyncedTurn = {
        sessionId: `s${count}`,
        platform: 'cli',
        isOwner: true,
        key: id,
        turnId: id,
        at: START + count * DAY,
        userMessage,
        assistantResponse,
        foreign: [],
        ...more,
      };
      await journal.syncTurn?.(turn, SIGNAL);
      return turn;
    },
    ask: async (query, scope = OWNER) =>
      ((await journal.recall?.(query, { ...scope, signal: SIGNAL, maxChars: 6_000 })) ?? []).map(({ text }) => text),
    [Symbol.asyncDispose]: async () => {
      await journal.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
