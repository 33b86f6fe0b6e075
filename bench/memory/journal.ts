/** The `journal` provider as a contestant: told turn by turn, asked through its contract. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJournal } from '../../src/parts/memory/journal/journal.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { MemoryScope, SyncedTurn } from '../../src/contracts/memory-provider.ts';
import type { Embed } from '../../src/contracts/embed.ts';
import { rememberVectors } from './vectors.ts';
import type { Contestant, Memory } from './contestant.ts';
import type { Chat, History, Session, Turn } from './corpus.ts';
import { MAX_RECALLED } from './score.ts';

export const journal: Contestant = { name: 'journal', open: (history) => openJournal(history) };
/** With likeness of meaning too, from the endpoint at this address. */
export const journalWithVectors = (endpoint: string): Contestant => {
  const embed = rememberVectors(endpoint);
  return { name: 'journal-vectors', open: (history) => openJournal(history, embed) };
};

async function openJournal(history: History, embed?: Embed): Promise<Memory> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-memory-exam-'));
  const memory = createJournal({ home: resolveHome({ HERMES_HOME: folder }), ...(embed !== undefined && { embed }) });
  const signal = new AbortController().signal;
  for (const session of history.sessions)
    for (const [index, turn] of session.turns.entries()) {
      const synced = toSynced(history, session, turn, index);
      if (synced !== undefined) await memory.syncTurn?.(synced, signal);
    }
  return {
    recall: async (text, { person, chat }) => {
      const request = { ...scopeOf(history, person, chat, 'asking'), signal, maxChars: MAX_RECALLED };
      return ((await memory.recall?.(text, request)) ?? []).map((fact) => fact.text).join('\n');
    },
    [Symbol.asyncDispose]: async () => {
      await memory.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const scopeOf = ({ people }: History, person: string, chat: Chat, sessionId: string): MemoryScope => ({
  sessionId,
  platform: 'telegram',
  userId: person,
  chatId: chat.id,
  isOwner: person === people[0],
  ...(chat.kind === 'group' && { isGroup: true }),
});

/** A turn as a provider is told of it: the person's own words, the agent's answer, and where foreign words came from. */
export function toSynced(history: History, session: Session, { at, messages }: Turn, index: number): SyncedTurn | undefined {
  const own = messages.filter(({ role, foreign }) => role === 'user' && !foreign);
  const person = own[0]?.person;
  if (person === undefined) return undefined;
  return {
    ...scopeOf(history, person, session.chat, session.id),
    key: `${session.id}/${index}`,
    turnId: `${session.id}/${index}`,
    at: new Date(at).getTime(),
    userMessage: own.map(({ text }) => text).join('\n'),
    assistantResponse: messages
      .filter(({ role }) => role === 'assistant')
      .map(({ text }) => text)
      .join('\n'),
    foreign: messages.filter(({ foreign }) => foreign).map(({ source }) => source ?? 'forwarded'),
  };
}
