import type { UserQuestion } from '../../../../../../src/contracts/ports.ts';
import type { RunResult, RunningProcess, Terminal } from '../../../../../../src/contracts/terminal.ts';
import type { ToolContext, ToolOutput } from '../../../../../../src/contracts/tool.ts';
import type { HostRequest, WallGrant } from '../../../../../../src/contracts/wall.ts';
import type { Wall } from '../../../../../../src/contracts/terminal.ts';
import { createApproval } from '../../../../../../src/parts/safety/approval/approval.ts';
import { openGrants } from '../../../../../../src/parts/safety/approval/grants.ts';
import { createFreshQuestions } from '../../../../../fresh-questions.ts';
import { openQuestions } from '../../../../../../src/parts/safety/approval/open-questions.ts';
import { createConsentJudge } from '../../../../../../src/parts/safety/judge/consent-judge.ts';
import { createCommandJudge } from '../../../../../../src/parts/safety/judge/judge.ts';
import { createOutsideJudge } from '../../../../../../src/parts/safety/judge/outside-judge.ts';
import { createProcessTable } from '../../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool, type TerminalInput, type TerminalOptions } from '../../../../../../src/parts/tools/builtin/terminal/terminal.ts';
import { contextIn, deskAt, words } from '../../../setup.ts';

export const CWD = '/home/me/shop';
export const ran = (output: string, exitCode = 0, more: Partial<RunResult> = {}): RunResult => ({
  exitCode,
  ended: 'exited',
  output,
  omitted: 0,
  cwd: CWD,
  ...more,
});

export interface WallStageOptions {
  /** What the command says inside, time after time; the last stays. */
  readonly inside: readonly RunResult[];
  readonly outside?: (command: string) => RunResult | Promise<RunResult>;
  /** What somebody answers; absent when nobody is there. */
  readonly answers?: readonly string[];
  readonly always?: string[];
  readonly grant?: (grant: WallGrant) => Promise<void>;
  readonly deny?: readonly string[];
  readonly ports?: ToolContext['ports'];
  readonly tool?: Partial<TerminalOptions>;
  readonly start?: RunningProcess;
  /** A host every command wants; one it does not get fails it. */
  readonly wants?: HostRequest;
}

/** The terminal tool behind a wall that tells what was asked of it, with the approval and the judge of a session. */
export function wallStage(options: WallStageOptions) {
  const { inside, outside = () => ran('outside\n'), always = [], deny = [], ports = {} } = options;
  const asked: UserQuestion[] = [];
  const did: string[] = [];
  const answers = [...(options.answers ?? [])];
  const wall: Wall = {
    tier: 'bubblewrap',
    endInside: async () => {},
    profile: 'attended',
    writable: [CWD, '/tmp'],
    files: { keepsFrom: () => false, isAllowed: () => false, show: async () => false, allow: () => {}, isPlain: () => true },
    hides: (path) => /^\/(?:var\/)?run\/|\/\.(?:ssh|aws|gnupg)/.test(path),
    runOutside: async (command) => {
      did.push(`outside: ${command}`);
      return outside(command);
    },
    startOutside: async (command) => {
      did.push(`start outside: ${command}`);
      return options.start ?? Promise.reject(new Error('nothing starts here'));
    },
    canOpenPaths: async () => true,
    grant: async (grant) => {
      did.push(`grant: ${JSON.stringify(grant)}`);
      await options.grant?.(grant);
    },
  };
  let times = 0;
  const terminal: Terminal = {
    ...deskAt(CWD),
    kind: 'sandbox',
    wall,
    files: { ...deskAt(CWD).files, home: '/home/me', stat: async () => undefined },
    run: async (command, { askHost }) => {
      did.push(`inside: ${command}`);
      const answer = options.wants === undefined || (await askHost?.(options.wants));
      if (answer !== true && options.wants !== undefined)
        return ran('curl: (56) CONNECT tunnel failed, response 403\n', 56, {
          blocked: [{ type: 'host', host: options.wants.host, port: options.wants.port, ...(typeof answer === 'object' && answer) }],
        });
      return inside[Math.min(times++, inside.length - 1)] ?? ran('');
    },
    start: async () => options.start ?? Promise.reject(new Error('nothing starts here')),
  };
  const approval = createApproval({
    grants: openGrants({ lasting: () => always }),
    open: openQuestions(createFreshQuestions(), { keepMs: 1_000_000 }),
    timeoutMs: 1_000,
    breaker: 3,
    allowAlways: async (entries) => void always.push(...entries),
    ...(options.answers !== undefined && {
      ask: async (question) => {
        asked.push(question);
        return answers.shift() ?? 'No';
      },
    }),
  });
  const settings = { 'approvals.deny': deny };
  const place = { kind: 'docker', workspace: CWD };
  const tool = terminalTool({
    processes: createProcessTable(),
    judge: () => ({ type: 'fine' }),
    judgeOutside: createOutsideJudge(createConsentJudge(createCommandJudge(settings, place), place), [], {
      home: '/home/me',
      variable: () => undefined,
      text: () => undefined,
    }),
    timeoutSeconds: 5,
    maxTimeoutSeconds: 10,
    maxOutput: 10_000,
    ...options.tool,
  });
  const context = contextIn(terminal, {
    ports,
    approve: (action) => approval.ask({ sessionId: 's1', turnId: 't1', ...action }, new AbortController().signal),
  });
  return {
    asked,
    did,
    always,
    tool,
    context,
    /** What the model sees: the result, and our own words after it. */
    call: async (input: TerminalInput): Promise<string> => shown(await tool.run(input, context)),
  };
}
const shown = (output: ToolOutput): string => [words(output), ...(output.notes ?? [])].join('\n');

/** A question as a person reads it. */
export const questionText = ({ question, act = '', notes = [], choices, typedAnswer }: UserQuestion): string =>
  [
    question,
    ...act.split('\n').map((line) => `│ ${line}`),
    ...notes,
    ...choices.map((choice, at) => `${at + 1}. ${choice}`),
    ...(typedAnswer === undefined ? [] : [`(or type ${typedAnswer})`]),
  ].join('\n');
