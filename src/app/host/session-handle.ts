import { settleUnstartedTurn } from '../../agent/agent.ts';
import { dismissMessage } from '../../agent/inbox.ts';
import { createSessionNaming, type SessionNaming } from '../../agent/naming.ts';
import { systemClock } from '../../base/clock.ts';
import type { AsideResult, OwnCommandResult } from '../../contracts/aside.ts';
import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import type { MessageAttachment, SessionHandle } from '../../contracts/host.ts';
import type { ImageBlock, TextBlock } from '../../contracts/message.ts';
import type { RewindResult } from '../../contracts/rewind.ts';
import type { Session } from '../../contracts/session-store.ts';
import { expandMessage } from '../../parts/skills/message-content.ts';
import { type AttachedSession, type HostServices, type SessionStart, endSessionLeftovers } from './session-start.ts';
import { findTitleModel } from './side-models.ts';

/** What a face holds of a session. */
export function createSessionHandle(host: HostServices, start: SessionStart, hosted: AttachedSession): SessionHandle {
  const { session, resumed, shared, ownServers } = start;
  const { store } = shared;
  const { secrets, sessions, board } = host;
  const openedAt = systemClock.now();
  const naming = createSessionNaming({ store, clock: systemClock, complete: () => findTitleModel(shared, hosted.route) }, session);
  const whileOpen =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      hosted.mustBeOpen();
      return work(...args);
    };
  const handle: SessionHandle = {
    get session() {
      const { model, provider } = hosted.route.runtime;
      return { ...session, model, provider };
    },
    resumed,
    get runtime() {
      return hosted.route.runtime;
    },
    get allowAll() {
      return hosted.allowAll;
    },
    setAllowAll: (by) => {
      hosted.mustBeOpen();
      hosted.allowAll = by;
    },
    ...turnsOf(session, hosted, naming),
    ...besideTurns(session, hosted),
    message: whileOpen(async (words, attached = []) => ({
      role: 'user',
      content: [
        ...(await expandMessage(words, session.id, shared)),
        ...(await Promise.all(attached.map((given) => attach(given, host, start, hosted)))),
      ],
    })),
    post: whileOpen((item) => store.post({ ...item, sessionId: session.id })),
    dismiss: whileOpen((itemId, fate) => dismissMessage(store, session.id, itemId, fate)),
    branch: whileOpen(async (more = {}) => {
      const { branchAt } = await import('../../agent/branch.ts');
      return secrets.redactAll(await branchAt(store, session.id, secrets.redactAll(more)));
    }),
    setModel: whileOpen(hosted.setModel),
    [Symbol.asyncDispose]: async () => {
      sessions.delete(handle);
      await naming[Symbol.asyncDispose]();
      await hosted[Symbol.asyncDispose]();
      await ownServers?.[Symbol.asyncDispose]();
      const words = await endSessionLeftovers(session, shared, openedAt);
      if (words !== undefined) board.tell({ sessionId: session.id, text: secrets.redact(words) });
    },
  };
  return handle;
}

/** What comes with a message and is not the owner's own: an image as it is, a long text as a file with its beginning. */
async function attach(
  given: MessageAttachment,
  { secrets }: HostServices,
  { session, shared }: SessionStart,
  hosted: AttachedSession,
): Promise<TextBlock | ImageBlock> {
  if ('data' in given) return { ...given, trust: 'foreign' };
  const { attachText } = await import('../../parts/tools/attached-text.ts');
  const { spillTo } = await import('../../parts/tools/budget.ts');
  const spill = spillTo(shared.home.spill, shared.config.settings, () => hosted.route.runtime.limits.window);
  return attachText({ ...given, text: secrets.redact(given.text) }, session.id, spill);
}

/** What writes the log: one at a time. */
const turnsOf = (
  session: Session,
  hosted: AttachedSession,
  naming: SessionNaming,
): Pick<SessionHandle, 'send' | 'resume' | 'compact' | 'tidy' | 'rewind' | 'end' | 'flush'> => ({
  send: (message, signal, more) =>
    naming.follow(
      hosted.events(signal, { run: (agent, stop) => agent.send(session, message, stop, more), turnedAway: settleUnstartedTurn }),
    ),
  resume: (signal) =>
    naming.follow<Outcome | undefined>(
      hosted.events(signal, { run: (agent, stop) => agent.resume(session, stop), turnedAway: settleUnstartedTurn }),
    ),
  compact: (signal, focus) =>
    hosted.events(signal, { run: (agent, stop) => agent.compact(session, stop, focus), turnedAway: () => givesOnly(false) }),
  tidy: (signal) =>
    hosted.events(signal, { run: (agent, stop) => agent.tidy(session, stop), turnedAway: () => givesOnly(false), isPatient: false }),
  rewind: (target, signal) =>
    hosted.events<RewindResult>(signal, {
      run: (agent, stop) => agent.rewind(session, target, stop),
      turnedAway: () => givesOnly({ ok: false, why: STOPPED_WAITING }),
    }),
  flush: (signal = NEVER) =>
    hosted.finish(signal, { run: (agent, stop) => agent.flush(session, stop), turnedAway: () => givesOnly(false), isPatient: false }),
  end: (reason, signal = NEVER) =>
    hosted.finish(signal, {
      run: (agent, stop) => agent.end(session, reason, stop),
      turnedAway: () => givesOnly(false),
      isPatient: false,
    }),
});

/** What needs the agent and leaves the log as it is. */
const besideTurns = (session: Session, hosted: AttachedSession): Pick<SessionHandle, 'measure' | 'aside' | 'shell'> => ({
  measure: () =>
    hosted.finish(NEVER, {
      run: (agent) => givesOnly(agent.measure(session)),
      turnedAway: () => givesOnly(Promise.reject(new Error(`session ${session.id} was closed before it could be measured.`))),
    }),
  aside: (question, signal) =>
    hosted.events<AsideResult>(signal, {
      run: (agent, stop) => agent.aside(session, question, stop),
      turnedAway: () => givesOnly({ ok: false, why: STOPPED_WAITING }),
    }),
  shell: (command, signal) =>
    hosted.events<OwnCommandResult>(signal, {
      run: (agent, stop) => agent.shell(session, command, stop),
      turnedAway: () => givesOnly({ ok: false, output: STOPPED_WAITING }),
    }),
});
const STOPPED_WAITING = 'it was stopped while it waited for a free session';

/** No events, and this in the end. */
// oxlint-disable-next-line require-yield -- it has nothing to tell
async function* givesOnly<Result>(result: Result | Promise<Result>): AsyncGenerator<AgentEvent, Result> {
  return result;
}
const NEVER = new AbortController().signal;
