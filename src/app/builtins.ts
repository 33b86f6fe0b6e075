import type { ToolMessage } from '../contracts/message.ts';
import type { Ports } from '../contracts/ports.ts';
import type { Terminal } from '../contracts/terminal.ts';
import type { AnyTool } from '../contracts/tool.ts';
import type { Secrets } from '../contracts/secrets.ts';
import { outputFile } from '../parts/tools/budget.ts';
import { clarifyTool } from '../parts/tools/builtin/clarify.ts';
import { cronjobTool } from '../parts/tools/builtin/cronjob.ts';
import { delegateTool } from '../parts/tools/builtin/delegate/tool.ts';
import { executeCodeTool } from '../parts/tools/builtin/execute-code/tool.ts';
import type { Guard } from '../parts/tools/builtin/files/guarded.ts';
import { spellingIn } from '../parts/tools/builtin/files/locate.ts';
import { fileMemory } from '../parts/tools/builtin/files/memory.ts';
import { patchTool } from '../parts/tools/builtin/patch/tool.ts';
import { processTool } from '../parts/tools/builtin/process.ts';
import { readFileTool } from '../parts/tools/builtin/read-file.ts';
import { searchFilesTool } from '../parts/tools/builtin/search/tool.ts';
import { sendMessageTool } from '../parts/tools/builtin/send-message.ts';
import { terminalTool } from '../parts/tools/builtin/terminal.ts';
import { todoTool } from '../parts/tools/builtin/todo/tool.ts';
import { writeFileTool } from '../parts/tools/builtin/write-file.ts';
import { lastingTools, type LastingPlaces } from './lasting-tools.ts';
import { later } from './later-tools.ts';
import type { JudgeRead } from './read-judge.ts';
import type { Settings } from './settings.ts';
import type { Workbench } from './workbench.ts';

const unopened = (): Promise<never> => Promise.reject(new Error('nothing is run here'));

/** What tools need of the session they are made for. */
export interface ToolScene {
  readonly terminal: Terminal;
  readonly ports: Ports;
  /** Takes a file away so that its owner can have it back; absent means tools delete for good. */
  readonly remove?: (path: string) => Promise<void>;
  /** The folder for what does not fit into results. */
  readonly spill?: string;
  /** Stored tool results of a session, for tools whose state is in the log. */
  readonly recall?: (sessionId: string) => Promise<readonly ToolMessage[]>;
  readonly lasting: LastingPlaces;
  /** Tools that reach beyond this machine. */
  readonly outward?: readonly AnyTool[];
  readonly guard: Guard;
  readonly secrets?: Secrets;
  /** What running a command needs; absent where none is run. */
  readonly bench?: () => Promise<Workbench>;
  /** What is thought of a tool reading a place; absent where nothing is read. */
  readonly reads?: () => Promise<JudgeRead>;
  /** How deep below the owner's own session. */
  readonly depth?: number;
}

/** The tool that runs scripts, which may call these tools. */
export const scriptTool = (
  settings: Settings,
  { bench = unopened, secrets }: Pick<ToolScene, 'bench' | 'secrets'>,
  names: readonly string[],
): AnyTool =>
  later(bench, ({ judge }) =>
    executeCodeTool({ tools: names, judge, settings, ...(secrets !== undefined && { redact: secrets.redactAll, mask: secrets.mask }) }),
  );

/** Every built-in tool by name. Adding one is one file and one line here. */
export function builtinTools(
  settings: Settings,
  { terminal, ports, remove, spill, recall, lasting, guard, outward = [], bench = unopened, reads, depth = 0, ...scene }: ToolScene,
): ReadonlyMap<string, AnyTool> {
  const timeouts = { timeoutSeconds: settings['terminal.timeout'], maxTimeoutSeconds: settings['terminal.max_foreground_timeout'] };
  const files = { ...spellingIn(terminal), guard, memory: fileMemory() };
  const tools: readonly AnyTool[] = [
    later(bench, ({ judge, processes }) =>
      terminalTool({
        processes,
        judge,
        ...timeouts,
        maxOutput: settings['tool_output.max_bytes'],
        ...(spill !== undefined && { keepAll: (sessionId, callId) => outputFile(spill, sessionId, callId) }),
      }),
    ),
    later(bench, ({ judge, processes }) => processTool({ processes, judge, ...timeouts })),
    readFileTool({ ...files, maxChars: settings.file_read_max_chars }),
    writeFileTool(files),
    patchTool({ ...files, ...(remove !== undefined && { remove }) }),
    searchFilesTool({ ...files, ...(reads !== undefined && { judgeRead: reads }) }),
    ...outward,
    scriptTool(settings, { bench, ...scene }, []),
    todoTool({ ...(recall !== undefined && { recall }) }),
    clarifyTool({ ports }),
    sendMessageTool({ ports }),
    cronjobTool({ ports }),
    delegateTool({ ports, settings, depth }),
    ...lastingTools(settings, lasting),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
