import type { AnyTool, Tool } from '../contracts/tool.ts';
import { judgeCommand } from '../parts/safety/command-floor.ts';
import { processTable } from '../parts/tools/builtin/processes.ts';
import { terminalTool } from '../parts/tools/builtin/terminal.ts';
import type { Settings } from './settings.ts';

/** Every built-in tool by name. Adding one is one file and one line here. */
export function builtinTools(settings: Settings): ReadonlyMap<string, AnyTool> {
  const processes = processTable();
  const tools = [
    terminalTool({
      processes,
      judge: judgeCommand,
      timeoutSeconds: settings['terminal.timeout'],
      maxTimeoutSeconds: settings['terminal.max_foreground_timeout'],
      maxOutput: settings['tool_output.max_bytes'],
    }),
  ];
  return new Map(tools.map((tool) => [tool.name, anyTool(tool)]));
}

/** Forgets the input's type: the toolkit hands in what it has checked against the tool's own schema. */
const anyTool = <Input>(tool: Tool<Input>): AnyTool => tool as unknown as AnyTool;
