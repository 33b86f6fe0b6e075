import { RequestError, type StopReason } from '@agentclientprotocol/sdk';
import { isUsageError } from '../../../base/errors.ts';
import { createKeyedQueue } from '../../../base/keyed-queue.ts';
import type { CommandFollowUp } from '../../../contracts/command.ts';
import type { AgentEvent, Outcome } from '../../../contracts/event.ts';
import type { CommandLineResult, Host, SessionHandle } from '../../../contracts/host.ts';
import type { UserMessage } from '../../../contracts/message.ts';
import type { PromptContent } from './prompt-content.ts';
import { describeFollowUp } from './slash.ts';
import { toStopReason } from './stop-reasons.ts';

export interface PromptsDeps {
  readonly host: Host;
  readonly handle: SessionHandle;
  /** Shows an event before the next is asked for. */
  show(event: AgentEvent): void | Promise<void>;
  /** Shows words of ours. */
  say(words: string): void;
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
}
/** What the person sends to one session, in order, one turn at a time. */
export interface Prompts {
  /** Runs a message or a command to its end. A message during a turn joins that turn and ends with it. */
  send(content: PromptContent, signal: AbortSignal): Promise<StopReason>;
  /** Stops everything that was sent, begun or not. */
  cancel(): void;
  /** Stops it, and waits until that is stored. */
  stop(): Promise<void>;
}
/** A prompt that has its place: when it is over, or that it is admitted once the turn that runs is over. */
type Admitted = { readonly over: Promise<StopReason> } | 'queue';

export function createPrompts(deps: PromptsDeps): Prompts {
  const sent = new Map<AbortController, Promise<unknown>>();
  const abort = (reason: 'interrupted' | 'terminated'): void => {
    for (const stop of sent.keys()) stop.abort(reason);
  };
  const turns = createTurns(deps);
  const admit = createAdmission(deps, turns, () => abort('interrupted'));
  const inOrder = createKeyedQueue();

  async function run(content: PromptContent, signal: AbortSignal): Promise<StopReason> {
    for (;;) {
      const admitted = await inOrder('', () => admit(content, signal));
      if (admitted !== 'queue') return admitted.over;
      await turns.over();
    }
  }
  return {
    // A cancel may come while a prompt is still being read: it has a way to be stopped from the first moment.
    send: async (content, signal) => {
      const stop = new AbortController();
      const over = run(content, AbortSignal.any([stop.signal, signal])).catch((error: unknown) => {
        if (stop.signal.aborted || signal.aborted) return 'cancelled' as const;
        throw error;
      });
      sent.set(stop, over);
      try {
        return await over;
      } finally {
        sent.delete(stop);
      }
    },
    cancel: () => abort('interrupted'),
    stop: async () => {
      abort('terminated');
      await Promise.allSettled(sent.values());
    },
  };
}

/** Gives a prompt its place: a command is run, a message joins the turn that runs or opens the next. */
function createAdmission({ host, handle, say, confirm }: PromptsDeps, turns: Turns, stopAll: () => void) {
  async function admitMessage(content: PromptContent, signal: AbortSignal): Promise<Admitted> {
    const message = await explain(() => toMessage(handle, content));
    const { overlay } = content;
    const running = await turns.unstopped();
    if (running === undefined) return turns.start((stop) => handle.send(message, stop, overlay.length > 0 ? { overlay } : {}), signal);
    // What is left for a session before its turn has a first message would be answered before that one.
    await running.begun;
    await handle.post({ content: message.content, mode: 'steer', ...(overlay.length > 0 && { overlay }) });
    return running;
  }
  const runLine = (line: string, signal: AbortSignal): Promise<CommandLineResult> =>
    explain(() =>
      host.commands.run(line, {
        place: 'terminal',
        session: handle,
        busy: turns.isRunning(),
        context: () => ({ signal, confirm: (question) => confirm(question, signal) }),
      }),
    );
  async function follow(step: CommandFollowUp | undefined, signal: AbortSignal): Promise<Admitted> {
    if (step?.type === 'send') return turns.start((stop) => handle.send(step.message, stop), signal);
    if (step?.type === 'resume') return (await turns.unstopped()) ?? turns.start((stop) => handle.resume(stop), signal);
    if (step?.type === 'stop') stopAll();
    say(describeFollowUp(step));
    return { over: Promise.resolve('end_turn') };
  }
  return async (content: PromptContent, signal: AbortSignal): Promise<Admitted> => {
    if (signal.aborted) return { over: Promise.resolve('cancelled') };
    const result = await runLine(content.words, signal);
    if (result.type === 'text') return admitMessage(content, signal);
    if (result.type === 'queue') return 'queue';
    if (result.type !== 'done') say(result.words);
    else say([result.text, ...result.notices].filter((words) => words !== '').join('\n\n'));
    return follow(result.type === 'done' ? result.followUp : undefined, signal);
  };
}

type RunTurns = (signal: AbortSignal) => AsyncGenerator<AgentEvent, Outcome | undefined>;
type Turns = ReturnType<typeof createTurns>;
interface RunningTurn {
  readonly signal: AbortSignal;
  /** The message that opens it is stored. */
  readonly begun: Promise<void>;
  readonly over: Promise<StopReason>;
}

/** The turn of a session that runs, if one does. */
function createTurns({ host, handle, show }: Pick<PromptsDeps, 'host' | 'handle' | 'show'>) {
  let running: RunningTurn | undefined;
  const waitForEnd = async (): Promise<void> => void (await running?.over.catch(() => {}));

  async function run(turns: RunTurns, signal: AbortSignal, begin: () => void): Promise<StopReason> {
    const see = async (event: AgentEvent): Promise<void> => {
      if (event.type === 'entry' && event.entry.type === 'message') begin();
      await show(event);
    };
    let outcome = await drain(turns(signal), see);
    // What was left for the session meanwhile is answered before the prompt ends.
    while (!signal.aborted && (await host.store.waiting(handle.session.id)).length > 0) outcome = await drain(handle.resume(signal), show);
    return outcome === undefined ? 'end_turn' : toStopReason(outcome);
  }
  return {
    isRunning: () => running !== undefined,
    over: waitForEnd,
    /** The turn that runs. One that is being stopped is waited for: what comes now opens the next. */
    unstopped: async (): Promise<RunningTurn | undefined> => {
      while (running?.signal.aborted === true) await waitForEnd();
      return running;
    },
    start: (turns: RunTurns, signal: AbortSignal): RunningTurn => {
      const begun = Promise.withResolvers<void>();
      const over = run(turns, signal, begun.resolve).finally(() => {
        running = undefined;
        begun.resolve();
      });
      running = { signal, begun: begun.promise, over };
      return running;
    },
  };
}

async function drain(events: AsyncGenerator<AgentEvent, Outcome | undefined>, show: PromptsDeps['show']): Promise<Outcome | undefined> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return value;
    await show(value);
  }
}

/** A prompt may be a picture alone: an empty text would be refused by some providers. */
async function toMessage(handle: SessionHandle, { words, attached, media }: PromptContent): Promise<UserMessage> {
  const { content } = await handle.message(words, attached === undefined ? [] : [attached]);
  return { role: 'user', content: [...content.filter((block) => block.type !== 'text' || block.text !== ''), ...media] };
}

/** What a person can mend is told to the client as a mistake in what it sent. */
async function explain<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUsageError(error)) throw RequestError.invalidParams(undefined, error.message);
    throw error;
  }
}
