import { randomHex } from '../../base/ids.ts';
import type { ToolHooks } from '../../contracts/hooks.ts';
import type { Ports } from '../../contracts/ports.ts';
import type { AnyTool, Approval, ResolvedCall, Toolkit } from '../../contracts/tool.ts';
import type { Terminal } from '../../contracts/terminal.ts';
import type { Text, ToolCall } from '../../contracts/message.ts';
import type { CommandVerdict, Provenance, TouchingCall } from '../../contracts/safety.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Undo } from '../../contracts/undo.ts';
import { TOOL_CALL, toolCallTool, unwrapped } from './bridge/call.ts';
import { leanDefinition } from './bridge/definition.ts';
import { toolSearchTool } from './bridge/search.ts';
import { divide, type TableRoom } from './bridge/table.ts';
import type { Spill } from './budget.ts';
import { execute, refusal, type Door } from './execute.ts';
import { repairInput } from './repair-input.ts';
import { repairName } from './repair-name.ts';

export interface ToolkitOptions {
  readonly tools: readonly AnyTool[];
  readonly toolsets: readonly string[];
  /** Names in the tool table a resumed session was started with: a call to one of them meets its tool, available or not. */
  readonly advertised?: readonly string[];
  readonly terminal: Terminal;
  readonly ports: Ports;
  readonly approval: Approval;
  readonly spill: Spill;
  /** Words that go with a result because of what the call touched, such as the rules of a folder seen for the first time. */
  readonly hints?: (call: TouchingCall) => Promise<{ readonly texts: readonly Text[]; readonly notices: readonly string[] }>;
  /** Tells foreign words and lasting places by what a call touches; a tool's own word on either wins. */
  readonly provenance?: Provenance;
  /** What looks on, changes or blocks around every call. */
  readonly hooks?: ToolHooks;
  /** What must not leave: redacted from results, made real in files. */
  readonly secrets?: Secrets;
  /** Keeps what a call is about to change. */
  readonly undo?: Undo;
  /** What is thought of a tool writing to a place. */
  readonly judgeWrite?: (path: string, cwd: string) => CommandVerdict | Promise<CommandVerdict>;
  /** When the table would be too large, some tools are named in it only; absent means all are listed. */
  readonly room?: TableRoom;
}

/** The tools of one session behind one door: repair, approval, time-outs and size budgets live behind `execute`. */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const present = (await Promise.all(options.tools.map(async (tool) => ((await isAvailable(tool)) ? [tool] : [])))).flat();
  const promised = options.tools.filter((tool) => options.advertised?.includes(tool.name) === true);
  const table = tableOf(present, options);
  const tools = new Map([...promised, ...present, ...table].map((tool) => [tool.name, tool]));
  const door: Door = {
    options,
    call: async (name, input, run, outer) => {
      const call: ToolCall = { type: 'tool_call', trust: 'model', id: `${outer}.${randomHex(6)}`, name, input };
      const resolved = resolve(call, tools);
      return resolved.ok ? execute(resolved, run, door) : refusal(call.id, name, resolved.words);
    },
  };
  return {
    toolsets: options.toolsets,
    definitions: table.map(leanDefinition),
    resolve: (call) => resolve(call, tools),
    execute: (resolved, run) => execute(resolved, run, door),
    fit: (results, sessionId) => options.spill.fit(results, sessionId),
    forget: (sessionId) => tools.forEach((tool) => tool.forget?.(sessionId)),
  };
}

/** What the model sees: all of them, or the core and a way to the rest. */
function tableOf(present: readonly AnyTool[], { room, advertised = [] }: ToolkitOptions): readonly AnyTool[] {
  const { shown, deferred } = room === undefined ? { shown: present, deferred: [] } : divide(present, room);
  const bridged = deferred.length > 0 || advertised.includes(TOOL_CALL);
  return room === undefined || !bridged ? shown : [...shown, toolSearchTool(deferred, room), toolCallTool];
}

/** A check that throws means: not available. */
export async function isAvailable(tool: AnyTool): Promise<boolean> {
  try {
    return tool.available === undefined || (await tool.available());
  } catch {
    return false;
  }
}

function resolve(call: ToolCall, tools: ReadonlyMap<string, AnyTool>): ResolvedCall {
  const name = repairName(call.name, [...tools.keys()]);
  const tool = name === undefined ? undefined : tools.get(name);
  if (tool?.name === TOOL_CALL && call.malformed === undefined) return resolveInner(call, tools);
  if (tool === undefined) return { ok: false, call, problem: 'unknown_tool', words: unknownTool(call.name, tools) };
  if (call.malformed !== undefined) return { ok: false, call, problem: 'malformed_json', words: brokenJson(call) };
  const repaired = repairInput(tool.input, call.input);
  if (!repaired.ok)
    return {
      ok: false,
      call,
      problem: 'invalid_input',
      words: `Not run: ${repaired.problems.map((problem) => explain(problem, tool)).join('; ')}.`,
    };
  const { input } = repaired;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  return { ok: true, call, tool, input, effects: tool.effects(input as never) };
}

/** The tool behind `tool_call`, under the id and name the model used. */
function resolveInner(call: ToolCall, tools: ReadonlyMap<string, AnyTool>): ResolvedCall {
  const inner = unwrapped(call);
  const words = 'Not run: tool_call needs the name of a tool and its arguments.';
  if (inner === undefined || inner.name === TOOL_CALL) return { ok: false, call, problem: 'invalid_input', words };
  return { ...resolve(inner, tools), call };
}

/** A parameter that is missing may have words of its own. */
function explain(problem: string, tool: AnyTool): string {
  const words = Object.entries(tool.whenMissing ?? {}).find(([name]) => problem === `${name} is missing`)?.[1];
  return words === undefined ? problem : `${problem}: ${words}`;
}

/** A blank name gets no catalogue: weak models take one as something to recite. */
const unknownTool = (name: string, tools: ReadonlyMap<string, AnyTool>): string =>
  name.trim() === ''
    ? 'Not run: the call named no tool.'
    : `Not run: there is no tool named ${name}. There are: ${[...tools.keys()].toSorted().join(', ')}.`;

const brokenJson = (call: ToolCall): string =>
  `Not run: the arguments of ${call.name} were not complete JSON (${(call.malformed ?? '').length} characters, ending in ${JSON.stringify((call.malformed ?? '').slice(-40))}). Send them again; split very long contents over several calls.`;
