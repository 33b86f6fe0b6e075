import { randomHex } from '../../base/ids.ts';
import { inSentence } from '../../base/text.ts';
import type { ToolHooks } from '../../contracts/hooks.ts';
import type { Ports } from '../../contracts/ports.ts';
import type { AnyTool, Approval, Toolkit } from '../../contracts/tool.ts';
import type { Terminal } from '../../contracts/terminal.ts';
import type { Text, ToolCall } from '../../contracts/message.ts';
import type { Provenance, TouchingCall } from '../../contracts/safety.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Undo } from '../../contracts/undo.ts';
import { TOOL_CALL, toolCallTool } from './bridge/call.ts';
import { leanDefinition } from './bridge/definition.ts';
import { toolSearchTool } from './bridge/search.ts';
import { divide, type TableRoom } from './bridge/table.ts';
import type { Spill } from './budget.ts';
import { refusal, type Door } from './execute.ts';
import type { JudgePlace } from './judged-places.ts';
import { execute, prepare } from './prepare.ts';
import { resolve, type Shelf } from './resolve.ts';

export interface ToolkitOptions {
  readonly tools: readonly AnyTool[];
  readonly toolsets: readonly string[];
  /** Names in the tool table a resumed session was started with: a call to one of them meets its tool, available or not. */
  readonly advertised?: readonly string[];
  /** Tools we know that are not for this session, with the reason: a call to one is told so and is never taken for another. */
  readonly absent?: ReadonlyMap<string, string>;
  readonly terminal: Terminal;
  readonly ports: Ports;
  readonly approval: Approval;
  readonly spill: Spill;
  /** Words that go with a result because of what the call touched, such as the rules of a folder seen for the first time. */
  readonly hints?: {
    after(call: TouchingCall): Promise<{ readonly texts: readonly Text[]; readonly notices: readonly string[] }>;
    forget(sessionId: string): void;
  };
  /** Tells foreign words and lasting places by what a call touches; a tool's own word on either wins. */
  readonly provenance?: Provenance;
  /** What looks on, changes or blocks around every call. */
  readonly hooks?: ToolHooks;
  /** What must not leave: redacted from results, made real in files. */
  readonly secrets?: Secrets;
  /** Keeps what a call is about to change. */
  readonly undo?: Undo;
  /** What is thought of a tool reading a place, and of one writing to it. */
  readonly judgeRead?: JudgePlace;
  readonly judgeWrite?: JudgePlace;
  /** When the table would be too large, some tools are named in it only; absent means all are listed. */
  readonly room?: TableRoom;
}

/** The tools of one session behind one door: repair, approval, time-outs and size budgets live behind `prepare`. */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const present = (await Promise.all(options.tools.map(async (tool) => ((await isAvailable(tool)) ? [tool] : [])))).flat();
  const promised = options.tools.filter((tool) => options.advertised?.includes(tool.name) === true);
  const table = tableOf(present, options);
  const tools = new Map([...promised, ...present, ...table].map((tool) => [tool.name, tool]));
  const shelf: Shelf = { tools, absent: absentOf(options, tools) };
  const door: Door = {
    options,
    approve: (action, signal) => options.approval.ask(action, signal),
    call: async (name, input, run, outer) => {
      const call: ToolCall = { type: 'tool_call', trust: 'model', id: `${outer}.${randomHex(6)}`, name, input };
      const resolved = resolve(call, shelf);
      return resolved.ok ? (await execute(resolved, run, door)).message : refusal(call.id, name, resolved.words);
    },
  };
  return {
    toolsets: options.toolsets,
    definitions: table.map(leanDefinition),
    resolve: (call) => resolve(call, shelf),
    prepare: (resolved, run) => prepare(resolved, run, door),
    fit: (results, sessionId) => options.spill.fit(results, sessionId),
    forget: (sessionId) => {
      tools.forEach((tool) => tool.forget?.(sessionId));
      options.hints?.forget(sessionId);
    },
  };
}

/** What the model sees: all of them, or the core and a way to the rest. */
function tableOf(present: readonly AnyTool[], { room, advertised = [] }: ToolkitOptions): readonly AnyTool[] {
  const { shown, deferred } = room === undefined ? { shown: present, deferred: [] } : divide(present, room);
  const bridged = deferred.length > 0 || advertised.includes(TOOL_CALL);
  return room === undefined || !bridged ? shown : [...shown, toolSearchTool(deferred, room), toolCallTool];
}

/** What is not for this session, and what misses something here. */
const absentOf = ({ tools, absent = new Map() }: ToolkitOptions, here: ReadonlyMap<string, AnyTool>): Shelf['absent'] =>
  new Map([...tools.map(({ name, needs }) => [name, whatIsMissing(needs)] as const), ...absent].filter(([name]) => !here.has(name)));
const whatIsMissing = (needs = 'something that is not set up here'): string => `it needs ${inSentence(needs)}`;

/** A check that throws means: not available. */
export async function isAvailable(tool: AnyTool): Promise<boolean> {
  try {
    return tool.available === undefined || (await tool.available());
  } catch {
    return false;
  }
}
