import { parseJson } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { TrajectoryMessage } from '../../../contracts/environment.ts';
import type { ExportRequest, ExportResult } from '../../../contracts/services/batches.ts';
import { eachLine, openLineReader, openWholeFile, type StoredLine } from '../lines.ts';
import { toTrajectoryTool } from '../../../commands/trajectory-message.ts';
import { readTools, readTurns } from './read-sharegpt.ts';
import { readConversation } from './statistics.ts';

export interface ExportOptions extends Omit<ExportRequest, 'out' | 'format'> {
  readonly out: string;
}
type DropCount = (why: string) => void;

/** Every kind of file that a trainer takes. */
const EXPORTS: Readonly<Record<ExportRequest['format'], (options: ExportOptions, drop: DropCount) => Iterable<object>>> = {
  sft: listSftLines,
  dpo: listDpoLines,
};

export function exportFile(format: ExportRequest['format'], options: ExportOptions): ExportResult {
  const dropped = new Map<string, number>();
  let lines = 0;
  using target = openWholeFile(options.out);
  for (const line of EXPORTS[format](options, (why) => void dropped.set(why, (dropped.get(why) ?? 0) + 1))) {
    target.append(line);
    lines++;
  }
  target.finish();
  return { out: options.out, format, lines, dropped: Object.fromEntries(dropped) };
}

/** Messages as OpenAI's API has them, with the tools they were written with. */
function* listSftLines({ file, minReward }: ExportOptions, drop: DropCount): Generator<object> {
  for (const { value } of eachLine(file)) {
    const read = value === undefined ? undefined : readConversation(value);
    if (value === undefined || read === undefined) {
      drop('no conversation');
      continue;
    }
    const { reward } = value;
    if (minReward !== undefined && (typeof reward !== 'number' || reward < minReward)) {
      drop(typeof reward === 'number' ? 'reward too low' : 'not scored');
      continue;
    }
    const tools = listTools(value);
    yield {
      messages: read.messages.map(toTrainingMessage),
      ...(tools.length > 0 && { tools }),
      ...(typeof reward === 'number' && { reward }),
    };
  }
}

/** Environments keep the tools with the conversation; in the ShareGPT form they stand in its system turn. */
function listTools(line: JsonObject): readonly unknown[] {
  const turns = readTurns(line);
  if (turns !== undefined) return readTools(turns).map(toTrajectoryTool);
  return Array.isArray(line['tools']) ? line['tools'] : [];
}

/** Arguments as objects: chat templates write them with `tojson`, which would encode a text a second time. */
const toTrainingMessage = ({ tool_calls: calls, ...message }: TrajectoryMessage): object => ({
  ...message,
  ...(calls !== undefined && {
    tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: parseJson(call.function.arguments) ?? {} } })),
  }),
});

interface ScoredLine extends Pick<StoredLine, 'at' | 'size'> {
  readonly reward: number;
}

/** Pairs of attempts at one task: the best against the worst, the second best against the second worst … */
function* listDpoLines({ file, margin, pairs }: ExportOptions, drop: DropCount): Generator<object> {
  const tasks = new Map<string, ScoredLine[]>();
  for (const { at, size, value } of eachLine(file)) {
    const { task_name: task, reward } = value ?? {};
    if (typeof task !== 'string' || typeof reward !== 'number' || !isScored(value)) drop('not scored');
    else tasks.set(task, [...(tasks.get(task) ?? []), { at, size, reward }]);
  }
  if (tasks.size === 0) return;
  using reader = openLineReader(file);
  for (const [task, lines] of tasks) {
    const found = pairLines(lines, margin, pairs);
    if (found.length === 0) drop('task without a pair');
    for (const [better, worse] of found) {
      const [chosen, rejected] = [splitPrompt(reader.read(better)), splitPrompt(reader.read(worse))];
      if (JSON.stringify(chosen.prompt) !== JSON.stringify(rejected.prompt)) {
        drop('different prompts');
        continue;
      }
      yield {
        prompt: chosen.prompt.map(toTrainingMessage),
        chosen: chosen.reply.map(toTrainingMessage),
        rejected: rejected.reply.map(toTrainingMessage),
        ...(chosen.tools.length > 0 && { tools: chosen.tools }),
        score_chosen: better.reward,
        score_rejected: worse.reward,
        margin: better.reward - worse.reward,
        task,
      };
    }
  }
}

/** Attempts that broke say nothing about what the model prefers. */
const isScored = (line: JsonObject | undefined): boolean =>
  line !== undefined && (line['error'] ?? null) === null && readConversation(line) !== undefined;

function pairLines(lines: readonly ScoredLine[], margin: number, most: number): readonly (readonly [ScoredLine, ScoredLine])[] {
  const sorted = lines.toSorted((a, b) => b.reward - a.reward);
  return Array.from(
    { length: Math.min(most, Math.floor(sorted.length / 2)) },
    (_, index) => [sorted[index], sorted.at(-1 - index)] as const,
  )
    .flatMap(([better, worse]) => (better === undefined || worse === undefined ? [] : [[better, worse] as const]))
    .filter(([better, worse]) => better.reward > worse.reward && better.reward - worse.reward >= margin);
}

/** What both attempts were asked, and what this one made of it. */
function splitPrompt(line: JsonObject | undefined): {
  readonly prompt: readonly TrajectoryMessage[];
  readonly reply: readonly TrajectoryMessage[];
  readonly tools: readonly unknown[];
} {
  const messages = (line === undefined ? undefined : readConversation(line))?.messages ?? [];
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const at = first < 0 ? messages.length : first;
  return { prompt: messages.slice(0, at), reply: messages.slice(at), tools: line === undefined ? [] : listTools(line) };
}
