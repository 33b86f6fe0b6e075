import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toHereDocumentCommand } from '../../../../base/shell.ts';
import { createTextBlock, labelSources } from '../../../../contracts/message.ts';
import type { JudgeCommand } from '../../../../contracts/safety.ts';
import type { SliceValues } from '../../../../contracts/settings.ts';
import { ToolFailure, type AskContext, type Tool, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import { askConsent, findCommandObjection, type CommandConsentRequest } from '../command-line/consent.ts';
import type { MaskSecrets } from './bounded.ts';
import type { ScriptCallOptions } from './calls.ts';
import { LANGUAGES } from './languages.ts';
import { render } from './render.ts';
import { runScript, type ScriptResult } from './script.ts';
import type { codeExecutionSettings } from './settings.ts';

export interface ExecuteCodeInput {
  readonly code: string;
  readonly language?: keyof typeof LANGUAGES;
}
export interface ExecuteCodeOptions {
  /** The session's tools by name; those that are not for scripts are left out. */
  readonly tools: readonly string[];
  readonly judge: JudgeCommand;
  readonly settings: SliceValues<typeof codeExecutionSettings>;
  /** Puts placeholders where known secrets stand in what a script hands to a tool. */
  readonly redact?: ScriptCallOptions['redact'];
  /** Takes secrets, and what looks like one, out of what a script wrote before it is cut. */
  readonly mask?: MaskSecrets;
  /** The file for the whole output of a call that is too long for its result; absent when there is no place for it. */
  readonly keepAll?: (sessionId: string, callId: string) => string;
}

/** Would ask a person, start an agent, or lead to one of these by another name. */
const NOT_FOR_SCRIPTS: ReadonlySet<string> = new Set(['execute_code', 'delegate_task', 'clarify', 'tool_call', 'tool_search']);
/** Those of them that are there, for the model, and what belongs to the conversation and not to the session's toolsets. */
const nameExcluded = (tools: readonly string[]): string =>
  [...tools.filter((name) => NOT_FOR_SCRIPTS.has(name)), 'context_recall'].join(', ').replace(/, (?=[^,]*$)/, ' or ');

export const executeCodeTool = (options: ExecuteCodeOptions): Tool<ExecuteCodeInput> => {
  const tools = options.tools.filter((name) => !NOT_FOR_SCRIPTS.has(name));
  return {
    name: 'execute_code',
    description: `Run a script that calls tools itself, for many calls or much data; you see only what it prints. Python: from hermes_tools import read_file; read_file(path="a")["text"]. JavaScript: (await read_file({path: "a"})).text. Results are {text, ...}, plus exit_code (terminal) or matches (search_files: path, line, text); failures raise ToolError. It cannot call ${nameExcluded(options.tools)}.${tools.some((name) => name.startsWith('mcp__')) ? ' MCP tools go by their full names.' : ''}`,
    input: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        language: { type: 'string', enum: Object.keys(LANGUAGES), description: 'Default python' },
      },
      required: ['code'],
      additionalProperties: false,
    },
    effects: () => ({ kind: 'write', resources: ['*'] }),
    runs: ['code'],
    replay: 'never',
    idempotent: false,
    trust: 'tool',
    // The script has a deadline of its own, which ends all it started.
    timeoutMs: 0,
    maxResult: 100_000,
    asks: async (input, context) =>
      input.code.trim() === '' ? undefined : findCommandObjection(askedBy(input, context), context, options.judge),
    run: (input, context) => execute(input, context, { ...options, tools }),
  };
};

const askedBy = ({ code, language = 'python' }: ExecuteCodeInput, { terminal }: AskContext): CommandConsentRequest => ({
  tool: 'execute_code',
  command: toHereDocumentCommand(LANGUAGES[language].program, code),
  cwd: terminal.cwd,
});

async function execute(
  { code, language: name = 'python' }: ExecuteCodeInput,
  context: ToolContext,
  options: ExecuteCodeOptions,
): Promise<ToolOutput> {
  if (code.trim() === '') throw new ToolFailure('Not run: there is no code.');
  const language = LANGUAGES[name];
  await askConsent(askedBy({ code, language: name }, context), context, options.judge);
  const seconds = options.settings['code_execution.timeout'];
  const ended = await runScript(language, code, context, {
    tools: options.tools,
    maxCalls: options.settings['code_execution.max_tool_calls'],
    timeoutMs: seconds * 1000,
    ...(options.redact !== undefined && { redact: options.redact }),
    ...(options.mask !== undefined && { mask: options.mask }),
  });
  const file = ended.whole === undefined ? undefined : await saved(ended.whole, options.keepAll?.(context.sessionId, context.callId));
  const { source } = labelSources(ended.foreign, 'tool');
  return {
    content: [createTextBlock(render(ended, language.program, seconds, file), 'tool')],
    failed: ended.status !== 'success',
    notes: [...ended.refused, ...(await noteAtWall(ended, askedBy({ code, language: name }, context), context))],
    hints: ended.hints,
    ...(source !== undefined && { foreign: source }),
    details: {
      kind: 'data',
      data: { status: ended.status, tool_calls_made: ended.calls, duration_seconds: ended.seconds, exit_code: ended.exitCode ?? null },
    },
  };
}

/** A script that failed at the wall says so; what it could not do a command may be asked about. */
async function noteAtWall(
  { status, exitCode, output }: ScriptResult,
  asked: CommandConsentRequest,
  context: ToolContext,
): Promise<readonly string[]> {
  const { wall } = context.terminal;
  if (wall === undefined || status !== 'error') return [];
  const { describeStop, findWallBlocks } = await import('../terminal/at-wall/run.ts');
  const blocks = findWallBlocks(asked, { output, exitCode: exitCode ?? null, ended: 'exited' }, context, { wall });
  return blocks.length === 0 ? [] : [describeStop(blocks, 'If it matters, do this step with terminal, where the user can be asked.')];
}

/** The file with the whole output; `undefined` when it could not be written: what the script did matters more. */
async function saved(whole: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, whole, { mode: 0o600 });
    return path;
  } catch {
    return undefined;
  }
}
