import type { Entry, EntryHead, MessageEntry, RewindEntry } from '../../../contracts/entry.ts';
import type { AssistantMessage, ToolMessage } from '../../../contracts/message.ts';
import type { Block } from '../contract.ts';
import { abandonToolBlock, finishToolBlock, recoverCall, toMarkerBlocks, toReplyBlocks, toUserBlock } from './blocks.ts';
import { createTranscript, isWords, pushLive, settleLive, toDraft, type TranscriptDraft, type LiveItem, type Transcript } from './state.ts';

/** A transcript made from a log: what it has finished is what it had finished live. */
export function applyEntries(entries: readonly Entry[], start: Transcript = createTranscript()): Transcript {
  const draft = toDraft(start);
  for (const entry of entries) addEntry(draft, entry);
  return draft;
}

/** The one way a stored entry becomes blocks, live and from the log. */
export function addEntry(draft: TranscriptDraft, entry: Entry): void {
  if (entry.type === 'message') addMessage(draft, entry);
  else if (entry.type === 'rewind') addRewind(draft, entry);
  else {
    if (entry.type === 'outcome') abandonCalls(draft);
    if (entry.type === 'compaction') draft.counters = { ...draft.counters, compactions: draft.counters.compactions + 1 };
    for (const block of toMarkerBlocks(entry)) pushLive(draft, block, 'done');
  }
  settleLive(draft);
}

function addMessage(draft: TranscriptDraft, entry: EntryHead & MessageEntry): void {
  const { message, turnId, seq } = entry;
  if (turnId !== undefined && draft.turns.at(-1)?.turnId !== turnId) draft.turns.push({ turnId, seq });
  if (message.role === 'tool') return addResult(draft, message, entry);
  abandonCalls(draft);
  if (message.role === 'assistant') return addReply(draft, message);
  if (entry.origin !== 'summary') pushLive(draft, toUserBlock(message, entry), 'done');
}

/** A stored reply takes the place of the words that were streamed for it: each of its parts goes on under the key of its stream. */
function addReply(draft: TranscriptDraft, message: AssistantMessage): void {
  const streamed = takeWords(draft);
  for (const block of toReplyBlocks(message)) {
    const at = streamed.findIndex(({ block: { kind } }) => kind === block.kind);
    const [match] = at < 0 ? [] : streamed.splice(0, at + 1).slice(-1);
    pushLive(draft, block, block.kind === 'tool' ? 'pending' : 'done', match?.key);
  }
}

/** Removes what is streamed and not stored. */
export function takeWords(draft: TranscriptDraft): LiveItem[] {
  const words = draft.live.filter(isWords);
  if (words.length > 0) draft.live = draft.live.filter((item) => !isWords(item));
  return words;
}

function addResult(draft: TranscriptDraft, message: ToolMessage, entry: Pick<MessageEntry, 'details' | 'ms'>): void {
  const at = draft.live.findIndex(({ block, state }) => state === 'pending' && block.kind === 'tool' && block.call.id === message.callId);
  const item = draft.live[at];
  draft.counters = { ...draft.counters, calls: draft.counters.calls + 1 };
  if (item?.block.kind !== 'tool') return pushLive(draft, finishToolBlock(recoverCall(message), message, entry), 'done');
  draft.live[at] = { ...item, block: finishToolBlock(item.block.call, message, entry), state: 'done' };
}

/** After the next message nothing can come for a call anymore. */
function abandonCalls(draft: TranscriptDraft): void {
  draft.live = draft.live.map((item) =>
    item.state === 'pending' && item.block.kind === 'tool' ? { ...item, block: abandonToolBlock(item.block.call), state: 'done' } : item,
  );
}

function addRewind(draft: TranscriptDraft, { toSeq }: RewindEntry): void {
  const standing = draft.turns.filter(({ seq }) => seq <= toSeq);
  const block: Block = { kind: 'rewind', turns: draft.turns.length - standing.length };
  draft.turns = standing;
  pushLive(draft, block, 'done');
}
