import { isObject } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { TrajectoryMessage } from '../../../contracts/environment.ts';
import type { Spread, ToolTally, TrajectoryStatistics } from '../../../contracts/services/batches.ts';
import { average, findMedian, sum } from '../intervals.ts';
import { eachLine } from '../lines.ts';
import { fromShareGpt, readTurns } from './read-sharegpt.ts';
import { hasReasoning, toShareGpt, type ShareGptTurn } from './sharegpt.ts';
import { addToolCounts, countTools } from './tool-counts.ts';

/** Tokens of a text, estimated: four bytes each. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
export const countTokensOf = (turns: readonly ShareGptTurn[]): number => sum(turns.map(({ value }) => estimateTokens(value)));

/** A line of any file of conversations: of a batch, or scored ones of an environment. */
export interface ReadConversation {
  readonly line: JsonObject;
  readonly turns: readonly ShareGptTurn[];
  readonly messages: readonly TrajectoryMessage[];
}
export function readConversation(line: JsonObject): ReadConversation | undefined {
  const turns = readTurns(line);
  if (turns !== undefined) return { line, turns, messages: fromShareGpt(turns) };
  const { messages: given } = line;
  if (!Array.isArray(given) || given.length === 0) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages that environments wrote
  const messages = given as unknown as readonly TrajectoryMessage[];
  return { line, turns: toShareGpt(messages, []).slice(1), messages };
}

const BINS = 12;

/** What the figures need of a conversation: files may be larger than memory. */
interface ConversationFigures {
  readonly asked: string;
  readonly turns: number;
  readonly tokens: number;
  readonly replies: number;
  readonly reasoned: number;
  readonly isCompleted: boolean;
  readonly tools: Readonly<Record<string, ToolTally>>;
  readonly toolsets: readonly string[];
  readonly models: readonly string[];
  readonly rewards: readonly number[];
}
function measureConversation({ line, turns, messages }: ReadConversation): ConversationFigures {
  const { reward, toolsets_used: used, completed, finished_naturally: finished, metadata } = line;
  const replies = messages.filter(({ role }) => role === 'assistant');
  return {
    asked: sha256(turns.find(({ from }) => from === 'human')?.value.trim() ?? ''),
    turns: turns.length,
    tokens: countTokensOf(turns),
    replies: replies.length,
    reasoned: replies.filter(hasReasoning).length,
    isCompleted: completed === true || finished === true,
    tools: countTools(messages),
    toolsets: Array.isArray(used) ? used.map(String) : [],
    models: isObject(metadata) && typeof metadata['model'] === 'string' ? [metadata['model']] : [],
    rewards: typeof reward === 'number' ? [reward] : [],
  };
}

export function describeFile(file: string): TrajectoryStatistics {
  let unreadable = 0;
  const found: ConversationFigures[] = [];
  for (const { value } of eachLine(file)) {
    const read = value === undefined ? undefined : readConversation(value);
    if (read === undefined) unreadable++;
    else found.push(measureConversation(read));
  }
  const tokens = found.map((each) => each.tokens);
  const most = tokens.reduce((highest, value) => Math.max(highest, value), 1);
  const rewards = found.flatMap((each) => each.rewards);
  const binOf = (value: number): number => Math.min(BINS - 1, Math.floor((value / most) * BINS));
  return {
    file,
    trajectories: found.length,
    unreadable,
    completed: found.filter(({ isCompleted }) => isCompleted).length,
    duplicates: found.length - new Set(found.map(({ asked }) => asked)).size,
    assistantTurns: sum(found.map(({ replies }) => replies)),
    turnsWithReasoning: sum(found.map(({ reasoned }) => reasoned)),
    turns: describeSpread(found.map(({ turns }) => turns)),
    tokens: describeSpread(tokens),
    tokenBins: Array.from({ length: BINS }, (_, bin) => tokens.filter((value) => binOf(value) === bin).length),
    tools: addToolCounts(found.map(({ tools }) => tools)),
    toolsets: countWords(found.flatMap(({ toolsets }) => toolsets)),
    models: countWords(found.flatMap(({ models }) => models)),
    ...(rewards.length > 0 && { rewards: describeSpread(rewards) }),
  };
}

function describeSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    mean: average(values),
    median: findMedian(values),
    least: sorted[0] ?? 0,
    most: sorted.at(-1) ?? 0,
  };
}

const countWords = (words: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const).toSorted(([, a], [, b]) => b - a),
  );

/** Sums with the names of the Python system's `statistics.json`. */
export function toPythonStatistics({ tools, assistantTurns, turnsWithReasoning }: TrajectoryStatistics): object {
  const rate = (part: number, { success, failure }: ToolTally): number =>
    success + failure === 0 ? 0 : Math.round((part / (success + failure)) * 10_000) / 100;
  return {
    tool_statistics: Object.fromEntries(
      Object.entries(tools).map(([name, count]) => [
        name,
        { ...count, success_rate: rate(count.success, count), failure_rate: rate(count.failure, count) },
      ]),
    ),
    reasoning_statistics: {
      total_assistant_turns: assistantTurns,
      turns_with_reasoning: turnsWithReasoning,
      turns_without_reasoning: assistantTurns - turnsWithReasoning,
    },
  };
}
