import type { TurnRunner } from '../../../agent/turn-runner.ts';
import { isUsageError, toErrorMessage } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { AnyCommand, CommandContext, CommandFollowUp } from '../../../contracts/command.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { CommandLineResult, CompletedCommand, Host, SessionHandle } from '../../../contracts/host.ts';

/** What the screen is told of commands. */
export interface CommandHandlers {
  event(event: AgentEvent): void;
  /** A line is a command, which is about to run or is refused. */
  typed(line: string): void;
  /** A command is running and can be stopped, with something it wrote meanwhile; without a line it is over. */
  running(stop: AbortController, line?: string, note?: string): void;
  /** What a command gave; `isShown` when entries that it added have told it already. */
  completed(command: CompletedCommand, isShown: boolean): Promise<void> | void;
  notice(text: string): void;
  problem(text: string): void;
}

/** The session that is open, and what runs its turns. */
export interface CurrentConversation {
  readonly session: SessionHandle;
  readonly turns: TurnRunner;
}

export interface CommandRunnerDeps {
  readonly host: Pick<Host, 'commands'>;
  readonly handlers: CommandHandlers;
  context(command: AnyCommand): Partial<CommandContext>;
  current(): CurrentConversation | undefined;
  /** The one that is open, else a new one. */
  use(): Promise<CurrentConversation>;
  obey(step: CommandFollowUp): Promise<void>;
}

/** Runs a line that begins with a slash; `false` for words that are no command. One that fails is told: it was a command all the same. */
export function createCommandRunner({ host, handlers, context, current, use, obey }: CommandRunnerDeps) {
  return runCommand;

  async function runCommand(line: string): Promise<boolean> {
    using report = createCommandReport(line, handlers);
    try {
      const open = current();
      const result = await host.commands.run(line, {
        place: 'terminal',
        busy: open?.turns.busy ?? false,
        context: (command) => (report.start(), { ...context(command), signal: report.signal, report: report.progress }),
        ...(open !== undefined && { session: open.session }),
        begin: async () => (await use()).session,
      });
      await finish(result, line, report);
      return result.type !== 'text';
    } catch (error) {
      report.typed();
      handlers.problem(isUsageError(error) ? error.message : `The command failed: ${toErrorMessage(error)}`);
      return true;
    }
  }
  async function finish(result: CommandLineResult, line: string, report: CommandReport): Promise<void> {
    if (result.type === 'unknown' || result.type === 'refused') {
      report.typed();
      handlers.problem(result.words);
    }
    if (result.type === 'queue') {
      handlers.notice(`${line.trim()} runs when the turn is over.`);
      void current()
        ?.turns.idle()
        .then(() => runCommand(line));
    }
    if (result.type === 'done') {
      await handlers.completed(result, report.hasEntries);
      if (result.followUp !== undefined) await obey(result.followUp);
    }
  }
}

/** What is on the screen of a command so far. */
interface CommandReport extends Disposable {
  readonly signal: AbortSignal;
  /** The line is shown as it was typed, once it is known to be a command. */
  typed(): void;
  start(): void;
  progress(progress: unknown): void;
  readonly hasEntries: boolean;
}

/** What commands report that work on the log: undo, compress. */
const REPORTED: ReadonlySet<unknown> = new Set(['entry', 'compacting', 'compacted', 'settled'] satisfies AgentEvent['type'][]);
const isAgentEvent = (progress: unknown): progress is AgentEvent => isObject(progress) && REPORTED.has(progress['type']);

const isProgress = (progress: unknown): progress is { readonly note: string } =>
  isObject(progress) && progress['type'] === 'tool_progress' && typeof progress['note'] === 'string';

function createCommandReport(line: string, { event, typed, running }: CommandHandlers): CommandReport {
  const stop = new AbortController();
  let [isTyped, hasEntries] = [false, false];
  const show = (): void => {
    if (!isTyped) typed(line);
    isTyped = true;
  };
  return {
    signal: stop.signal,
    typed: show,
    start: () => {
      show();
      running(stop, line);
    },
    progress: (progress) => {
      if (isProgress(progress)) running(stop, line, progress.note);
      if (!isAgentEvent(progress)) return;
      hasEntries ||= progress.type === 'entry';
      event(progress);
    },
    get hasEntries() {
      return hasEntries;
    },
    [Symbol.dispose]: () => running(stop),
  };
}
