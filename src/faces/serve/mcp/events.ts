import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../../../base/errors.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import type { Entry } from '../../../contracts/entry.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { ServeDeps, ConversationTool } from './contract.ts';
import { defineConversationTool } from './define-tool.ts';
import { toMessageRow } from './reading.ts';
import { findVisibleSession, listVisibleSessions } from './sessions.ts';

/**
 * Where a client has read to: everything up to a moment, and of what was stored in that very millisecond these. It is all that
 * is needed to go on, so that it survives a restart of either side.
 */
interface EventCursor {
  readonly at: number;
  readonly seen: readonly string[];
}
interface ConversationEvent {
  readonly id: string;
  readonly at: number;
  readonly row: object;
}

const MAX_EVENTS = 200;
const MAX_WAIT_SECONDS = 300;
/** Other processes write to the store too, and nobody tells of it. */
const LOOK_MS = 250;
/** Sessions looked at for news at first; seldom more have any. */
const FEW_SESSIONS = 20;

const PARAMETERS = {
  cursor: { kind: 'text', description: 'the cursor of the last answer; without one, events from now on' },
  conversation_id: { kind: 'text', description: 'only events of this conversation' },
  limit: { kind: 'whole_number', default: 50, description: `how many at most, up to ${MAX_EVENTS}` },
} as const;

