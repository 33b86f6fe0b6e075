import type { EntryHead, Entry, MessageEntry, OutcomeEntry } from '../../../contracts/entry.ts';
import {
  joinOwnWords,
  joinShownResult,
  listResultSources,
  type AssistantMessage,
  type ToolCall,
  type ToolMessage,
  type UserMessage,
} from '../../../contracts/message.ts';
import type { Runtime } from '../../../contracts/runtime.ts';
import type { Block, ToolBlock } from '../contract.ts';

/** What a reply shows: reasoning and words as they stand in it, neighbors of one kind as one, and its calls without results. */
export function toReplyBlocks({ content }: AssistantMessage): Block[] {
  const blocks: Block[] = [];
  for (const part of content) {
    if (part.type === 'tool_call') blocks.push(createToolBlock(part));
    else addWords(blocks, part.type === 'text' ? 'answer' : 'thinking', part.text);
  }
  return blocks.filter((block) => (block.kind !== 'answer' && block.kind !== 'thinking') || block.text.trim() !== '');
}

function addWords(blocks: Block[], kind: 'answer' | 'thinking', text: string): void {
  const last = blocks.at(-1);
  if (last?.kind === kind) blocks[blocks.length - 1] = { kind, text: last.text + text };
  else blocks.push({ kind, text });
}

export const createToolBlock = (call: ToolCall): ToolBlock => ({ kind: 'tool', call, state: 'planned', progress: [] });

/** A call with its result as it is stored. */
export const finishToolBlock = (
  call: ToolCall,
  message: ToolMessage,
  { details, ms }: Pick<MessageEntry, 'details' | 'ms'> = {},
): ToolBlock => ({
  kind: 'tool',
  call,
  state: message.failed ? 'failed' : 'finished',
  progress: [],
  ...readResult(message),
  ...(details !== undefined && { details }),
  ...(ms !== undefined && { ms }),
});

/** What a block says of a result, live and from the log. */
export function readResult(message: ToolMessage): Pick<ToolBlock, 'result' | 'source'> {
  const sources = listResultSources(message);
  return { result: joinShownResult(message), ...(sources.length > 0 && { source: sources.join(', ') }) };
}

/** A call whose result was never stored. */
export const abandonToolBlock = (call: ToolCall): ToolBlock => ({ kind: 'tool', call, state: 'failed', progress: [] });

/** The call behind a result that stands alone: what is left of it is its name. */
export const recoverCall = ({ callId, name }: ToolMessage): ToolCall => ({
  type: 'tool_call',
  id: callId,
  name,
  input: {},
  trust: 'model',
});

/** What somebody sent. Words that came along from outside are named, not shown. */
export function toUserBlock(message: UserMessage, { origin, at }: Pick<EntryHead, 'origin' | 'at'>): Block {
  const attachments = message.content.flatMap((part) => nameAttachment(part));
  return { kind: 'user', text: joinOwnWords(message), origin, at, ...(attachments.length > 0 && { attachments }) };
}

function nameAttachment(part: UserMessage['content'][number]): string[] {
  if (part.type === 'image') return ['image'];
  if (part.type === 'file') return [part.name];
  return part.trust === 'foreign' ? [part.source ?? 'attached text'] : [];
}

const nameRuntime = ({ provider, model }: Runtime): string => `${provider} ${model}`;

/** What an entry between messages shows. What only the machine needs to know shows nothing. */
export function toMarkerBlocks(entry: Exclude<Entry, { readonly type: 'message' | 'rewind' }>): Block[] {
  switch (entry.type) {
    case 'epoch':
      return SILENT_CAUSES.has(entry.cause) ? [] : [{ kind: 'note', text: `New system prompt: ${entry.cause}` }];
    case 'compaction':
      return entry.report === undefined
        ? [{ kind: 'note', text: 'The conversation was shortened; the log keeps all of it.' }]
        : [{ kind: 'compaction', report: entry.report }];
    case 'model_change':
      return [{ kind: 'model', from: nameRuntime(entry.from), to: nameRuntime(entry.to), cause: entry.cause }];
    case 'note':
      if (entry.compaction !== undefined) return [{ kind: 'compaction', report: entry.compaction }];
      // A notice told the first when it happened; the second is between the model and its memory.
      return entry.declined === true || entry.flush !== undefined ? [] : [{ kind: 'note', text: entry.text }];
    case 'outcome':
      return [toOutcomeBlock(entry)];
  }
}
/** The start needs no words, and another model has a line of its own. */
const SILENT_CAUSES: ReadonlySet<string> = new Set(['start', 'model changed']);

const toOutcomeBlock = ({ outcome, exitReason, notice = '', at }: OutcomeEntry & Pick<EntryHead, 'at'>): Block => ({
  kind: 'outcome',
  outcome,
  exitReason,
  text: notice,
  at,
});
