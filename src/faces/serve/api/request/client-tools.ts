import { isObject, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { isOver, type Run } from '../../../../contracts/run-store.ts';
import type { ApiContext, ApiKey } from '../http/contract.ts';
import { ApiError, createBadRequest } from '../http/errors.ts';
import { describeToolRequest, findCallRun, isToolSchema, readClientTools, type ClientTool } from '../runs/client-tools.ts';
import { readResult } from '../wire/result.ts';
import { findOwnRun } from './access.ts';
import type { ClientConversation } from './messages.ts';
import { readFlag, readList } from './read-body.ts';

const MAX_TOOLS = 128;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Tools that sessions have besides those of the registry. */
const RESERVED = ['tool_search', 'tool_call', 'context_recall'];

/** The tools that a request brings, as a run keeps them. */
export function readToolRequest(body: JsonObject, { host }: Pick<ApiContext, 'host'>): JsonObject {
  const given = readList(body, 'tools', MAX_TOOLS) ?? [];
  const taken = new Set([...host.registries.tools.names(), ...RESERVED]);
  const tools = given.map((tool, index) => readTool(tool, `tools[${index}]`, taken));
  const names = tools.map(({ client_name: name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw createBadRequest('invalid_value', `"tools" has two functions named ${twice}.`, 'tools');
  // Not one of them may be called then.
  if (body['tool_choice'] === 'none') return {};
  return describeToolRequest(tools, readFlag(body, 'parallel_tool_calls') === false);
}

/** A function, in the form of either API. */
function readTool(tool: Json, param: string, taken: ReadonlySet<string>): ClientTool {
  const type = readStringAt(tool, 'type');
  if (type !== 'function')
    throw createBadRequest(
      'unsupported_tool',
      `"${param}" is of the type ${JSON.stringify(type ?? '')}. Only functions are supported.`,
      param,
    );
  const described = isObject(tool) && isObject(tool['function']) ? tool['function'] : tool;
  const name = readStringAt(described, 'name') ?? '';
  if (!NAME.test(name))
    throw createBadRequest('invalid_value', `"${param}" needs a name of 1 to 64 letters, digits, "_" and "-".`, `${param}.name`);
  const parameters = isObject(described) ? (described['parameters'] ?? {}) : {};
  if (!isToolSchema(parameters))
    throw createBadRequest('invalid_value', `"${param}.parameters" must be the JSON Schema of an object.`, `${param}.parameters`);
  return {
    // A tool of ours is never called by the name of another's, nor is another's taken for ours.
    name: taken.has(name) || name.startsWith('mcp_') ? `client_${name}`.slice(0, 64) : name,
    client_name: name,
    description: readStringAt(described, 'description') ?? '',
    parameters: { type: 'object', properties: {}, ...parameters },
  };
}

/** Results that a client came back with, by the ids of the model's calls, and the run that asked for them. */
export interface BroughtResults {
  readonly run: Run;
  readonly results: Readonly<Record<string, string>>;
}

/**
 * The results at the end of a conversation, if a run of this key waits for them. What is waited for no longer is part of the
 * conversation as any other words.
 */
export async function findBroughtResults(
  { results }: ClientConversation,
  key: ApiKey,
  context: Pick<ApiContext, 'host'>,
): Promise<BroughtResults | undefined> {
  const ids = [...results.keys()];
  const runIds = new Set(ids.map(findCallRun));
  const [runId] = runIds;
  if (runIds.size !== 1 || runId === undefined) return undefined;
  const run = await findOwnRun(runId, key, context);
  const calls = run !== undefined && isOver(run) ? (readResult(run).tool_calls ?? []) : [];
  if (run === undefined || calls.length === 0) return undefined;
  const missing = calls.filter(({ id }) => !results.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw createBadRequest('missing_tool_result', `These calls of tools have no result: ${missing.join(', ')}. Send all of them at once.`);
  const open = (await context.host.store.runs.listOpen(run.sessionId)).find(({ turnId }) => turnId === run.turnId);
  if (open !== undefined)
    throw new ApiError(409, 'results_already_sent', 'The results of these calls were sent already, and are being worked on.');
  return { run, results: Object.fromEntries(calls.map(({ id, call_id: callId }) => [callId, results.get(id) ?? ''])) };
}

/** A client that does not name its tools again has those it had. */
export const keepTools = (request: JsonObject, before: Run): JsonObject =>
  readClientTools({ request }).length > 0 ? request : { ...describeToolRequest(readClientTools(before), false), ...request };
