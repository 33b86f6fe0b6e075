import { rejects } from 'node:assert/strict';
import type { ToolDetails } from '../../contracts/details.ts';
import type { MessageEntry, NewEntry } from '../../contracts/entry.ts';
import { NO_USAGE, createTextBlock } from '../../contracts/message.ts';
import { DEFAULT_ADJUSTMENTS, type Runtime } from '../../contracts/runtime.ts';
import {
  isStoreError,
  type Claim,
  type NewSession,
  type Session,
  type SessionStore,
  type StoreErrorCode,
} from '../../contracts/session-store.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import type { TurnState } from '../../contracts/turn.ts';

/** A store of its own for every test, empty. */
export type OpenStore = () => Promise<SessionStore>;

/** What only the implementation can stage; tests that need a missing one are skipped and say so. */
export interface StoreConformanceOptions {
  /** Another handle on the same data, as a second program would have it. */
  readonly again?: (store: SessionStore) => Promise<SessionStore>;
  /** Claims a session as a process that then died without a word. */
  readonly orphan?: (store: SessionStore, sessionId: string) => Promise<Claim>;
  /** Opens what `backup` made, and says where it should go. */
  readonly backup?: { readonly path: () => string; readonly open: (path: string) => Promise<SessionStore> };
}

export const SESSION: NewSession = { source: 'cli', cwd: '/work', model: 'some-model', provider: 'some-provider' };

export const RUNTIME: Runtime = {
  provider: 'some-provider',
  model: 'some-model',
  baseUrl: 'http://127.0.0.1/v1',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 8000 },
};

export const createUserEntry = (words: string): MessageEntry & { readonly origin: 'user' } => ({
  type: 'message',
  origin: 'user',
  message: { role: 'user', content: [createTextBlock(words, 'owner')] },
});

export const createAnswerEntry = (words: string): NewEntry => ({
  type: 'message',
  origin: 'model',
  message: {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'secretly pondered', trust: 'model' },
      createTextBlock(words, 'model'),
      { type: 'tool_call', id: 'c1', name: 'read_file', input: { path: 'argumentative' }, trust: 'model' },
    ],
  },
});

export const createToolResultEntry = (words: string, details?: ToolDetails, ms?: number): NewEntry => ({
  type: 'message',
  origin: 'tool',
  message: { role: 'tool', callId: 'c1', name: 'read_file', content: [createTextBlock(words, 'tool')], failed: false },
  ...(details !== undefined && { details }),
  ...(ms !== undefined && { ms }),
});

export const createPrepareState = (sessionId: string, turnId: string): TurnState => ({
  phase: 'prepare',
  sessionId,
  turnId,
  startedAt: 1,
  steps: 0,
  spent: { wait: 1 },
  runtime: RUNTIME,
  adjust: DEFAULT_ADJUSTMENTS,
  parts: [],
  guard: { calls: {}, failing: {}, strangers: 0 },
});

export const createCallRecord = (sessionId: string, id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  id,
  sessionId,
  turnId: 't1',
  at: 1000,
  ms: 20,
  runtime: RUNTIME,
  adjust: DEFAULT_ADJUSTMENTS,
  toolUse: 'auto',
  cacheTtl: '5m',
  throughSeq: 1,
  bodyHash: 'abc',
  bodyBytes: 3,
  segments: [{ name: 'system', hash: 'abc' }],
  estimate: 7,
  usage: NO_USAGE,
  result: 'stop',
  ...more,
});

/** A session and the right to write it. */
export async function beginSampleSession(store: SessionStore, more: Partial<NewSession> = {}): Promise<{ session: Session; claim: Claim }> {
  const session = await store.create({ ...SESSION, ...more });
  return { session, claim: await store.claim(session.id) };
}

export async function readCurrentSession(store: SessionStore, id: string): Promise<Session> {
  const [session] = await store.find(id);
  if (session === undefined) throw new Error(`session ${id} should be there`);
  return session;
}

/** Refused with this code, in words that are more than the code. */
export const assertRefused = (promise: Promise<unknown>, code: StoreErrorCode): Promise<void> =>
  rejects(promise, (error) => isStoreError(error, code) && error.message.length > 20);