/** Tools that tell what is new in conversations, whoever takes part in them. */
export const createEventTools = (deps: ServeDeps, readLog = createLogReader(deps)): readonly ConversationTool[] => [
  defineConversationTool({
    name: 'events_poll',
    description:
      'Returns what happened since a cursor: messages, ends of turns, changes of the model, questions for permission. Pass the returned cursor to the next call.',
    readOnly: true,
    parameters: PARAMETERS,
    run: async ({ cursor, conversation_id: ref, limit }) => ({ data: await poll(cursor, ref, limit, { ...deps, readLog }) }),
  }),
  defineConversationTool({
    name: 'events_wait',
    description: 'Waits until something happens after the cursor, then returns as events_poll does. Returns no events when the time is up.',
    readOnly: true,
    parameters: {
      ...PARAMETERS,
      timeout_seconds: { kind: 'whole_number', default: 30, description: `how long to wait, at most ${MAX_WAIT_SECONDS}` },
    },
    run: async ({ cursor, conversation_id: ref, limit, timeout_seconds: seconds }, signal) => {
      const until = Date.now() + Math.min(seconds, MAX_WAIT_SECONDS) * 1000;
      const from = cursor ?? writeCursor({ at: Date.now(), seen: [] });
      for (;;) {
        const found = await poll(from, ref, limit, { ...deps, readLog });
        if (found.events.length > 0 || Date.now() >= until || signal.aborted) return { data: found };
        await pause(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    },
  }),
];

async function poll(given: string | undefined, ref: string | undefined, limit: number, deps: EventDeps) {
  const cursor = given === undefined ? { at: Date.now(), seen: [] } : readCursor(given);
  const only = ref === undefined ? undefined : await findVisibleSession(ref, deps);
  const events = (await collectEvents(cursor, only, deps)).slice(0, Math.min(limit, MAX_EVENTS));
  return { events: events.map(({ row }) => row), cursor: writeCursor(advance(cursor, events)) };
}

/** What was stored after the cursor, oldest first. */
async function collectEvents(cursor: EventCursor, only: Session | undefined, deps: EventDeps): Promise<ConversationEvent[]> {
  const sessions = only === undefined ? await listUsedSince(cursor.at, deps) : [only];
  const logs = await Promise.all(sessions.map(async (session) => readNews(await deps.readLog(session, cursor.at))));
  const questions = await listQuestions(deps);
  const asked = only === undefined ? questions : questions.filter(({ sessionId }) => sessionId === only.id);
  return [...logs.flat(), ...asked]
    .filter(({ id, at }) => at > cursor.at || (at === cursor.at && !cursor.seen.includes(id)))
    .toSorted((one, other) => one.at - other.at);
}

/** Sessions come last used first: as many are asked for as it takes to see an older one. */
async function listUsedSince(at: number, deps: ServeDeps, limit = FEW_SESSIONS): Promise<readonly Session[]> {
  const found = await listVisibleSessions(deps, limit);
  const oldest = found.at(-1);
  if (oldest !== undefined && found.length >= limit && oldest.updatedAt >= at) return listUsedSince(at, deps, limit * 8);
  return found.filter(({ updatedAt }) => updatedAt >= at);
}

type ReadLog = (session: Session, since: number) => Promise<readonly Entry[]>;
type EventDeps = ServeDeps & { readonly readLog: ReadLog };

/** Reads of a log what can be new since a moment. How far it was older is remembered: a long log is read once. */
function createLogReader({ host }: Pick<ServeDeps, 'host'>): ReadLog {
  const older = new Map<string, Pick<Entry, 'seq' | 'at'>>();
  return async (session, since) => {
    const known = older.get(session.id);
    const entries = await host.store.entries(session.id, known !== undefined && known.at < since ? known.seq : session.copiedSeq);
    const last = entries.at(-1)?.at ?? 0;
    const before = entries.findLast(({ at }) => at < last);
    if (before !== undefined) older.set(session.id, { seq: before.seq, at: before.at });
    return entries;
  };
}

const readNews = (entries: readonly Entry[]): ConversationEvent[] =>
  entries.flatMap((entry) => {
    const row = toEventRow(entry);
    const { id, at, sessionId } = entry;
    return row === undefined ? [] : [{ id, at, row: { ...row, conversation_id: sessionId, at: new Date(at).toISOString() } }];
  });

/** What is worth telling of an entry. */
function toEventRow(entry: Entry): object | undefined {
  switch (entry.type) {
    case 'message':
      return { type: 'message', message: toMessageRow(entry) };
    case 'outcome':
      return {
        type: 'turn_ended',
        outcome: entry.outcome,
        exit_reason: entry.exitReason,
        ...(entry.notice !== undefined && { notice: entry.notice }),
      };
    case 'model_change':
      return { type: 'model_changed', model: entry.to.model, provider: entry.to.provider, cause: entry.cause };
    case 'rewind':
      return { type: 'taken_back', after_seq: entry.toSeq };
    case 'compaction':
      return { type: 'compacted', from_seq: entry.fromSeq, to_seq: entry.toSeq };
    default:
      return undefined;
  }
}

const listQuestions = async ({
  approvals,
  rules,
}: ServeDeps): Promise<(ConversationEvent & { readonly sessionId: string | undefined })[]> =>
  // Whose session it is cannot be told here without reading it: a client that sees only some hears of none.
  rules.sources !== undefined
    ? []
    : (await approvals.list())
        .filter(({ state }) => state === 'open')
        .map(({ id, at, sessionId, tool, summary }) => ({
          id,
          at,
          sessionId,
          row: {
            type: 'permission_asked',
            permission_id: id,
            conversation_id: sessionId ?? null,
            at: new Date(at).toISOString(),
            tool,
            summary,
          },
        }));

function advance(cursor: EventCursor, events: readonly ConversationEvent[]): EventCursor {
  const at = events.at(-1)?.at ?? cursor.at;
  const seen = events.filter((event) => event.at === at).map(({ id }) => id);
  return { at, seen: at === cursor.at ? [...cursor.seen, ...seen] : seen };
}

const writeCursor = ({ at, seen }: EventCursor): string => Buffer.from(JSON.stringify([at, ...seen])).toString('base64url');
export const createCursor = (at: number): string => writeCursor({ at, seen: [] });

function readCursor(text: string): EventCursor {
  const parsed = parseJson(Buffer.from(text, 'base64url').toString());
  const [at, ...seen] = Array.isArray(parsed) && !isObject(parsed) ? parsed : [];
  if (typeof at !== 'number')
    throw new UsageError('this cursor is not one that events_poll returned. Leave it out to begin with what happens now.');
  return { at, seen: seen.map(String) };
}
