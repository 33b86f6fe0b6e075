import { DEFAULT_PROFILE, toProfileName } from '../../../base/profile.ts';
import type { Usage } from '../../../contracts/message.ts';
import type { Session, SessionStore } from '../../../contracts/session-store.ts';
import type { Face } from './face.ts';
import { showTitle } from './notify.ts';
import type { StatusFacts } from '../status/status-bar.ts';

/** What the status bar shows now. */
export function collectStatus({ opened, state, stage, deps, submitted }: Face): StatusFacts {
  const session = opened?.conversation.session;
  const { counters } = stage.transcript;
  const window = session?.runtime.limits.window ?? state.facts?.window;
  const profile = toProfileName(deps.home.root);
  // Before the first reply of a session that goes on, what it had when it was left.
  const last = counters.last ?? state.stored?.last;
  const usage = counters.steps > 0 ? counters.usage : (state.stored?.usage ?? counters.usage);
  const sent = sumSent(usage);
  return {
    model: session?.runtime.model ?? state.facts?.model ?? 'starting …',
    ...(window !== undefined && {
      context: { used: last === undefined ? 0 : sumSent(last) + last.output, window },
    }),
    ...(sent > 0 && { cacheShare: usage.cacheRead / sent }),
    ...(state.cost > 0 && { cost: state.cost }),
    ...(state.since !== undefined && { since: state.since }),
    background: state.backgroundCount,
    queued: state.posted.length + submitted.waiting.length,
    compactions: counters.compactions,
    ...(state.title !== undefined && { title: state.title }),
    ...(profile !== DEFAULT_PROFILE && { profile }),
    yolo: session?.allowAll !== undefined,
  };
}
const sumSent = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

/** What only the store knows, read again when a turn has ended. Where it cannot be read, the bar stays as it was: it must not end the program. */
export const refreshStatus = (face: Face): Promise<void> => readStatus(face).catch(() => {});

async function readStatus(face: Face): Promise<void> {
  const { opened, state, stage } = face;
  const session = opened?.conversation.session;
  if (opened === undefined || session === undefined) return;
  const { id } = session.session;
  const { store } = opened.backend.host;
  const [spent, [stored], running] = await Promise.all([store.spent(id), store.find(id), opened.backend.countBackground(id)]);
  Object.assign(state, { cost: spent.price, title: stored?.title, backgroundCount: running });
  showTitle(face);
  stage.invalidate('stream');
}

/** What a stored session took of the window and of the cache when it was left. */
export async function readStoredUsage({ opened, state, stage }: Face, session: Session): Promise<void> {
  const store = opened?.backend.host.store;
  if (store === undefined) return;
  const [spent, last] = await Promise.all([store.spent(session.id), findLastUsage(session, store)]);
  state.stored = { usage: spent.usage, ...(last !== undefined && { last }) };
  stage.invalidate('stream');
}
/** Of its last call; a branch without one takes as much of the window as its parent. */
async function findLastUsage({ id, updatedAt, parent }: Session, store: SessionStore): Promise<Usage | undefined> {
  const calls = await store.calls({ sessionId: id, since: updatedAt - RECENT_MS });
  const last = calls.findLast(({ purpose, usage }) => purpose === undefined && sumSent(usage) > 0)?.usage;
  if (last !== undefined || parent?.kind !== 'branch') return last;
  const [from] = await store.find(parent.sessionId);
  return from === undefined ? undefined : findLastUsage(from, store);
}
/** A call began at most so long before the session was written to last. */
const RECENT_MS = 3_600_000;
