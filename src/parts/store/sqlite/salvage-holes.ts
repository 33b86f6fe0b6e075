import type { EntryOrigin } from '../../../contracts/entry.ts';
import {
  collectToolCalls,
  createTextBlock,
  type AssistantMessage,
  type Message,
  type ToolCall,
  type ToolMessage,
} from '../../../contracts/message.ts';

/** An entry in place of one that is lost. */
export interface LostEntry {
  readonly origin: EntryOrigin;
  readonly body: { readonly type: 'note'; readonly text: string } | { readonly type: 'message'; readonly message: Message };
}

const LOST_NOTE = 'An entry stood here. It could not be read from the damaged store and is lost.';
const LOST_RESULT =
  'The result of this call was lost because the session store was damaged. Whether the call took effect is unknown: check before doing it again.';
const LOST_CALLS = 'This message was lost because the session store was damaged. Only the results of its calls are left.';

/**
 * Fills the places from 1 to `last` that hold nothing, so that the next request is valid: a call keeps exactly one result and a result
 * its call; everywhere else a note stands. Calls at the end that were never answered get a result after the last entry, unless the
 * turn they belong to goes on and answers them itself.
 */
export function fillHoles(
  messages: ReadonlyMap<number, Message | 'other'>,
  last: number,
  isTurnOpen: boolean,
): ReadonlyMap<number, LostEntry> {
  const filled = new Map<number, LostEntry>();
  const end = isTurnOpen ? findLastCalls(messages, last) : last + 1;
  let open: ToolCall[] = [];
  for (let seq = 1; seq <= last; seq++) {
    const there = messages.get(seq);
    if (there === 'other') continue;
    if (there === undefined) {
      const [call, ...rest] = seq > end ? [] : open;
      const calls = call === undefined ? collectOrphans(messages, seq, last) : [];
      filled.set(seq, call !== undefined ? createLostResult(call) : calls.length > 0 ? createLostCalls(calls) : LOST);
      open = call === undefined ? calls : rest;
    } else open = stillOpen(open, there);
  }
  if (!isTurnOpen) for (const [index, call] of open.entries()) filled.set(last + 1 + index, createLostResult(call));
  return filled;
}

function stillOpen(open: readonly ToolCall[], message: Message): ToolCall[] {
  if (message.role === 'tool') return open.filter(({ id }) => id !== message.callId);
  return message.role === 'assistant' ? collectToolCalls(message) : [];
}

/** The calls that the turn in progress has not answered. */
function findLastCalls(messages: ReadonlyMap<number, Message | 'other'>, last: number): number {
  for (let seq = last; seq > 0; seq--) {
    const there = messages.get(seq);
    if (there !== undefined && there !== 'other' && there.role === 'assistant') return collectToolCalls(there).length > 0 ? seq : last + 1;
  }
  return last + 1;
}

/** The calls behind results that follow a hole and that no message before it asked for. */
function collectOrphans(messages: ReadonlyMap<number, Message | 'other'>, hole: number, last: number): ToolCall[] {
  const results: ToolMessage[] = [];
  for (let seq = hole + 1; seq <= last; seq++) {
    const there = messages.get(seq);
    if (there === 'other') continue;
    if (there === undefined || there.role !== 'tool') break;
    results.push(there);
  }
  return results.map(({ callId, name }) => ({ type: 'tool_call', id: callId, name, input: {}, trust: 'model' }));
}

const LOST: LostEntry = { origin: 'system', body: { type: 'note', text: LOST_NOTE } };

function createLostResult({ id, name }: ToolCall): LostEntry {
  const message: ToolMessage = { role: 'tool', callId: id, name, failed: true, content: [createTextBlock(LOST_RESULT, 'tool')] };
  return { origin: 'tool', body: { type: 'message', message } };
}

function createLostCalls(calls: readonly ToolCall[]): LostEntry {
  const message: AssistantMessage = { role: 'assistant', content: [createTextBlock(LOST_CALLS, 'model'), ...calls] };
  return { origin: 'model', body: { type: 'message', message } };
}
