import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Entry, NewEntry, EntryOrigin } from '../../../../../src/contracts/entry.ts';
import { createTextBlock, type TextBlock } from '../../../../../src/contracts/message.ts';
import type { NewSession, Session, SessionStore } from '../../../../../src/contracts/session-store.ts';
import type { ToolContext, ToolOutput } from '../../../../../src/contracts/tool.ts';
import { openSqliteStore } from '../../../../../src/parts/store/sqlite/store.ts';
import type { SessionSearchInput } from '../../../../../src/parts/tools/builtin/session-search/find-page.ts';
import { sessionSearchTool } from '../../../../../src/parts/tools/builtin/session-search/tool.ts';
import { answer, deskAt } from '../../setup.ts';

export const user = (words: string, origin: EntryOrigin = 'user'): NewEntry => ({
  type: 'message',
  origin,
  message: { role: 'user', content: [createTextBlock(words, 'owner')] },
});
export const model = (words: string): NewEntry => ({
  type: 'message',
  origin: 'model',
  message: { role: 'assistant', content: [createTextBlock(words, 'model')] },
});
export const result = (words: string, block: Partial<TextBlock> = {}, name = 'terminal'): NewEntry => ({
  type: 'message',
  origin: 'tool',
  message: { role: 'tool', callId: 'c1', name, content: [{ ...createTextBlock(words, 'tool'), ...block }], failed: false },
});
export const compaction = (fromSeq: number, toSeq: number, words: string): NewEntry => ({
  type: 'compaction',
  origin: 'summary',
  fromSeq,
  toSeq,
  summary: { role: 'user', content: [createTextBlock(words, 'owner')] },
});
/** Messages that differ by their number. */
export const talk = (count: number, words = 'small talk'): NewEntry[] =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? user(`${words} ${index + 1}`) : model(`${words} ${index + 1}`)));

export interface Desk {
  readonly store: SessionStore;
  /** A session with these entries; each is a minute later than the one before. */
  write(entries: readonly NewEntry[], session?: Partial<NewSession>): Promise<Session & { readonly log: readonly Entry[] }>;
  add(sessionId: string, entries: readonly NewEntry[]): Promise<readonly Entry[]>;
  ask(input: SessionSearchInput, running?: string): Promise<string>;
  output(input: SessionSearchInput, running?: string): Promise<ToolOutput>;
}

const MINUTE = 60_000;

export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-recall-'));
  let now = Date.parse('2026-11-15T12:00:00Z');
  const store = await openSqliteStore({ path: join(folder, 'state.db'), now: () => (now += MINUTE) });
  after(async () => {
    await store[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const tool = sessionSearchTool({ store });
  const add: Desk['add'] = async (sessionId, entries) => {
    const claim = await store.claim(sessionId);
    const log: Entry[] = [];
    for (const entry of entries) log.push(...(await store.commit(claim, { append: [entry] })));
    await store.release(claim);
    return log;
  };
  return {
    store,
    add,
    write: async (entries, session = {}) => {
      const fresh = await store.create({ source: 'cli', cwd: '/work', model: 'm', provider: 'p', ...session });
      return { ...fresh, log: await add(fresh.id, entries) };
    },
    ask: (input, running) => answer(tool, input, contextOf(running)),
    output: (input, running) => tool.run(input, contextOf(running)),
  };
}

export const contextOf = (sessionId = 'none'): ToolContext => ({
  signal: new AbortController().signal,
  sessionId,
  turnId: 't1',
  callId: 'c1',
  taint: [],
  terminal: deskAt('/'),
  ports: {},
  report: () => {},
  approve: async () => ({ allow: false, by: 'test', reason: 'nobody is here' }),
  call: () => Promise.reject(new Error('no other tools here')),
});
