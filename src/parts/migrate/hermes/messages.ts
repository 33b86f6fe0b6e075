import { parseJson, readStringAt, readPath } from '../../../base/json.ts';
import type { AssistantMessage, Message, ToolCall } from '../../../contracts/message.ts';
import type { ForeignMessage } from '../foreign/foreign-home.ts';
import { cleanWords, toContentBlocks, toTextBlocks, toToolCall } from '../log/words.ts';

/** One row of the table `messages`; older versions have fewer columns. */
export type MessageRow = Readonly<Record<string, unknown>>;

/** A summary stands for a row that is `compacted`; one that is merely not active was taken back. */
export function toForeignMessage(row: MessageRow): ForeignMessage {
  const fate = row['active'] !== 0 ? 'stands' : row['compacted'] === 1 ? 'compacted' : 'taken_back';
  return { at: Math.round(Number(row['timestamp']) * 1000), message: toMessage(row), fate };
}

function toMessage(row: MessageRow): Message {
  const content = decode(row['content']);
  switch (row['role']) {
    case 'assistant':
      return toAssistantMessage(row, content);
    case 'tool': {
      const name = cleanWords(readStringAt(row, 'tool_name') ?? 'unknown_tool');
      const callId = readStringAt(row, 'tool_call_id') ?? `row_${String(row['id'])}`;
      return { role: 'tool', callId, name, content: toContentBlocks(content, 'foreign', `${name}, in an earlier program`), failed: false };
    }
    case 'user':
      // Words of a group that were only overheard are nobody's order.
      return { role: 'user', content: toContentBlocks(content, row['observed'] === 1 ? 'foreign' : 'owner') };
    default:
      return { role: 'user', content: toContentBlocks(content, 'foreign', `a message of the role ${String(row['role'])}`) };
  }
}

function toAssistantMessage(row: MessageRow, content: unknown): AssistantMessage {
  const thought = readStringAt(row, 'reasoning') ?? readStringAt(row, 'reasoning_content') ?? '';
  const words = toContentBlocks(content, 'model').flatMap((block) => (block.type === 'text' ? [block] : toTextBlocks('[image]', 'model')));
  return {
    role: 'assistant',
    content: [
      ...(thought === '' ? [] : [{ type: 'thinking' as const, text: cleanWords(thought), trust: 'model' as const }]),
      ...words,
      ...toolCalls(row),
    ],
  };
}

function toolCalls(row: MessageRow): ToolCall[] {
  const calls = parseJson(readStringAt(row, 'tool_calls') ?? '[]');
  if (!Array.isArray(calls)) return [];
  return calls.map((call, index) => {
    const id = readStringAt(call, 'id') ?? readStringAt(call, 'call_id') ?? `row_${String(row['id'])}_${index}`;
    return toToolCall(
      id,
      readStringAt(call, 'function', 'name') ?? readStringAt(call, 'name') ?? 'unknown_tool',
      readPath(call, 'function', 'arguments'),
    );
  });
}

/** Content of several parts stands behind this mark as JSON. */
const PARTS_MARK = '\0json:';

function decode(content: unknown): unknown {
  if (content instanceof Uint8Array) return Buffer.from(content).toString('utf8');
  if (typeof content !== 'string' || !content.startsWith(PARTS_MARK)) return content;
  return parseJson(content.slice(PARTS_MARK.length)) ?? content.slice(PARTS_MARK.length);
}
