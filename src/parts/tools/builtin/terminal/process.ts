import { lazy } from '../../../../base/lazy.ts';
import { createTextBlock } from '../../../../contracts/message.ts';
import type { JudgeCommand } from '../../../../contracts/safety.ts';
import type { RunningProcess } from '../../../../contracts/terminal.ts';
import { ToolFailure, type AskContext, type Tool, type ToolContext } from '../../../../contracts/tool.ts';
import { askConsent, findCommandObjection, type CommandConsentRequest } from '../command-line/consent.ts';
import type { ProcessInputs } from './process-input.ts';
import type { ProcessAnswers } from './process-answers.ts';
import { renderLogLines, renderLastLines } from './process-log.ts';
import type { Processes, ProcessRow, UnreachedProcess } from './processes.ts';

export interface ProcessInput {
  readonly action: 'list' | 'poll' | 'log' | 'wait' | 'kill' | 'write' | 'submit' | 'close';
  readonly session_id?: string;
  readonly data?: string;
  readonly timeout?: number;
  readonly offset?: number;
  readonly limit?: number;
}
export interface ProcessOptions {
  readonly processes: Processes;
  /** What is written to a shell is run by it: it is judged as a command would be. */
  readonly judge: JudgeCommand;
  readonly timeoutSeconds: number;
  readonly maxTimeoutSeconds: number;
}

const LOG_LINES = 200;

export const processTool = (given: ProcessOptions): Tool<ProcessInput> =>
  toolWith({
    ...given,
    heard: lazy(async () => (await import('./process-input.ts')).createProcessInputs()),
    answers: lazy(async () => (await import('./process-answers.ts')).createProcessAnswers()),
  });

/** What processes were told is looked after from the first word on: many sessions tell them nothing. */
type ProcessToolDeps = ProcessOptions & { readonly heard: () => Promise<ProcessInputs>; readonly answers: () => Promise<ProcessAnswers> };

const toolWith = (options: ProcessToolDeps): Tool<ProcessInput> => ({
  name: 'process',
  description:
    'Manage background processes: list, poll (state and new output), log, wait, kill; write to stdin, submit (adds Enter), close it.',
  input: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: Object.keys(ACTIONS).concat('list') },
      session_id: { type: 'string', description: 'From terminal; a unique prefix is enough' },
      data: { type: 'string', description: 'For write, submit' },
      timeout: { type: 'integer', minimum: 1, description: `wait: seconds, default ${options.timeoutSeconds}` },
      offset: { type: 'integer', minimum: 1, description: 'log: first line' },
      limit: { type: 'integer', minimum: 1, description: `log: lines, default last ${LOG_LINES}` },
    },
    required: ['action'],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'write', resources: ['process'] }),
  runs: ['data'],
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  // `wait` has a deadline of its own.
  timeoutMs: 0,
  maxResult: 100_000,
  asks: async (input, context) => {
    if (input.action !== 'write' && input.action !== 'submit') return undefined;
    const { asked, judge } = await nextLine(await findOne(input, context, options), dataOf(input), context, options);
    return findCommandObjection(asked, context, judge);
  },
  run: async (input, context) => {
    const words = input.action === 'list' ? await list(context, options) : await act(input.action, input, context, options);
    return { content: [createTextBlock(words, 'tool')], notes: LOOKING.has(input.action) ? noteReachable(context) : [] };
  },
});

const LOOKING: ReadonlySet<ProcessInput['action']> = new Set(['list', 'poll', 'log', 'wait']);

/** A server behind a wall is reached at an address of this machine: that is the one to tell the user. */
function noteReachable({ terminal }: ToolContext): readonly string[] {
  const servers = terminal.wall?.reachable?.() ?? [];
  const addresses = servers.map(
    ({ inside, here }) => `http://localhost:${here}${here === inside ? '' : ` (port ${inside} in the sandbox)`}`,
  );
  return addresses.length === 0 ? [] : [`[The user can reach what listens in the sandbox at ${addresses.join(', ')}.]`];
}

async function act(action: ProcessAction, input: ProcessInput, context: ToolContext, options: ProcessToolDeps): Promise<string> {
  const row = await findOne(input, context, options);
  const words = await ACTIONS[action](row, input, context, options);
  if (SHOWING.has(action)) (await options.answers()).looked(row.running);
  await options.processes.looked(row);
  return words;
}

async function findOne(
  { action, session_id: ref = '' }: ProcessInput,
  { sessionId }: AskContext,
  { processes }: ProcessOptions,
): Promise<ProcessRow> {
  const known = async () => {
    const ids = (await processes.list(sessionId)).map(({ id }) => id);
    return ids.length === 0 ? 'There are none.' : `There are: ${ids.join(', ')}.`;
  };
  if (ref === '') throw new ToolFailure(`${action} needs a session_id. ${await known()}`);
  const [found, ...others] = await processes.find(sessionId, ref);
  if (found === undefined) {
    const away = processes.unreached(sessionId).find(({ id }) => id.startsWith(ref) || id.startsWith(`proc_${ref}`));
    throw new ToolFailure(away === undefined ? `There is no process ${ref}. ${await known()}` : awayWords(away));
  }
  if (others.length > 0)
    throw new ToolFailure(`${ref} matches ${[found, ...others].map(({ id }) => id).join(' and ')}; give more of the id.`);
  return found;
}

