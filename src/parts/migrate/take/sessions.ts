import { homedir } from 'node:os';
import { toErrorMessage } from '../../../base/errors.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { CallRecord } from '../../../contracts/ledger.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../contracts/runtime.ts';
import { isStoreError, type AdoptedSession, type AdoptionResult, type SessionStore } from '../../../contracts/session-store.ts';
import type { ForeignCost, ForeignHome, ForeignLog, ForeignSession } from '../foreign/foreign-home.ts';
import { createAdoptedLog } from '../log/create-log.ts';
import { have, leave, type MigrationTarget, type PlannedItem } from './target.ts';

/** Each session whole, in one step of the store; parents first. */
export async function planSessions(home: ForeignHome, { known, store }: MigrationTarget): Promise<readonly PlannedItem[]> {
  const ids = new Map(home.sessions.map((session) => [session.key, resolveSessionId(home.source, session)]));
  const items: PlannedItem[] = [];
  for (const session of parentsFirst(home.sessions)) {
    const id = ids.get(session.key) ?? '';
    const name = session.title === undefined ? id : `${id} ${session.title}`;
    const seen = await known?.fact(factOf(home, session));
    const isSettled = seen === session.fingerprint || seen === `${DIVERGED} ${session.fingerprint}`;
    if (isSettled) {
      const isHere = (await known?.find(id))?.some((each) => each.id === id) === true;
      if (!isHere) items.push(leave('sessions', name, 'you deleted it here'));
      else items.push(seen === session.fingerprint ? have('sessions', name) : leave('sessions', name, WENT_ANOTHER_WAY));
    } else items.push({ kind: 'sessions', name, state: 'take', take: async () => take(session, await store()) });
  }
  return items;

  async function take(session: ForeignSession, into: SessionStore) {
    try {
      const log = readLog(session);
      if ('why' in log) return { state: 'left', ...log } as const;
      const { did } = await into.adopt(await toAdopted(home, session, log, ids, into));
      // Behind the session itself: a kill between the two finds the session again and changes nothing.
      await into.learn(factOf(home, session), did === 'diverged' ? `${DIVERGED} ${session.fingerprint}` : session.fingerprint);
      return OUTCOMES[did];
    } catch (error) {
      if (isStoreError(error, 'busy')) return { state: 'left', why: error.message } as const;
      throw error;
    }
  }
}

/** A damaged database is often still good for some of its sessions. */
function readLog(session: ForeignSession): ForeignLog | { readonly why: string } {
  try {
    return session.read();
  } catch (error) {
    return { why: `it could not be read: ${toErrorMessage(error)}` };
  }
}

const DIVERGED = 'diverged';
const WENT_ANOTHER_WAY = 'it went on here, or was changed there, since it was taken; what is new there is not taken';

const OUTCOMES: Readonly<Record<AdoptionResult['did'], Partial<PlannedItem> | undefined>> = {
  created: undefined,
  extended: { why: 'what was said there since the last time' },
  unchanged: { state: 'present' },
  diverged: { state: 'left', why: WENT_ANOTHER_WAY },
};

/** What was taken of a session, so that it is not looked through again and a deleted one does not come back. */
const factOf = ({ source }: ForeignHome, { key }: ForeignSession): string => `migrated:${source}:${key}`;

/** Of our own form where it has it, else made from its beginning and its name there: always the same. */
export function resolveSessionId(source: string, { key, startedAt }: Pick<ForeignSession, 'key' | 'startedAt'>): string {
  if (/^\d{8}_\d{6}_[0-9a-f]{6,8}$/.test(key)) return key;
  const [day = '', time = ''] = new Date(startedAt)
    .toISOString()
    .replaceAll(/[-:]|\..*$/g, '')
    .split('T');
  return `${day}_${time}_${sha256(`${source}\0${key}`).slice(0, 6)}`;
}

function parentsFirst(sessions: readonly ForeignSession[]): readonly ForeignSession[] {
  const byKey = new Map(sessions.map((session) => [session.key, session]));
  const ordered = new Set<ForeignSession>();
  const visit = (session: ForeignSession, above: ReadonlySet<string>): void => {
    const parent = session.parent === undefined ? undefined : byKey.get(session.parent.key);
    if (parent !== undefined && !above.has(parent.key)) visit(parent, new Set([...above, session.key]));
    ordered.add(session);
  };
  for (const session of sessions) visit(session, new Set());
  return [...ordered];
}

async function toAdopted(
  { source, program }: ForeignHome,
  session: ForeignSession,
  log: ForeignLog,
  ids: ReadonlyMap<string, string>,
  store: SessionStore,
): Promise<AdoptedSession> {
  const id = ids.get(session.key) ?? '';
  const note = `Taken over from ${program}, where it is the session ${session.key}.`;
  const entries = createAdoptedLog(log, { key: `${source}\0${session.key}`, note, startedAt: session.startedAt });
  const parentId = session.parent === undefined ? undefined : ids.get(session.parent.key);
  const isParentHere = parentId !== undefined && (await store.find(parentId)).some((each) => each.id === parentId);
  return {
    id,
    source: session.source,
    cwd: session.cwd ?? homedir(),
    model: session.model ?? 'unknown',
    provider: session.provider ?? 'unknown',
    ...(session.title !== undefined && { title: session.title }),
    ...(isParentHere && session.parent !== undefined && { parent: { sessionId: parentId, kind: session.parent.kind } }),
    startedAt: session.startedAt,
    updatedAt: Math.max(session.startedAt, ...log.messages.slice(-1).map(({ at }) => at)),
    entries,
    calls: log.costs.map((cost, index) => toCallRecord(cost, id, index)),
  };
}

const toCallRecord = ({ at, provider, model, baseUrl, usage, price }: ForeignCost, sessionId: string, index: number): CallRecord => ({
  id: `c_${at.toString(16).padStart(11, '0')}${sha256(`${sessionId}\0${index}`).slice(0, 12)}`,
  sessionId,
  turnId: '',
  purpose: 'elsewhere',
  at,
  ms: 0,
  runtime: { provider, model, baseUrl, protocol: 'openai-chat', credential: 'none', limits: { window: 0 } },
  adjust: DEFAULT_ADJUSTMENTS,
  toolUse: 'auto',
  cacheTtl: 'off',
  throughSeq: 0,
  bodyHash: '',
  bodyBytes: 0,
  segments: [],
  estimate: 0,
  usage,
  ...(price !== undefined && { price }),
  result: 'stop',
});
