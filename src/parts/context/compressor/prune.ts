import { isObject } from '../../../base/json.ts';
import { takeStart } from '../../../base/text.ts';
import {
  createTextBlock,
  joinTextBlocks,
  type AssistantMessage,
  type Json,
  type Message,
  type ToolCall,
  type ToolMessage,
} from '../../../contracts/message.ts';
import { describeBlock } from './rows/blocks.ts';
import { describeToolResult, describeCallTarget } from './rows/outcome.ts';
import { indexCallsById, type ViewRow } from './rows/rows.ts';

/** Results of this length and more are told in one line, and known by their copies. */
const LONG_RESULT = 200;
const LONG_ARGUMENT = 500;
const KEPT_ARGUMENT = 200;

/** The cheap half of a compaction, without a model: what the rows of a span say, with bulk told instead of repeated. */
export function prune(rows: readonly ViewRow[]): readonly ViewRow[] {
  const calls = indexCallsById(rows.map(({ message }) => message));
  const newest = newestCopies(rows);
  return rows.map((row) => ({ ...row, message: pruned(row, calls, newest) }));
}

/** Where each long result was seen last, by its text. */
const newestCopies = (rows: readonly ViewRow[]): ReadonlyMap<string, number> =>
  new Map(
    rows.flatMap(({ message, fromSeq }) => {
      const body = message.role === 'tool' ? joinTextBlocks(message) : '';
      return body.length >= LONG_RESULT ? [[body, fromSeq] as const] : [];
    }),
  );

function pruned({ message, fromSeq }: ViewRow, calls: ReadonlyMap<string, ToolCall>, newest: ReadonlyMap<string, number>): Message {
  switch (message.role) {
    case 'user':
      return { ...message, content: message.content.map(describeBlock) };
    case 'assistant':
      return { ...message, content: message.content.flatMap(shortened) };
    case 'tool':
      return prunedResult(message, fromSeq, calls.get(message.callId), newest);
  }
}

function prunedResult(message: ToolMessage, seq: number, call: ToolCall | undefined, newest: ReadonlyMap<string, number>): ToolMessage {
  const body = joinTextBlocks(message);
  const trust = message.content.find((block) => block.trust === 'foreign')?.trust ?? 'tool';
  const later = newest.get(body);
  if (later !== undefined && later !== seq)
    return { ...message, content: [createTextBlock(`${message.name} ${describeCallTarget(call)} → the same as entry ${later}`, trust)] };
  if (body.length > LONG_RESULT) return { ...message, content: [createTextBlock(describeToolResult(message, call), trust)] };
  return { ...message, content: message.content.map((block) => (block.type === 'image' ? describeBlock(block) : block)) };
}

function shortened(block: AssistantMessage['content'][number]): AssistantMessage['content'][number][] {
  if (block.type === 'thinking') return [];
  if (block.type === 'text') return [block];
  const { malformed, input, id, name, trust, type } = block;
  return [{ type, id, name, trust, input: cutStrings(input), ...(malformed !== undefined && { malformed: cut(malformed) }) }];
}

/** Long strings are cut inside the value, so that it stays JSON. */
function cutStrings(value: Json): Json {
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) return value.map((item: Json) => cutStrings(item));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutStrings(member ?? null)])) : value;
}

const cut = (value: string): string =>
  value.length > LONG_ARGUMENT ? `${takeStart(value, KEPT_ARGUMENT)}… [${value.length} characters]` : value;
