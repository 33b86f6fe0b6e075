import { settleUnstartedTurn } from '../../agent/agent.ts';
import { dismissMessage } from '../../agent/inbox.ts';
import { runOwnCall } from '../../agent/own-command.ts';
import { createSessionNaming, type SessionNaming } from '../../agent/naming.ts';
import { createQuietNudge, type QuietNudge } from '../../agent/quiet-nudge.ts';
import { systemClock } from '../../base/clock.ts';
import type { AsideResult, OwnCommandResult } from '../../contracts/aside.ts';
import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import type { MessageAttachment, SessionHandle } from '../../contracts/host.ts';
import type { ImageBlock, TextBlock } from '../../contracts/message.ts';
import type { RewindResult } from '../../contracts/rewind.ts';
import type { Session } from '../../contracts/session-store.ts';
import { expandMessage } from '../../parts/skills/message-content.ts';
import { type AttachedSession, type HostServices, type SessionStart, findSessionLeftovers } from './session-start.ts';
import { findTitleModel } from './side-models.ts';

/** What a face holds of a session. */
export function createSessionHandle(host: HostServices, start: SessionStart, hosted: AttachedSession): SessionHandle {
  const { session, resumed, shared, ownServers, hasAllowance } = start;
  const { store } = shared;
  const { secrets, sessions, board } = host;
  const openedAt = systemClock.now();
  const naming = createSessionNaming(
    { store, clock: systemClock, complete: () => (hasAllowance ? undefined : findTitleModel(shared, hosted.route)) },
    session,
  );
  const quiet = createQuietNudge({
    clock: systemClock,
    interval: shared.config.settings['memory.nudge_interval'],
    nudge: (signal) =>
      hosted.finish<void>(signal, {
        run: (agent, stop) => agent.nudge(session, stop),
        turnedAway: () => givesOnly(undefined),
        isPatient: false,
      }),
  });
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
    ...withoutNudge(turnsOf(session, hosted, naming, quiet), quiet),
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
    use: async (work, signal) => {
      hosted.mustBeOpen();
      const opened = await hosted.slot.acquire({ signal });
      if (opened === undefined) throw new Error(STOPPED_WAITING);
      try {
        return await work({
          terminal: opened.terminal,
          call: async (name, input, stop) =>
            readResult(runOwnCall(await opened.toolkitFor(name), { sessionId: session.id, name, input, signal: stop })),
        });
      } finally {
        hosted.slot.release();
      }
    },
    [Symbol.asyncDispose]: async () => {
      sessions.delete(handle);
      shared.memory?.detach(session.id);
      await quiet[Symbol.asyncDispose]();
      await naming[Symbol.asyncDispose]();
      const endLeftovers = await findSessionLeftovers(session, shared, openedAt).catch(() => async () => undefined);
      await hosted[Symbol.asyncDispose]();
      await ownServers?.[Symbol.asyncDispose]();
      const words = await endLeftovers();
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
type SessionTurns = Pick<SessionHandle, 'send' | 'resume' | 'compact' | 'tidy' | 'rewind' | 'end' | 'flush'>;
const turnsOf = (session: Session, hosted: AttachedSession, naming: SessionNaming, quiet: QuietNudge): SessionTurns => ({
  send: (message, signal, more) =>
    quiet.follow(
      naming.follow(
        hosted.events(signal, { run: (agent, stop) => agent.send(session, message, stop, more), turnedAway: settleUnstartedTurn }),
      ),
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

/** A question about memory that runs in a quiet moment would keep the others from the session. */
function withoutNudge(turns: SessionTurns, quiet: QuietNudge): SessionTurns {
  const first = async function* <Result>(events: () => AsyncGenerator<AgentEvent, Result>): AsyncGenerator<AgentEvent, Result> {
    await quiet.stop();
    return yield* events();
  };
  return {
    send: (...given) => first(() => turns.send(...given)),
    resume: (...given) => first(() => turns.resume(...given)),
    compact: (...given) => first(() => turns.compact(...given)),
    tidy: (...given) => first(() => turns.tidy(...given)),
    rewind: (...given) => first(() => turns.rewind(...given)),
    end: async (...given) => (await quiet.stop(), turns.end(...given)),
    flush: async (...given) => (await quiet.stop(), turns.flush(...given)),
  };
}

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
/** What a call gives in the end; nobody looks on meanwhile. */
async function readResult(events: AsyncGenerator<AgentEvent, OwnCommandResult>): Promise<OwnCommandResult> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return value;
  }
}
const STOPPED_WAITING = 'it was stopped while it waited for a free session';

/** No events, and this in the end. */
// oxlint-disable-next-line require-yield -- it has nothing to tell
async function* givesOnly<Result>(result: Result | Promise<Result>): AsyncGenerator<AgentEvent, Result> {
  return result;
}
const NEVER = new AbortController().signal;
