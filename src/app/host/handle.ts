import { existsSync } from 'node:fs';
import { turnedAway } from '../../agent/agent.ts';
import type { HostedSession } from '../../agent/hosted-session.ts';
import { dismissMessage } from '../../agent/inbox.ts';
import { nameSession } from '../../agent/naming.ts';
import type { BoundedPool, PoolSlot } from '../../base/bounded-pool.ts';
import { systemClock } from '../../base/clock.ts';
import type { NoticeBoard } from '../../base/notice-board.ts';
import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import type { AttachedText, ModelSelection, Notice, OpenSession } from '../../contracts/host.ts';
import type { Text } from '../../contracts/message.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { RewindResult } from '../../contracts/rewind.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Session } from '../../contracts/session-store.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { messageContent } from '../../parts/skills/message-content.ts';
import type { Route, SharedParts } from '../tools/home-parts.ts';
import type { SessionAgent } from './agent.ts';
import { titleModel } from './side-models.ts';

/** What a session needs of the host it is opened by. */
export interface HostServices {
  /** What all sessions share, with what the registries hold at this moment. */
  readonly shared: () => Promise<SharedParts>;
  readonly secrets: Secrets;
  readonly pool: BoundedPool;
  readonly board: NoticeBoard<Notice>;
  /** The owner's servers, connected for the first session that asks. */
  readonly mcp: (cwd: string) => Promise<Mcp>;
  /** Those that are open, and those that are about to be, so that they can be closed with the host. */
  readonly sessions: Set<AsyncDisposable>;
  readonly opening: Set<Promise<unknown>>;
  /** Aborted when the host is closed: no session is opened from then on. */
  readonly closed: AbortSignal;
}

/** What is known of a session before its agent is opened. */
export interface SessionStart {
  readonly session: Session;
  readonly resumed: boolean;
  /** The prompt it goes on with. */
  readonly epoch: PromptEpoch | undefined;
  readonly route: Route;
  readonly cwd: string;
  readonly mcp: Mcp;
  /** What sessions share, as the registries stood when it was opened. */
  readonly shared: SharedParts;
}

/** A session with the slot its agent has in the pool. */
export interface AttachedSession extends HostedSession {
  readonly slot: PoolSlot<SessionAgent>;
  /** Where its calls go from the next turn on. */
  route: Route;
  setModel(selection: ModelSelection): Promise<Runtime>;
}

/** What a face holds of a session. */
export function handleOf(
  { secrets, sessions, board }: HostServices,
  { session, resumed, shared }: SessionStart,
  hosted: AttachedSession,
): OpenSession {
  const { store } = shared;
  const naming = nameSession({ store, clock: systemClock, complete: () => titleModel(shared, hosted.route) }, session);
  const whileOpen =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      hosted.mustBeOpen();
      return work(...args);
    };
  async function attach(given: AttachedText): Promise<Text> {
    const { attachText } = await import('../../parts/tools/attached-text.ts');
    const { spillTo } = await import('../../parts/tools/budget.ts');
    return attachText(
      given,
      session.id,
      spillTo(shared.home.spill, shared.config.settings, () => hosted.route.runtime.limits.window),
    );
  }
  const handle: OpenSession = {
    get session() {
      const { model, provider } = hosted.route.runtime;
      return { ...session, model, provider };
    },
    resumed,
    get runtime() {
      return hosted.route.runtime;
    },
    message: whileOpen(async (words, attached) => ({
      role: 'user',
      content: [
        ...(await messageContent(words, session.id, shared)),
        ...(attached === undefined ? [] : [await attach({ ...attached, text: secrets.redact(attached.text) })]),
      ],
    })),
    send: (message, signal, more) =>
      naming.follow(hosted.events(signal, { run: (agent, stop) => agent.send(session, message, stop, more), turnedAway })),
    resume: (signal) =>
      naming.follow<Outcome | undefined>(hosted.events(signal, { run: (agent, stop) => agent.resume(session, stop), turnedAway })),
    compact: (signal, focus) =>
      hosted.events(signal, { run: (agent, stop) => agent.compact(session, stop, focus), turnedAway: () => givesOnly(false) }),
    tidy: (signal) =>
      hosted.events(signal, { run: (agent, stop) => agent.tidy(session, stop), turnedAway: () => givesOnly(false), isPatient: false }),
    post: whileOpen((item) => store.post({ ...item, sessionId: session.id })),
    dismiss: whileOpen((itemId, fate) => dismissMessage(store, session.id, itemId, fate)),
    rewind: (target, signal) =>
      hosted.events<RewindResult>(signal, {
        run: (agent, stop) => agent.rewind(session, target, stop),
        turnedAway: () => givesOnly({ ok: false, why: 'it was told to stop before there was room for the session' }),
      }),
    branch: whileOpen(async (more = {}) => {
      const { branchAt } = await import('../../agent/branch.ts');
      return secrets.redactAll(await branchAt(store, session.id, secrets.redactAll(more)));
    }),
    end: (reason, signal = NEVER) =>
      hosted.finish(signal, {
        run: (agent, stop) => agent.end(session, reason, stop),
        turnedAway: () => givesOnly(false),
        isPatient: false,
      }),
    setModel: whileOpen(hosted.setModel),
    [Symbol.asyncDispose]: async () => {
      sessions.delete(handle);
      await naming[Symbol.asyncDispose]();
      await hosted[Symbol.asyncDispose]();
      const words = await leftBehind(session, shared);
      if (words !== undefined) board.tell({ sessionId: session.id, text: secrets.redact(words) });
    },
  };
  return handle;
}

/** No events, and this in the end. */
// oxlint-disable-next-line require-yield -- it has nothing to tell
async function* givesOnly<Result>(result: Result): AsyncGenerator<AgentEvent, Result> {
  return result;
}
const NEVER = new AbortController().signal;

/** What goes on when a session is closed. Only a home that ever had such a process is asked. */
async function leftBehind({ id }: Session, shared: SharedParts): Promise<string | undefined> {
  if (!existsSync(shared.home.processes)) return undefined;
  const [{ leftRunning }, { survivorsOf }] = await Promise.all([
    import('../../parts/tools/builtin/terminal/survivors.ts'),
    import('../tools/processes.ts'),
  ]);
  return leftRunning(id, survivorsOf(shared)).catch(() => undefined);
}
