import { RequestError, type StopReason } from '@agentclientprotocol/sdk';
import { isUsageError } from '../../../base/errors.ts';
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
/** What the person sends to one session, one turn at a time. */
export interface Prompts {
  /** Runs a message or a command to its end. A message during a turn joins that turn and ends with it. */
  send(content: PromptContent, signal: AbortSignal): Promise<StopReason>;
  /** Stops the turn that runs. */
  cancel(): void;
  /** Stops it, and waits until that is stored. */
  stop(): Promise<void>;
}

export function createPrompts(deps: PromptsDeps): Prompts {
  const { host, handle, say, confirm } = deps;
  const turns = createTurns(deps);

  async function sendMessage(content: PromptContent, signal: AbortSignal): Promise<StopReason> {
    const message = await explain(() => toMessage(handle, content));
    const { overlay } = content;
    const running = await turns.unstopped();
    if (running === undefined) return turns.start((stop) => handle.send(message, stop, overlay.length > 0 ? { overlay } : {}), signal);
    await handle.post({ content: message.content, mode: 'steer', ...(overlay.length > 0 && { overlay }) });
    return running.over;
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
  async function follow(step: CommandFollowUp | undefined, signal: AbortSignal): Promise<StopReason> {
    if (step?.type === 'send') return turns.start((stop) => handle.send(step.message, stop), signal);
    if (step?.type === 'resume') return (await turns.unstopped())?.over ?? turns.start((stop) => handle.resume(stop), signal);
    if (step?.type === 'stop') turns.abort('interrupted');
    say(describeFollowUp(step));
    return 'end_turn';
  }
  async function send(content: PromptContent, signal: AbortSignal): Promise<StopReason> {
    const result = await runLine(content.words, signal);
    if (result.type === 'text') return sendMessage(content, signal);
    if (result.type === 'queue') {
      await turns.over();
      return send(content, signal);
    }
    if (result.type !== 'done') say(result.words);
    else say([result.text, ...result.notices].filter((words) => words !== '').join('\n\n'));
    return follow(result.type === 'done' ? result.followUp : undefined, signal);
  }
  return {
    send,
    cancel: () => turns.abort('interrupted'),
    stop: async () => {
      turns.abort('terminated');
      await turns.over();
    },
  };
}

type RunTurns = (signal: AbortSignal) => AsyncGenerator<AgentEvent, Outcome | undefined>;

/** The turn of a session that runs, if one does. */
function createTurns({ host, handle, show }: Pick<PromptsDeps, 'host' | 'handle' | 'show'>) {
  let running: { readonly stop: AbortController; readonly over: Promise<StopReason> } | undefined;
  const over = async (): Promise<void> => void (await running?.over.catch(() => {}));

  async function run(turns: RunTurns, signal: AbortSignal): Promise<StopReason> {
    let outcome = await drain(turns(signal), show);
    // What was left for the session meanwhile is answered before the prompt ends.
    while (!signal.aborted && (await host.store.waiting(handle.session.id)).length > 0) outcome = await drain(handle.resume(signal), show);
    return outcome === undefined ? 'end_turn' : toStopReason(outcome);
  }
  return {
    isRunning: () => running !== undefined,
    over,
    abort: (reason: 'interrupted' | 'terminated') => running?.stop.abort(reason),
    /** The turn that runs. One that is being stopped is waited for: what comes now opens the next. */
    unstopped: async (): Promise<{ readonly over: Promise<StopReason> } | undefined> => {
      while (running?.stop.signal.aborted === true) await over();
      return running;
    },
    start: (turns: RunTurns, signal: AbortSignal): Promise<StopReason> => {
      const stop = new AbortController();
      const ended = run(turns, AbortSignal.any([stop.signal, signal])).finally(() => (running = undefined));
      running = { stop, over: ended };
      return ended;
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
