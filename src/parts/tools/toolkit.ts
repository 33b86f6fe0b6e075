import type { ToolkitOptions } from './options.ts';
import { randomHex } from '../../base/ids.ts';
import { lazy } from '../../base/lazy.ts';
import { toSentencePart } from '../../base/text.ts';
import type { AnyTool, CallableTools, Toolkit } from '../../contracts/tool.ts';
import type { ToolCall } from '../../contracts/message.ts';
import { TOOL_CALL, toolCallTool } from './bridge/call.ts';
import { toToolDefinition } from './bridge/definition.ts';
import { toolSearchTool } from './bridge/search.ts';
import { splitTools } from './bridge/table.ts';
import type { CallAccess } from './options.ts';
import { execute, prepare } from './prepare.ts';
import { resolve, type ToolTable } from './resolve.ts';
import { listPresentSets } from './toolsets.ts';

/** The tools of one session behind one door: repair, approval, time-outs and size budgets live behind `prepare`. */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const present = await listPresent(options);
  const promised = options.tools.filter((tool) => options.advertised?.includes(tool.name) === true);
  // Many sessions go on with the prompt they have and call nothing.
  const table = lazy(() => tableOf(present, options));
  const definitions = lazy(() => table().map(toToolDefinition));
  const callable = lazy(() => callableOf(present, options));
  const shelf = lazy((): ToolTable => {
    const tools = new Map([...promised, ...present, ...table()].map((tool) => [tool.name, tool]));
    return { tools, absent: absentOf(options, tools) };
  });
  const needsTerminal = (names: readonly string[]): boolean => {
    const { tools } = shelf();
    return names.some((name) => tools.get(name)?.offTerminal !== true);
  };
  const door: CallAccess = {
    options,
    approve: (action, signal) => options.approval.ask(action, signal),
    call: async (name, input, run, outer) => {
      const call: ToolCall = { type: 'tool_call', trust: 'model', id: `${outer}.${randomHex(6)}`, name, input };
      const resolved = resolve(call, shelf());
      const result = resolved.ok ? (await execute(resolved, run, door)).script : undefined;
      return result ?? { data: { text: resolved.ok ? '' : resolved.words }, failed: true, foreign: [], hints: [] };
    },
  };
  return {
    toolsets: options.toolsets,
    get definitions() {
      return definitions();
    },
    get callable() {
      return callable();
    },
    open: async (names) => {
      if (needsTerminal(names)) await options.terminal.ready?.().catch(() => undefined);
    },
    expectCalls: (names) => {
      if (names === undefined) options.expectCalls?.();
      else if (needsTerminal(names)) options.expectCalls?.({ isCalled: true });
    },
    resolve: (call) => resolve(call, shelf()),
    prepare: (resolved, run) => prepare(resolved, run, door),
    fit: (results, sessionId) => options.spill.fit(results, sessionId),
    forget: (sessionId) => {
      shelf().tools.forEach((tool) => tool.forget?.(sessionId));
      options.hints?.forget(sessionId);
    },
  };
}

/** What the model sees: all of them, or the core and a way to the rest. */
function tableOf(present: readonly AnyTool[], { room, advertised = [] }: ToolkitOptions): readonly AnyTool[] {
  const { shown, deferred } = room === undefined ? { shown: present, deferred: [] } : splitTools(present, room);
  const bridged = deferred.length > 0 || advertised.includes(TOOL_CALL);
  return room === undefined || !bridged ? shown : [...shown, toolSearchTool(deferred, room), toolCallTool];
}

/** Deferred tools count: they are called like all others. */
function callableOf(present: readonly AnyTool[], { toolsets, sets }: ToolkitOptions): CallableTools {
  const tools = present.map(({ name }) => name);
  return { tools, toolsets: sets === undefined ? toolsets : listPresentSets(sets, tools) };
}

/** What is not for this session, and what misses something here. */
const absentOf = ({ tools, absent }: ToolkitOptions, here: ReadonlyMap<string, AnyTool>): ToolTable['absent'] => {
  const missing = tools.map(({ name, needs }) => [name, whatIsMissing(needs)] as const);
  return new Map([...missing, ...(absent?.() ?? [])].filter(([name]) => !here.has(name)));
};
const whatIsMissing = (needs = 'something that is not set up here'): string => `it needs ${toSentencePart(needs)}`;

async function listPresent({ tools, present }: ToolkitOptions): Promise<readonly AnyTool[]> {
  const isPresent = await Promise.all(tools.map(async (tool) => present?.has(tool.name) === true || isAvailable(tool)));
  return tools.filter((_, index) => isPresent[index]);
}

/** A check that throws means: not available. */
export async function isAvailable(tool: AnyTool): Promise<boolean> {
  try {
    return tool.available === undefined || (await tool.available());
  } catch {
    return false;
  }
}
