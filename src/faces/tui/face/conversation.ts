import { leaveSession } from '../../../agent/leave-session.ts';
import { createTurnRunner, type TurnRunner } from '../../../agent/turn-runner.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { AnyCommand, CommandContext, CommandFollowUp } from '../../../contracts/command.ts';
import type { Host, ModelSelection, SessionHandle, SessionOptions } from '../../../contracts/host.ts';
import type { ImageBlock, UserMessage } from '../../../contracts/message.ts';
import type { InboxMode, Session } from '../../../contracts/session-store.ts';
import { createCommandRunner, type CommandHandlers, type CurrentConversation } from './command-runner.ts';

/** What the screen is told of a conversation. */
export interface ConversationHandlers extends CommandHandlers {
  busy(busy: boolean): void;
  /** A session is in use from here on: a new one, or a stored one that goes on; `left` is the id of the one before it. */
  opened(session: SessionHandle, left: string | undefined): Promise<void> | void;
  /** A message waits for the turn that runs. */
  posted(itemId: string, words: string, mode: InboxMode, images: readonly ImageBlock[]): void;
  /** What only the screen can do. */
  followUp(step: CommandFollowUp): Promise<void> | void;
}

export interface ConversationDeps {
  readonly host: Host;
  /** What every session is opened with, its ports included. */
  readonly options: SessionOptions;
  readonly handlers: ConversationHandlers;
  /** What the screen does for a command: its questions, its signal. */
  context(command: AnyCommand): Partial<CommandContext>;
}

/** The session a person talks to, opened with the first message. Another takes its place when a command says so. */
export interface Conversation extends AsyncDisposable {
  readonly session: SessionHandle | undefined;
  readonly busy: boolean;
  /** Goes on with a stored session, or opens the first. */
  open(session?: Session): Promise<SessionHandle>;
  /** Sends a message: as a turn, or as `mode` says while one runs. */
  send(make: (session: SessionHandle) => Promise<UserMessage>, words: string, mode: InboxMode): Promise<void>;
  /** Runs a line that begins with a slash; words that are no command are given back as `false`. */
  command(line: string): Promise<boolean>;
  /** Stops the turn that runs. What waits keeps waiting. */
  stop(): void;
  /** Answers what waits. */
  goOn(): void;
  /** Stops the turn that runs for good, and waits until its last words are told. */
  end(): Promise<void>;
}

export function createConversation({ host, options, handlers, context }: ConversationDeps): Conversation {
  let current: CurrentConversation | undefined;
  let title: string | undefined;
  const closing = new AbortController();
  void followHost(host, closing.signal, {
    notice: handlers.notice,
    posted: (sessionId) => {
      if (current?.session.session.id === sessionId && !current.turns.busy) current.turns.resume();
    },
  });

  async function open(stored?: Session): Promise<SessionHandle> {
    const left = current?.session.session.id;
    const model = keepModel(stored, current?.session, options);
    await leave();
    const session = await host.openSession({
      ...options,
      model,
      ...(stored && { session: stored }),
      ...(title !== undefined && { title }),
    });
    title = undefined;
    const turns = runTurns(session, handlers);
    current = { session, turns };
    await handlers.opened(session, left);
    // A turn that was cut off goes on by itself, and what waited is answered.
    if (stored !== undefined && (stored.unfinished || (await host.store.waiting(stored.id)).length > 0)) turns.resume();
    return session;
  }
  async function leave(): Promise<void> {
    const left = current;
    current = undefined;
    await left?.turns[Symbol.asyncDispose]();
    if (left !== undefined) await leaveSession(left.session);
    await left?.session[Symbol.asyncDispose]();
  }
  async function use(): Promise<CurrentConversation> {
    if (current === undefined) await open();
    if (current === undefined) throw new Error('the session was closed while it was being opened.');
    return current;
  }
  async function obey(step: CommandFollowUp): Promise<void> {
    if (step.type === 'open') await open(step.session);
    else if (step.type === 'new') {
      await leave();
      title = step.title;
      await handlers.followUp(step);
    } else if (step.type === 'send') await (await use()).turns.send(step.message);
    else if (step.type === 'resume') (await use()).turns.resume();
    else if (step.type === 'stop') current?.turns.stop();
    else await handlers.followUp(step);
  }
  return {
    get session() {
      return current?.session;
    },
    get busy() {
      return current?.turns.busy ?? false;
    },
    open,
    send: async (make, words, mode) => {
      const { session, turns } = await use();
      const message = await make(session);
      const id = await turns.send(message, mode);
      if (id !== undefined)
        handlers.posted(
          id,
          words,
          mode,
          message.content.filter((part) => part.type === 'image'),
        );
    },
    command: createCommandRunner({ host, handlers, context, current: () => current, use, obey }),
    stop: () => current?.turns.stop({ leaveWaiting: true }),
    goOn: () => current?.turns.resume(),
    end: async () => current?.turns[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await leave();
      closing.abort();
    },
  };
}

/** The same session opened anew, or a copy of it, keeps the model that was chosen for it, also before its next turn. */
function keepModel(stored: Session | undefined, before: SessionHandle | undefined, { model = {} }: SessionOptions): ModelSelection {
  if (stored === undefined || before === undefined) return model;
  const { id } = before.session;
  const { model: name, provider } = before.runtime;
  return stored.id === id || stored.parent?.sessionId === id ? { ...model, model: name, provider } : model;
}

const runTurns = (session: SessionHandle, { event, problem, busy }: ConversationHandlers): TurnRunner =>
  createTurnRunner(session, { event, error: (error) => problem(toErrorMessage(error)), busy });

interface HostFollower {
  notice(text: string): void;
  posted(sessionId: string): void;
}
/** What is left for a session between turns (a process that ended, another program) is answered; notices are shown. */
async function followHost(host: Host, signal: AbortSignal, { notice, posted }: HostFollower): Promise<void> {
  const noticing = (async () => {
    for await (const { text } of host.notices(signal)) notice(text);
  })();
  for await (const { sessionId } of host.posted(signal)) posted(sessionId);
  await noticing;
}
