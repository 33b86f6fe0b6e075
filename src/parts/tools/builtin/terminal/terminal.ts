import { createTextBlock } from '../../../../contracts/message.ts';
import type { RunResult } from '../../../../contracts/terminal.ts';
import { ToolRefusal, type AskContext, type Tool, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import { withoutAnsi } from '../command-line/ansi.ts';
import { askConsent, findCommandObjection, type CommandConsentRequest } from '../command-line/consent.ts';
import { locate } from '../files/locate.ts';
import { isReadOnlyLine } from './reading.ts';
import { refuseSyntaxError } from './shell-syntax.ts';
import type { RefusedHosts } from '../command-line/host-consent.ts';
import type { NoticeRequest } from './process-notices.ts';
import { MAX_PROCESSES, type Processes } from './processes.ts';
import { findWayOutside, runWalled, startWalled, type WalledOptions } from './walled.ts';

export interface TerminalInput {
  readonly command: string;
  readonly background?: boolean;
  readonly timeout?: number;
  readonly workdir?: string;
  readonly pty?: boolean;
  readonly notify_on_complete?: boolean;
  readonly watch_patterns?: readonly string[];
  /** Why it is to run outside the sandbox. */
  readonly outside?: string;
}
export interface TerminalOptions extends Omit<WalledOptions, 'passwords'> {
  readonly processes: Processes;
  readonly timeoutSeconds: number;
  readonly maxTimeoutSeconds: number;
  readonly maxOutput: number;
  /** The file for the whole output of a call that is too long for its result; absent when there is no place for it. */
  readonly keepAll?: (sessionId: string, callId: string) => string;
}

type TerminalToolParts = TerminalOptions & WalledOptions & { readonly refusedHosts: RefusedHosts };

export const terminalTool = (given: TerminalOptions): Tool<TerminalInput> =>
  createTool({ ...given, passwords: new Map(), refusedHosts: { turnId: '', whys: new Map() } });

const createTool = (options: TerminalToolParts): Tool<TerminalInput> => ({
  name: 'terminal',
  description:
    'Run a shell command. The working directory, variables and options (set -e, set -x) carry over. Run servers and long jobs with background.',
  input: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      background: { type: 'boolean', description: 'Return at once with a session_id for process' },
      timeout: {
        type: 'integer',
        minimum: 1,
        description: `Seconds, default ${options.timeoutSeconds}, at most ${options.maxTimeoutSeconds}`,
      },
      workdir: { type: 'string', description: 'Directory for this command only' },
      pty: { type: 'boolean', description: 'Use a pseudo-terminal' },
      notify_on_complete: { type: 'boolean', description: 'background: notify you on exit' },
      watch_patterns: {
        type: 'array',
        items: { type: 'string' },
        description: 'background: notify you of lines with these',
      },
      outside: {
        type: 'string',
        description: 'Why it must run outside the sandbox (asks)',
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
  // What only looks may do so beside others that only look.
  effects: ({ command, background, pty }) => ({
    kind: background !== true && pty !== true && isReadOnlyLine(command) ? 'read' : 'write',
    resources: ['*'],
  }),
  runs: ['command'],
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  // The command has a deadline of its own, which ends the whole process group.
  timeoutMs: 0,
  maxResult: 100_000,
  asks: async (given, context) => {
    const input = await resolveWorkdir(given, context);
    const outside = await findWayOutside({ ...askedBy(input, context), why: input.outside }, context, options);
    const objection = outside?.find() ?? findCommandObjection(askedBy(input, context), context, options.judge);
    await refuseSyntaxError(given.command, objection, context);
    return objection;
  },
  run: async (given, context) => {
    if (given.command.trim() === '') throw new ToolRefusal('Not run: the command is empty.');
    const input = await resolveWorkdir(given, context);
    const outside = await findWayOutside({ ...askedBy(input, context), why: input.outside }, context, options);
    if (outside === undefined) await askConsent(askedBy(input, context), context, options.judge);
    const by = await outside?.ask(context);
    return input.background === true ? startInBackground(input, context, options, by) : runToItsEnd(input, context, options, by);
  },
});

const askedBy = ({ command, workdir }: TerminalInput, { terminal }: AskContext): CommandConsentRequest => ({
  tool: 'terminal',
  command,
  cwd: workdir ?? terminal.cwd,
});

/** A working folder is meant from where the shell stands, and must be there. */
async function resolveWorkdir(input: TerminalInput, context: AskContext): Promise<TerminalInput> {
  if (input.workdir === undefined || input.workdir === '') return input;
  const { path, shown } = await locate(input.workdir, context.terminal);
  const found = await context.terminal.files.stat(path).catch(() => undefined);
  if (found?.kind !== 'folder') throw new ToolRefusal(`Not run: the workdir ${shown} is not a folder.`);
  return { ...input, workdir: path };
}

/** Characters of output a script gets as a value; the file has the rest. */
const MAX_SCRIPT_OUTPUT = 50_000;

async function runToItsEnd(
  input: TerminalInput,
  context: ToolContext,
  options: TerminalToolParts,
  outsideBy: string | undefined,
): Promise<ToolOutput> {
  await refuseUnattended(input);
  const seconds = input.timeout ?? options.timeoutSeconds;
  if (seconds > options.maxTimeoutSeconds) {
    throw new ToolRefusal(
      `Not run: a foreground command may run for at most ${options.maxTimeoutSeconds} s. Start it with background: true and manage it with the process tool.`,
    );
  }
  const file = options.keepAll?.(context.sessionId, context.callId);
  const { result, notes } = await runWalled({ ...askedBy(input, context), outsideBy }, context, options, {
    signal: context.signal,
    timeoutMs: seconds * 1000,
    maxOutput: context.forScript === true ? Math.max(MAX_SCRIPT_OUTPUT, options.maxOutput) : options.maxOutput,
    ...(file !== undefined && { keepAll: file }),
    ...(input.workdir !== undefined && input.workdir !== '' && { cwd: input.workdir }),
    ...(input.pty === true && { pty: true }),
    onOutput: context.report,
    askHost: async (request) =>
      (await import('../command-line/host-consent.ts')).askAboutHost('terminal', context, input.command, options.refusedHosts)(request),
  });
  const meaning = await meaningOf(input.command, result.exitCode);
  return {
    content: [createTextBlock(render(result, seconds, meaning), 'tool')],
    notes: [
      ...notes,
      ...(await noteOnNetwork(input.command, result, context)),
      ...noteOnStale(result, context),
      ...(await noteOnHeld(input.command, result, context)),
    ],
    failed: result.ended !== 'exited',
    data: {
      text: result.output,
      exit_code: result.exitCode,
      truncated: result.omitted > 0,
      ...(result.reachedNobody === true && { reached_nobody: true }),
      ...(result.omitted > 0 && file !== undefined && { file }),
    },
    details: {
      kind: 'command',
      exitCode: result.exitCode,
      ended: result.ended,
      ...(meaning !== undefined && { meaning }),
      cwd: context.terminal.cwd,
      ...(result.omitted > 0 && { omitted: { characters: result.omitted, ...(file !== undefined && { file }) } }),
    },
  };
}

/**
 * A server or an editor in the foreground only burns its time-out and is gone afterwards; what the shell itself sends to the
 * background nobody looks after: not its output, not its end. Reading lines is loaded with the first command.
 */
async function refuseUnattended({ command, pty }: TerminalInput): Promise<void> {
  const { findEndlessCommand, findDetachedCommand } = await import('./foreground.ts');
  const endless = findEndlessCommand(command);
  if (endless !== undefined)
    throw new ToolRefusal(
      `Not run: \`${endless}\` runs until it is stopped. Start it with background: true and manage it with the process tool; to see only its start, put \`timeout 10\` before it.`,
    );
  const waiting = (await import('./interactive.ts')).findInteractiveCommand(command, pty === true);
  if (waiting !== undefined)
    throw new ToolRefusal(
      `Not run: \`${waiting}\` waits for somebody at the keyboard. Say what it needs on its command line, or change files with patch and write_file; to type into it yourself, start it with background: true and pty: true and use the process tool.`,
    );
  const left = findDetachedCommand(command);
  if (left !== undefined)
    throw new ToolRefusal(
      `Not run: \`${left}\` would keep running where nobody sees its output or exit. Start it alone with background: true (without nohup, disown, setsid or &) and manage it with the process tool; to wait for it here, end the line with \`wait\`.`,
    );
}

async function meaningOf(command: string, code: number | null): Promise<string | undefined> {
  if (code === null || code === 0) return undefined;
  return (await import('./exit-meaning.ts')).explainExitCode(command, code);
}

/** Files that were put back are asked about when there are any; then alone that is loaded. */
const noteOnHeld = async (command: string, { held }: RunResult, context: ToolContext): Promise<readonly string[]> =>
  held === undefined ? [] : (await import('./held-changes.ts')).settleHeldChanges(held, command, context);

/** A file that came to the home while something runs in the sandbox is not there yet: the model would look for the fault elsewhere. */
function noteOnStale({ stale, exitCode, output }: RunResult, { terminal }: ToolContext): readonly string[] {
  const isMissing = output
    .slice(-20_000)
    .split('\n')
    .some((line) => /no such file|cannot find|not found|ENOENT/i.test(line) && line.includes(`${terminal.files.home}/`));
  if (stale === undefined || exitCode === 0 || !isMissing) return [];
  const until = stale.until === '' ? 'the command that runs in it' : `\`${stale.until}\``;
  return [
    `[New files in ${terminal.files.home} are not visible in the sandbox until ${until} ends. Stop it with process if you need them.]`,
  ];
}

/** A place without network says so itself: the model would look for the fault elsewhere. */
async function noteOnNetwork(
  command: string,
  { exitCode, output, unreached = [] }: RunResult,
  { terminal }: ToolContext,
): Promise<readonly string[]> {
  if (exitCode !== 0 && unreached.length > 0) return [(await import('./no-network.ts')).describeUnreached(unreached)];
  if (exitCode === 0 || terminal.wall !== undefined || terminal.place?.network !== false) return [];
  const note = (await import('./no-network.ts')).describeMissingNetwork(command, output);
  return note === undefined ? [] : [note];
}

async function startInBackground(
  input: TerminalInput,
  context: ToolContext,
  options: TerminalOptions & WalledOptions,
  outsideBy: string | undefined,
): Promise<ToolOutput> {
  if (options.processes.full())
    throw new ToolRefusal(
      `Not run: ${MAX_PROCESSES} background processes are running already. Stop one with process (action: kill) first.`,
    );
  const { started, notes } = await startWalled({ ...askedBy(input, context), outsideBy }, context, options, {
    maxOutput: options.maxOutput,
    ...(options.keepAll !== undefined && { keepAll: options.keepAll(context.sessionId, context.callId) }),
    ...(input.workdir !== undefined && input.workdir !== '' && { cwd: input.workdir }),
    ...(input.pty === true && { pty: true }),
    ...(options.processes.outlive && { outlive: true }),
  });
  const request = noticeRequestOf(input);
  const id = await options.processes.add(context.sessionId, started, request);
  const both = request.onComplete && (input.watch_patterns ?? []).length > 0;
  const note = both ? ' watch_patterns is ignored: with notify_on_complete you are notified only on exit.' : '';
  return {
    content: [createTextBlock(`Started in the background: session_id ${id}, pid ${started.pid}.${note}`, 'tool')],
    notes,
    details: { kind: 'process', id, pid: started.pid },
  };
}

/** One or the other: whoever wants to hear of the end does not want to be interrupted before. */
const noticeRequestOf = ({ notify_on_complete: onComplete = false, watch_patterns: patterns = [] }: TerminalInput): NoticeRequest => ({
  onComplete,
  patterns: onComplete ? [] : patterns,
});

/** Only what was looked for is claimed. */
const GONE = 'none of its processes was found running';
const PERHAPS = 'its process group was stopped, but processes that left the group may still be running; check with ps';

/** Output as it came, then how it ended when that says something. */
function render({ output, exitCode, ended, stopped, allGone, movedTo }: RunResult, seconds: number, meaning: string | undefined): string {
  const body = withoutAnsi(output).trimEnd();
  const lines = body === '' ? [] : [body];
  if (movedTo !== undefined) lines.unshift(`[the working directory no longer exists; this ran in ${movedTo}]`);
  if (stopped !== undefined) lines.push(`[${stopped}]`);
  else if (ended === 'timeout') lines.push(`[stopped after ${seconds} s; ${allGone === true ? GONE : PERHAPS}]`);
  else if (ended === 'aborted') lines.push('[interrupted by the user; parts of it may have taken effect]');
  else if (ended === 'failed_to_start') lines.push('[the command could not be started]');
  else if (exitCode !== 0) lines.push(`[exit code ${exitCode}${meaning === undefined ? '' : `: ${meaning}`}]`);
  return lines.length === 0 ? '[exit code 0, no output]' : lines.join('\n');
}
