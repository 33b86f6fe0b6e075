import { isObject, readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import type { AssistantMessage, Message } from '../../../contracts/message.ts';
import type { ForeignCost, ForeignLog, ForeignMessage } from '../foreign/foreign-home.ts';
import { cleanWords, toContentBlocks, toTextBlocks, toToolCall } from '../log/words.ts';

/** One line of a transcript: a message, a compaction, a reset or something of the program's own. */
export type TranscriptEvent = Json;

/** The log of a transcript. Its events form a tree; the last of them says which way from the root counts. */
export function readTranscript(events: readonly TranscriptEvent[]): ForeignLog {
  const path = activePath(events);
  const cut = findCut(events.filter((event) => path.has(readStringAt(event, 'id') ?? '')));
  let hidden = cut !== undefined;
  const messages = events.flatMap((event): ForeignMessage[] => {
    const id = readStringAt(event, 'id') ?? '';
    if (id === cut?.firstKept) hidden = false;
    const message = toMessage(event);
    if (event === cut?.event) hidden = false;
    if (message === undefined) return [];
    return [{ at: timeOf(event), message, fate: !path.has(id) ? 'taken_back' : hidden ? 'compacted' : 'stands' }];
  });
  return { messages, costs: sumCosts(events), ...(cut?.summary !== undefined && { summary: cleanWords(cut.summary) }) };
}

/** From the last event up to the root. */
function activePath(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  const parents = new Map(events.map((event) => [readStringAt(event, 'id') ?? '', readStringAt(event, 'parentId')]));
  const path = new Set<string>();
  let id = readStringAt(
    events.findLast((event) => readStringAt(event, 'id') !== undefined && readStringAt(event, 'type') !== 'session'),
    'id',
  );
  for (; id !== undefined && !path.has(id); id = parents.get(id)) path.add(id);
  return path;
}

interface TranscriptCut {
  readonly event: TranscriptEvent;
  readonly firstKept?: string;
  readonly summary?: string;
}

/** The last event after which the model did not see everything any more. */
function findCut(path: readonly TranscriptEvent[]): TranscriptCut | undefined {
  const event = path.findLast((each) => ['compaction', 'reset'].includes(readStringAt(each, 'type') ?? ''));
  if (event === undefined) return undefined;
  const [firstKept, summary] = [readStringAt(event, 'firstKeptEntryId'), readStringAt(event, 'summary')];
  return { event, ...(firstKept !== undefined && { firstKept }), ...(summary !== undefined && { summary }) };
}

function toMessage(event: TranscriptEvent): Message | undefined {
  const type = readStringAt(event, 'type');
  if (type === 'custom_message')
    return { role: 'user', content: toContentBlocks(readPath(event, 'content'), 'foreign', 'an extension of OpenClaw') };
  const message = readPath(event, 'message');
  if (type !== 'message' || !isObject(message)) return undefined;
  switch (message['role']) {
    case 'assistant':
      return toAssistantMessage(message['content']);
    case 'toolResult': {
      const name = cleanWords(readStringAt(message, 'toolName') ?? 'unknown_tool');
      const content = toContentBlocks(message['content'], 'foreign', `${name}, in OpenClaw`);
      return { role: 'tool', callId: readStringAt(message, 'toolCallId') ?? '', name, content, failed: message['isError'] === true };
    }
    default: {
      // Whoever wrote in a group is not the owner unless it says so.
      const isOwner = message['role'] === 'user' && readPath(message, '__openclaw', 'senderIsOwner') !== false;
      return { role: 'user', content: toContentBlocks(message['content'], isOwner ? 'owner' : 'foreign') };
    }
  }
}

function toAssistantMessage(content: Json | undefined): AssistantMessage {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: typeof content === 'string' ? content : '' }];
  return {
    role: 'assistant',
    content: parts.flatMap((part): AssistantMessage['content'] => {
      if (readStringAt(part, 'type') === 'thinking')
        return [{ type: 'thinking', text: cleanWords(readStringAt(part, 'thinking') ?? ''), trust: 'model' }];
      if (readStringAt(part, 'type') === 'toolCall')
        return [toToolCall(readStringAt(part, 'id') ?? '', readStringAt(part, 'name') ?? 'unknown_tool', readPath(part, 'arguments'))];
      return toTextBlocks(readStringAt(part, 'text') ?? JSON.stringify(part), 'model');
    }),
  };
}

const timeOf = (event: TranscriptEvent): number =>
  readNumberAt(event, 'message', 'timestamp') ?? (Date.parse(readStringAt(event, 'timestamp') ?? '') || 0);

/** Every answer says what it cost; here one sum stands for each model. */
function sumCosts(events: readonly TranscriptEvent[]): readonly ForeignCost[] {
  const sums = new Map<string, ForeignCost>();
  for (const event of events) {
    const usage = readPath(event, 'message', 'usage');
    if (!isObject(usage)) continue;
    const [provider, model] = [readStringAt(event, 'message', 'provider') ?? '', readStringAt(event, 'message', 'model') ?? ''];
    const before = sums.get(`${provider}/${model}`);
    const add = (name: keyof ForeignCost['usage'], field: string) => (before?.usage[name] ?? 0) + (readNumberAt(usage, field) ?? 0);
    const price = (before?.price ?? 0) + (readNumberAt(usage, 'cost', 'total') ?? 0);
    sums.set(`${provider}/${model}`, {
      at: timeOf(event),
      provider,
      model,
      baseUrl: '',
      usage: {
        input: add('input', 'input'),
        output: add('output', 'output'),
        cacheRead: add('cacheRead', 'cacheRead'),
        cacheWrite: add('cacheWrite', 'cacheWrite'),
        reasoning: add('reasoning', 'reasoningTokens'),
      },
      ...(price > 0 && { price }),
    });
  }
  return [...sums.values()];
}