type RunProcessAction = (row: ProcessRow, input: ProcessInput, context: ToolContext, options: ProcessToolDeps) => string | Promise<string>;

type ProcessAction = Exclude<ProcessInput['action'], 'list'>;
const ACTIONS: Readonly<Record<ProcessAction, RunProcessAction>> = {
  poll: (row) => `${headline(row)}\n${renderLastLines(row.running, 20)}`,
  log: (row, { offset, limit = LOG_LINES }) => [headline(row), ...renderLogLines(row.running.outputEnds(), offset, limit)].join('\n'),
  wait: async (row, { timeout }, { signal }, options) => {
    const seconds = Math.min(timeout ?? options.timeoutSeconds, options.maxTimeoutSeconds);
    const ended = await endOf(row.running, seconds, signal);
    const note = ended
      ? ''
      : signal.aborted
        ? ' (waiting was interrupted)'
        : ` (still running after ${seconds} s; wait again, or go on and poll later)`;
    return `${headline(row)}${note}\n${renderLastLines(row.running, LOG_LINES)}`;
  },
  kill: async (row, _input, { signal }, { processes }) => {
    if (row.running.status().state === 'exited') return `Already over: ${headline(row)}`;
    processes.ending(row);
    await row.running.kill();
    return (await endOf(row.running, 2, signal)) ? `Killed: ${headline(row)}` : `Told to end, but not gone yet: ${headline(row)}`;
  },
  write: (row, input, context, options) => send(row, dataOf(input), context, options),
  submit: async (row, input, context, options) => {
    const data = dataOf(input);
    const answers = await options.answers();
    return answers.exchange(row.running, { data, send: () => send(row, data, context, options) }, context.signal);
  },
  close: (row) => {
    mustRun(row);
    row.running.end();
    return `Closed the input of ${row.id}.`;
  },
};

/** Their results have the newest output. */
const SHOWING: ReadonlySet<ProcessAction> = new Set(['poll', 'log', 'wait']);

const dataOf = ({ action, data }: ProcessInput): string => {
  if (action === 'submit') return `${data ?? ''}\n`;
  if (data === undefined) throw new ToolFailure('Nothing sent: write needs data.');
  return data;
};

/** What a process would be told next, as it is judged and asked about. */
async function nextLine(row: ProcessRow, data: string, { terminal }: AskContext, { judge, heard }: ProcessToolDeps) {
  const book = await heard();
  mustRun(row);
  const next = book.next(row, data, judge);
  const summary = `tell ${row.id} (${row.running.command}): ${next.words}`;
  const asked: CommandConsentRequest = { tool: 'process', command: next.words, cwd: terminal.cwd, summary };
  return { asked, judge: next.judge, book };
}

async function send(row: ProcessRow, data: string, context: ToolContext, options: ProcessToolDeps): Promise<string> {
  const { asked, judge, book } = await nextLine(row, data, context, options);
  await askConsent(asked, context, judge);
  mustRun(row);
  row.running.write(data);
  book.sent(row, data);
  return `Sent ${data.length} characters to ${row.id}.`;
}

function mustRun(row: ProcessRow): void {
  if (row.running.status().state === 'exited') throw new ToolFailure(`Nothing sent: ${headline(row)}`);
}

/** True when it ended; false when time ran out or somebody stopped the wait. */
async function endOf(running: RunningProcess, seconds: number, signal: AbortSignal): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const giveUp = () => over.resolve(false);
  const timer = setTimeout(giveUp, seconds * 1000);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  void running.exited.then(() => over.resolve(true));
  try {
    return await over.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

async function list({ sessionId }: ToolContext, { processes }: ProcessOptions): Promise<string> {
  const rows = await processes.list(sessionId);
  const lines = [...rows.map(headline), ...processes.unreached(sessionId).map(awayWords)];
  return lines.length === 0 ? 'No background processes.' : lines.join('\n');
}

const oneLine = (command: string): string => command.replace(/\s+/g, ' ').slice(0, 120);
const awayWords = ({ id, command, why }: UnreachedProcess): string =>
  `${id}: may still run, but its place cannot be asked now (${why}): ${oneLine(command)}`;

function headline({ id, running }: ProcessRow): string {
  const { state, exitCode, stopped } = running.status();
  const age = Math.round((Date.now() - running.startedAt) / 1000);
  const status = state === 'running' ? `running for ${age} s, pid ${running.pid}` : `exited with code ${exitCode ?? 'unknown'}`;
  return `${id}: ${status}: ${oneLine(running.command)}${stopped === undefined ? '' : ` [${stopped}]`}`;
}
