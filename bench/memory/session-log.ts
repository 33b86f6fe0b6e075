/** The `session_log` provider as a contestant: a real session log with the history in it, asked through its contract. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTextBlock, type Message as LogMessage } from '../../src/contracts/message.ts';
import type { SessionStore } from '../../src/contracts/session-store.ts';
import { sessionLogMemory } from '../../src/parts/memory/session-log.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import type { Contestant } from './contestant.ts';
import type { Message, Session } from './corpus.ts';
import { scopeOf } from './journal.ts';
import { MAX_RECALLED } from './score.ts';

export const sessionLog: Contestant = {
  name: 'session_log',
  open: async (history) => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-memory-exam-'));
    const store = await openSqliteStore({ path: join(folder, 'sessions.db'), durability: 'process' });
    for (const session of history.sessions) await keep(session, store);
    while (await store.care.tend());
    const memory = sessionLogMemory({ log: store });
    const signal = new AbortController().signal;
    return {
      recall: async (text, { person, chat }) => {
        const request = { ...scopeOf(history, person, chat, 'asking'), signal, maxChars: MAX_RECALLED };
        return ((await memory.recall?.(text, request)) ?? []).map((fact) => fact.text).join('\n');
      },
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

async function keep({ turns }: Session, store: SessionStore): Promise<void> {
  const { id } = await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' });
  const claim = await store.claim(id);
  const messages = turns.flatMap((turn) => turn.messages).filter(({ role }) => role !== 'tool');
  await store.commit(claim, { append: messages.map((message) => ({ type: 'message', origin: 'user', message: toLogMessage(message) })) });
  await store.release(claim);
}

const toLogMessage = ({ role, foreign, text }: Message): LogMessage =>
  role === 'assistant'
    ? { role: 'assistant', content: [createTextBlock(text, 'model')] }
    : { role: 'user', content: [createTextBlock(text, foreign ? 'foreign' : 'owner')] };
