import { isObject, readNumberAt } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { isOver, type Run, type RunEvent, type RunState } from '../../../../contracts/run-store.ts';
import { readClientTools } from '../runs/client-tools.ts';
import type { RunUsage } from '../runs/run-events.ts';
import { addItems, NO_ITEMS, toOutputItem, type ResponseItem } from './response-items.ts';
import { readResult } from './result.ts';

/** Answers of `/v1/responses`. */
export const toResponseId = ({ id }: Pick<Run, 'id'>): string => `resp_${id.slice('run_'.length)}`;
export const toRunId = (responseId: string): string => responseId.replace(/^resp_/, 'run_');

/** A response made of what its run has told. Where that is gone, its words are left. */
export function toResponse(run: Run, events: readonly RunEvent[]): JsonObject {
  const items = events.reduce((so, event) => addItems(so, event, run), NO_ITEMS).items;
  if (!isOver(run)) return describeResponse(run, items);
  const { output, usage } = readResult(run);
  const left: readonly ResponseItem[] =
    items.length > 0 || output === '' ? items : [{ type: 'message', index: 0, text: output, status: 'completed' }];
  return describeResponse(run, left, usage);
}

/** The response as an object, with these items and what it cost. */
export function describeResponse(run: Run, items: readonly ResponseItem[], usage?: RunUsage): JsonObject {
  const { request } = run;
  const [status, failed] = [toStatus(run), isOver(run) ? readResult(run).error : undefined];
  return {
    id: toResponseId(run),
    object: 'response',
    created_at: Math.floor(run.at / 1_000),
    status,
    background: request['background'] === true,
    error: failed === undefined ? null : { code: 'server_error', message: failed.message },
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request['instructions'] ?? null,
    max_output_tokens: readNumberAt(request, 'sampling', 'maxOutput') ?? null,
    model: request['model'] ?? '',
    output: items.map((item) => toOutputItem(item, toResponseId(run))),
    parallel_tool_calls: request['serial_tools'] !== true,
    previous_response_id: request['previous_response_id'] ?? null,
    ...(request['conversation'] !== undefined && { conversation: { id: request['conversation'] } }),
    reasoning: { effort: null, summary: null },
    store: run.isBrief !== true,
    temperature: readNumberAt(request, 'sampling', 'temperature') ?? null,
    text: { format: describeFormat(request) },
    tool_choice: 'auto',
    tools: readClientTools(run).map(({ client_name: name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    top_p: readNumberAt(request, 'sampling', 'topP') ?? null,
    truncation: 'disabled',
    usage: usage === undefined ? null : toResponseUsage(usage),
    metadata: request['metadata'] ?? {},
  };
}

const describeFormat = ({ format }: JsonObject): JsonObject =>
  isObject(format) ? { type: 'json_schema', strict: true, ...format } : { type: 'text' };

const STATUSES: Readonly<Record<RunState, string>> = {
  queued: 'queued',
  running: 'in_progress',
  waiting_for_approval: 'in_progress',
  stopping: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};
const toStatus = (run: Run): string => (isOver(run) && readResult(run).finish_reason === 'length' ? 'incomplete' : STATUSES[run.state]);

const toResponseUsage = (usage: RunUsage): JsonObject => ({
  input_tokens: usage.input_tokens,
  input_tokens_details: { cached_tokens: usage.cached_tokens },
  output_tokens: usage.output_tokens,
  output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  total_tokens: usage.total_tokens,
});
