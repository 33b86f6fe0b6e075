import type { ToolMessage } from '../../../contracts/message.ts';
import type { Ports } from '../../../contracts/ports.ts';
import type { Terminal } from '../../../contracts/terminal.ts';
import type { AnyTool } from '../../../contracts/tool.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import { toOutputPath, computeCharLimit } from '../budget.ts';
import { clarifyTool } from './clarify.ts';
import { cronjobTool } from './cronjob.ts';
import { delegateTool } from './delegate/tool.ts';
import { executeCodeTool, type ExecuteCodeOptions } from './execute-code/tool.ts';
import type { FileGuard } from './files/guarded.ts';
import { createPathResolution } from './files/locate.ts';
import { createFileMemory } from './files/memory.ts';
import { patchTool } from './patch/tool.ts';
import { processTool } from './terminal/process.ts';
import { readFileTool } from './read-file.ts';
import { searchFilesTool } from './search/tool.ts';
import { sendMessageTool } from './send-message.ts';
import { terminalTool } from './terminal/terminal.ts';
import { todoTool } from './todo/tool.ts';
import { writeFileTool } from './write-file.ts';
import { lazyTool } from '../lazy-tool.ts';
import type { codeExecutionSettings } from './execute-code/settings.ts';
import type { delegationSettings } from './delegate/settings.ts';
import type { toolSettings } from '../settings.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { CommandVerdict, JudgeCommand } from '../../../contracts/safety.ts';
import type { Processes } from './terminal/processes.ts';

const unopened = (): Promise<never> => Promise.reject(new Error('nothing is run here'));

/** The settings the built-in tools read. */
export type BuiltinSettings = SliceValues<typeof toolSettings> &
  SliceValues<typeof codeExecutionSettings> &
  SliceValues<typeof delegationSettings> & {
    readonly 'terminal.timeout': number;
    readonly 'terminal.max_foreground_timeout': number;
    readonly 'tool_output.max_bytes': number;
  };

/** What tools need of the session they are made for. */
export interface BuiltinOptions {
  readonly terminal: Terminal;
  readonly ports: Ports;
  /** Takes a file away so that its owner can have it back; absent means tools delete for good. */
  readonly remove?: (path: string) => Promise<void>;
  /** The folder for what does not fit into results. */
  readonly spill?: string;
  /** Stored tool results of a session, for tools whose state is in the log. */
  readonly recall?: (sessionId: string) => Promise<readonly ToolMessage[]>;
  /** Tools that other rooms make. */
  readonly more?: readonly AnyTool[];
  readonly guard: FileGuard;
  readonly secrets?: Secrets;
  /** What running a command needs; absent where none is run. */
  readonly commands?: () => Promise<{ readonly judge: JudgeCommand; readonly judgeOutside?: JudgeCommand; readonly processes: Processes }>;
  /** What is thought of a tool reading a place; absent where nothing is read. */
  readonly reads?: () => Promise<(path: string) => CommandVerdict>;
  /** How deep below the owner's own session. */
  readonly depth?: number;
  /** Tokens the model of the moment can see at once; absent means any number. */
  readonly window?: () => number;
}

/** The tool that runs scripts, which may call these tools. */
export const createScriptTool = (
  settings: BuiltinSettings,
  { commands = unopened, secrets, spill }: Pick<BuiltinOptions, 'commands' | 'secrets' | 'spill'>,
  names: readonly string[],
): AnyTool =>
  lazyTool(commands, ({ judge }) =>
    executeCodeTool({
      tools: names,
      judge,
      settings,
      ...(secrets !== undefined && { redact: secrets.redactAll, mask: secrets.mask }),
      ...keepAllIn(spill),
    }),
  );

/** Where output that is too long for its result is kept whole. */
const keepAllIn = (spill: string | undefined): Pick<ExecuteCodeOptions, 'keepAll'> =>
  spill === undefined ? {} : { keepAll: (sessionId, callId) => toOutputPath(spill, sessionId, callId) };

/** Every built-in tool by name. Adding one is one file and one line here. */
export function createBuiltinTools(
  settings: BuiltinSettings,
  {
    terminal,
    ports,
    remove,
    spill,
    recall,
    guard,
    more = [],
    commands = unopened,
    reads,
    depth = 0,
    window = () => Infinity,
    ...options
  }: BuiltinOptions,
): ReadonlyMap<string, AnyTool> {
  const timeouts = { timeoutSeconds: settings['terminal.timeout'], maxTimeoutSeconds: settings['terminal.max_foreground_timeout'] };
  const files = { ...createPathResolution(terminal), guard, memory: createFileMemory() };
  const tools: readonly AnyTool[] = [
    lazyTool(commands, ({ judge, judgeOutside, processes }) =>
      terminalTool({
        processes,
        judge,
        ...(judgeOutside !== undefined && { judgeOutside }),
        ...(options.secrets !== undefined && { restore: options.secrets.restore }),
        ...timeouts,
        maxOutput: settings['tool_output.max_bytes'],
        ...keepAllIn(spill),
      }),
    ),
    lazyTool(commands, ({ judge, processes }) => processTool({ processes, judge, ...timeouts })),
    // What is read into a small window would only be spilled again: reading has the same bound as a result.
    readFileTool({ ...files, maxChars: () => computeCharLimit('result', window(), settings.file_read_max_chars) }),
    writeFileTool(files),
    patchTool({ ...files, ...(remove !== undefined && { remove }) }),
    searchFilesTool({ ...files, ...(reads !== undefined && { judgeRead: reads }) }),
    createScriptTool(settings, { commands, ...options }, []),
    todoTool({ ...(recall !== undefined && { recall }) }),
    clarifyTool({ ports }),
    sendMessageTool({ ports }),
    cronjobTool({ ports }),
    delegateTool({ ports, settings, depth }),
    ...more,
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
