import type { JsonObject } from '../../../base/json-types.ts';
import type { TrajectoryMessage } from '../../../contracts/environment.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';
import { hasReasoning, toShareGpt, type ShareGptTurn } from './sharegpt.ts';
import { countTools } from './tool-counts.ts';
import type { BatchPrompt } from './prompts.ts';
import type { ToolTally } from '../../../contracts/services/batches.ts';

/** What came of a prompt, as a line of `rows.jsonl`: all of it, whatever the filters say. It is also what a run goes on from. */
export interface BatchRow {
  readonly prompt_id: string;
  readonly config_hash: string;
  readonly timestamp: string;
  readonly model: string;
  readonly error: string | null;
  readonly completed: boolean;
  readonly api_calls: number;
  readonly toolsets_used: readonly string[];
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly seconds: number;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly TrajectoryMessage[];
}

/** A line as a row; nothing when it is none of ours. */
export const readRow = (value: JsonObject | undefined): BatchRow | undefined =>
  value !== undefined &&
  typeof value['prompt_id'] === 'string' &&
  typeof value['config_hash'] === 'string' &&
  Array.isArray(value['messages']) &&
  Array.isArray(value['tools'])
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a line of ours, by its keys
      (value as unknown as BatchRow)
    : undefined;

/** Why a conversation is not kept. The first that applies is the one that is counted. */
export interface BatchFilter {
  readonly name: string;
  readonly describe: string;
  readonly isUsual: boolean;
  applies(row: BatchRow): boolean;
}
const callsOf = ({ messages }: BatchRow): readonly string[] =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ function: { name } }) => name));
const isUnknownCall = (row: BatchRow): boolean => {
  const offered = new Set(row.tools.map(({ name }) => name));
  return callsOf(row).some((name) => !offered.has(name));
};
export const FILTERS: readonly BatchFilter[] = [
  {
    name: 'error',
    describe: 'the model or its place failed; the next run tries it again',
    isUsual: true,
    applies: ({ error }) => error !== null,
  },
  {
    name: 'empty',
    describe: 'the model said and did nothing',
    isUsual: true,
    applies: ({ messages }) =>
      !messages.some(({ role, content, tool_calls: calls }) => role === 'assistant' && (content.trim() !== '' || calls !== undefined)),
  },
  {
    name: 'no_reasoning',
    describe: 'none of its turns has reasoning',
    isUsual: true,
    applies: ({ messages }) => !messages.some((message) => message.role === 'assistant' && hasReasoning(message)),
  },
  { name: 'unknown_tool', describe: 'a tool was called that does not exist', isUsual: true, applies: isUnknownCall },
  { name: 'unfinished', describe: 'a limit ended it', isUsual: false, applies: ({ completed }) => !completed },
];

/** A line of `trajectories.jsonl`, with the names and the order of the Python system. */
export interface TrajectoryLine {
  readonly prompt_index: number;
  readonly conversations: readonly ShareGptTurn[];
  readonly metadata: { readonly batch_num: number; readonly timestamp: string; readonly model: string };
  readonly completed: boolean;
  readonly partial: boolean;
  readonly api_calls: number;
  readonly toolsets_used: readonly string[];
  readonly tool_stats: Readonly<Record<string, ToolTally>>;
  readonly tool_error_counts: Readonly<Record<string, number>>;
}

/** Every known tool is in the counts of every line: readers of columns want the same ones throughout. */
export function toTrajectoryLine(row: BatchRow, { index }: BatchPrompt, knownTools: readonly string[]): TrajectoryLine {
  const stats = countTools(row.messages, knownTools);
  return {
    prompt_index: index,
    conversations: toShareGpt(row.messages, row.tools),
    metadata: { batch_num: 0, timestamp: row.timestamp, model: row.model },
    completed: row.completed,
    partial: !row.completed && isUnknownCall(row),
    api_calls: row.api_calls,
    toolsets_used: row.toolsets_used,
    tool_stats: stats,
    tool_error_counts: Object.fromEntries(Object.entries(stats).map(([name, { failure }]) => [name, failure])),
  };
}
