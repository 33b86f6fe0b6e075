import { createTurnRunner, type TurnRunner } from '../../../agent/turn-runner.ts';
import { isUsageError, toErrorMessage } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { AnyCommand, CommandContext, CommandFollowUp } from '../../../contracts/command.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { CompletedCommand, Host, ModelSelection, SessionHandle, SessionOptions } from '../../../contracts/host.ts';
import type { UserMessage } from '../../../contracts/message.ts';
import type { InboxMode, Session } from '../../../contracts/session-store.ts';

/** What the screen is told of a conversation. */
export interface ConversationHandlers {
  event(event: AgentEvent): void;
  busy(busy: boolean): void;
  /** A session is in use from here on: a new one, or a stored one that goes on; `left` is the id of the one before it. */
  opened(session: SessionHandle, left: string | undefined): Promise<void> | void;
  /** A message waits for the turn that runs. */
  posted(itemId: string, words: string, mode: InboxMode): void;
  /** A line is a command, which is about to run or is refused. */
  typed(line: string): void;
  /** A command is running and can be stopped, with something it wrote meanwhile; without one it is over. */
  running(stop: AbortController, line?: string, note?: string): void;
  /** What a command gave; `isShown` when entries that it added have told it already. */
  completed(command: CompletedCommand, isShown: boolean): Promise<void> | void;
  notice(text: string): void;
  problem(text: string): void;
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
  stop(): void;
}

export function createConversation({ host, options, handlers, context }: ConversationDeps): Conversation {
  let current: { readonly session: SessionHandle; readonly turns: TurnRunner } | undefined;
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
    await left?.session[Symbol.asyncDispose]();
  }
  async function use(): Promise<NonNullable<typeof current>> {
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
  async function runCommand(line: string, shown: ShownCommand): Promise<boolean> {
    const outcome = await host.commands.run(line, {
      place: 'terminal',
      busy: current?.turns.busy ?? false,
      context: (command) => (shown.start(), { ...context(command), signal: shown.signal, report: shown.report }),
      ...(current !== undefined && { session: current.session }),
      begin: async () => (await use()).session,
    });
    if (outcome.type === 'text') return false;
    if (outcome.type === 'unknown' || outcome.type === 'refused') {
      shown.show();
      handlers.problem(outcome.words);
    }
    if (outcome.type === 'queue') {
      handlers.notice(`${line.trim()} runs when the turn is over.`);
      void current?.turns.idle().then(() => conversation.command(line));
    }
    if (outcome.type === 'done') {
      await handlers.completed(outcome, shown.hasEntries);
      if (outcome.followUp !== undefined) await obey(outcome.followUp);
    }
    return true;
  }
  const conversation: Conversation = {
    get session() {
      return current?.session;
    },
    get busy() {
      return current?.turns.busy ?? false;
    },
    open,
    send: async (make, words, mode) => {
      const { session, turns } = await use();
      const id = await turns.send(await make(session), mode);
      if (id !== undefined) handlers.posted(id, words, mode);
    },
    command: (line) => tellCommand(line, runCommand, handlers),
    stop: () => current?.turns.stop(),
    [Symbol.asyncDispose]: async () => {
      await leave();
      closing.abort();
    },
  };
  return conversation;
}

/** What commands report that work on the log: undo, compress. */
const REPORTED: ReadonlySet<unknown> = new Set(['entry', 'compacting', 'compacted', 'settled'] satisfies AgentEvent['type'][]);
const isAgentEvent = (progress: unknown): progress is AgentEvent => isObject(progress) && REPORTED.has(progress['type']);
const isProgress = (progress: unknown): progress is { readonly note: string } =>
  isObject(progress) && progress['type'] === 'tool_progress' && typeof progress['note'] === 'string';

/** A command on the screen: as it was typed, while it runs, and what it reports. */
interface ShownCommand extends Disposable {
  readonly signal: AbortSignal;
  /** Whether entries of the log are on the screen that say what it did. */
  readonly hasEntries: boolean;
  show(): void;
  start(): void;
  report(progress: unknown): void;
}
function showCommand(line: string, { typed, running, event }: ConversationHandlers): ShownCommand {
  const stop = new AbortController();
  let [isShown, hasEntries] = [false, false];
  const show = (): void => {
    if (!isShown) typed(line);
    isShown = true;
  };
  return {
    signal: stop.signal,
    get hasEntries() {
      return hasEntries;
    },
    show,
    start: () => {
      show();
      running(stop, line);
    },
    report: (progress) => {
      if (isProgress(progress)) running(stop, line, progress.note);
      if (!isAgentEvent(progress)) return;
      hasEntries ||= progress.type === 'entry';
      event(progress);
    },
    [Symbol.dispose]: () => running(stop),
  };
}

/** A command is shown as it was typed, once it is known to be one. One that fails is told; it was a command all the same. */
async function tellCommand(
  line: string,
  run: (line: string, shown: ShownCommand) => Promise<boolean>,
  handlers: ConversationHandlers,
): Promise<boolean> {
  using shown = showCommand(line, handlers);
  try {
    return await run(line, shown);
  } catch (error) {
    shown.show();
    handlers.problem(isUsageError(error) ? error.message : `The command failed: ${toErrorMessage(error)}`);
    return true;
  }
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
