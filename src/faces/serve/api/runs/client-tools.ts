import { isObject, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { createTextBlock } from '../../../../contracts/message.ts';
import type { Run } from '../../../../contracts/run-store.ts';
import { ToolFailure, type AnyTool } from '../../../../contracts/tool.ts';

/** A tool that the client has and runs itself. */
export type ClientTool = {
  /** As the model knows it: another name than the client's where a tool of ours has that one. */
  readonly name: string;
  readonly client_name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};
/** A call of one, as the run tells it. */
export type ClientCall = {
  /** As the client knows it: it names the run and the place among its calls. */
  readonly id: string;
  /** As the model's message has it. */
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
};

/** Where a request keeps its tools, whether several may be called at a time, and the results that its client brought. */
const [TOOLS_FIELD, SERIAL_FIELD, RESULTS_FIELD] = ['client_tools', 'serial_tools', 'tool_results'] as const;

export const describeToolRequest = (tools: readonly ClientTool[], isSerial: boolean): JsonObject => ({
  ...(tools.length > 0 && { [TOOLS_FIELD]: tools.map((tool) => ({ ...tool })) }),
  ...(isSerial && { [SERIAL_FIELD]: true }),
});
/** What a client brought, and what it brought to earlier runs of the turn: calls that were made one at a time look for all of it. */
export function describeResults(results: Readonly<Record<string, string>>, { request }: Pick<Run, 'request'>): JsonObject {
  const before = request[RESULTS_FIELD];
  return { [RESULTS_FIELD]: { ...(isObject(before) && before), ...results } };
}

export function readClientTools({ request }: Pick<Run, 'request'>): readonly ClientTool[] {
  const tools = request[TOOLS_FIELD];
  return Array.isArray(tools) ? tools : [];
}

export const toCallId = (runId: string, index: number): string => `call_${runId.slice('run_'.length)}_${index}`;
/** The run that a client's call id names; nothing for an id that is not ours. */
export function findCallRun(callId: string): string | undefined {
  const [, run] = /^call_([0-9a-f]{16})_\d{1,3}$/.exec(callId) ?? [];
  return run === undefined ? undefined : `run_${run}`;
}

export interface ClientToolDeps {
  /** The session that they are called in; children cannot reach the client. */
  readonly sessionId: string;
  /** The run that the turn is part of now. */
  readonly findRun: () => Promise<Run | undefined>;
  /** The client is asked to run it: the turn waits from now on. */
  readonly ask: (call: Omit<ClientCall, 'id'>) => void;
}

/** The tools of a run's client, for its session. */
export const createClientTools = (run: Run, deps: ClientToolDeps): readonly AnyTool[] =>
  readClientTools(run).map((tool) => createClientTool(tool, run.request[SERIAL_FIELD] === true, deps));

/**
 * A call hands itself over to the client and waits until the turn is suspended. When the turn goes on it runs again, which changes nothing
 * here, and finds its result in the request that the client came back with.
 */
function createClientTool({ name, client_name, description, parameters }: ClientTool, isSerial: boolean, deps: ClientToolDeps): AnyTool {
  const run = async (input: Json, { signal, callId, sessionId, forScript }: Parameters<AnyTool['run']>[1]) => {
    if (forScript === true || sessionId !== deps.sessionId)
      throw new ToolFailure(`Not run: ${name} is a tool of the client. Call it yourself, not from a script or a child agent.`);
    const result = readStringAt((await deps.findRun())?.request[RESULTS_FIELD], callId);
    if (result !== undefined) return { content: [createTextBlock(result, 'foreign')], foreign: `the tool ${client_name} of the client` };
    deps.ask({ call_id: callId, name: client_name, arguments: JSON.stringify(input) });
    return waitForAbort(signal);
  };
  return {
    name,
    description,
    input: parameters,
    effects: () => (isSerial ? { kind: 'write', resources: ['client'] } : { kind: 'read', resources: [] }),
    replay: 'safe',
    idempotent: false,
    offTerminal: true,
    trust: 'foreign',
    timeoutMs: 0,
    maxResult: 50_000,
    run,
  };
}

async function waitForAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
  throw new ToolFailure('Not run: the client did not bring a result.');
}

/** Whether a value is a schema that tools can have. */
export const isToolSchema = (schema: Json | undefined): schema is JsonObject =>
  isObject(schema) && (schema['type'] === undefined || schema['type'] === 'object');
