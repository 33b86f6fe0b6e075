import { sha256 } from '../../../base/sha256.ts';
import type { MessageEntry, NewEntry } from '../../../contracts/entry.ts';
import { collectToolCalls, createTextBlock, type AssistantMessage, type Message, type ToolMessage } from '../../../contracts/message.ts';
import type { AdoptedEntry } from '../../../contracts/session-store.ts';

/** A log that is being made: always one that a model could be sent, since roles alternate and every call has its result. */
export interface LogDraft {
  /** How many entries there are: the position of the last. */
  length(): number;
  say(message: Message, at: number): void;
  /** Begins a turn for words that nobody asked for. */
  open(at: number): void;
  /** Ends the turn that is open. */
  settle(): void;
  /** Adds an entry between turns. */
  add(entry: NewEntry, at: number): void;
  /** Goes on as if the log ended at a position between turns. */
  goBackTo(length: number): void;
  /** What is there so far is not shown any more and cannot be gone on with. */
  hide(): void;
  entries(): readonly AdoptedEntry[];
}

interface EntryDraft {
  entry: NewEntry;
  readonly at: number;
  readonly turnId?: string;
}
interface MessageDraft extends EntryDraft {
  entry: MessageEntry & { readonly origin: NewEntry['origin'] };
}

/** `key` names the session for good: ids are made from it, so that the same log always has the same ones. */
export function createLogDraft(key: string): LogDraft {
  const drafts: EntryDraft[] = [];
  /** The messages that stand, with their positions. */
  let shown: (readonly [position: number, draft: MessageDraft])[] = [];
  let last: MessageDraft | undefined;
  let turnId: string | undefined;
  let waiting = new Map<string, string>();

  const push = (message: Message, origin: NewEntry['origin'], at: number): void => {
    last = { entry: { type: 'message', origin, message }, at, ...(turnId !== undefined && { turnId }) };
    shown.push([drafts.push(last), last]);
  };
  const silence = (at: number): void => push({ role: 'assistant', content: [] }, 'nudge', at);
  const answerCalls = (at: number): void => {
    for (const [callId, name] of waiting) push(noResult(callId, name), 'tool', at);
    waiting = new Map();
  };
  const begin = (at: number): void => void (turnId = `t_${idFrom(at, `${key}\0turn\0${drafts.length}`)}`);

  function settle(): void {
    if (turnId === undefined || last === undefined) return;
    answerCalls(last.at);
    if (last.entry.message.role !== 'assistant') silence(last.at);
    drafts.push({ entry: outcomeOf(last), at: last.at, turnId });
    turnId = undefined;
  }
  function sayAssistant(message: AssistantMessage, at: number): void {
    answerCalls(at);
    if (last === undefined) push(askMissing(), 'nudge', at);
    const before = last?.entry.message;
    if (last !== undefined && before?.role === 'assistant')
      last.entry = { type: 'message', origin: 'model', message: { ...before, content: [...before.content, ...message.content] } };
    else push(message, 'model', at);
    for (const { id, name } of collectToolCalls(message)) waiting.set(id, name);
  }
  function sayTool(message: ToolMessage, at: number): void {
    const { callId, name } = message;
    if (!waiting.has(callId))
      sayAssistant({ role: 'assistant', content: [{ type: 'tool_call', id: callId, name, input: {}, trust: 'model' }] }, at);
    waiting.delete(callId);
    push(message, 'tool', at);
  }

  return {
    length: () => drafts.length,
    say: (message, at) => {
      if (message.role === 'user') {
        settle();
        begin(at);
        push(message, 'user', at);
        return;
      }
      if (turnId === undefined) begin(at);
      if (message.role === 'assistant') sayAssistant(message, at);
      else sayTool(message, at);
    },
    open: (at) => {
      begin(at);
      push(askMissing(), 'nudge', at);
    },
    settle,
    add: (entry, at) => void drafts.push({ entry, at }),
    goBackTo: (length) => {
      shown = shown.filter(([position]) => position <= length);
      last = shown.at(-1)?.[1];
    },
    hide: () => {
      shown = [];
      last = undefined;
    },
    entries: () => withIds(drafts, key),
  };
}

const noResult = (callId: string, name: string): ToolMessage => ({
  role: 'tool',
  callId,
  name,
  content: [createTextBlock('The result of this call was not recorded.', 'tool')],
  failed: true,
});
const askMissing = (): Message => ({
  role: 'user',
  content: [createTextBlock('The message that the following words answer was not recorded.', 'owner')],
});

/** The answer is named by its place; `withIds` puts the id there. */
function outcomeOf({ entry }: MessageDraft): NewEntry {
  const answered = entry.message.content.some(({ type }) => type === 'text');
  return answered
    ? { type: 'outcome', origin: 'system', outcome: 'answered', exitReason: 'answered', messageId: '' }
    : { type: 'outcome', origin: 'system', outcome: 'stopped', exitReason: 'interrupted' };
}

/** Sorts by time like every id of an entry. */
const idFrom = (at: number, text: string): string =>
  `${Math.max(0, Math.trunc(at)).toString(16).padStart(11, '0')}${sha256(text).slice(0, 12)}`;

function withIds(drafts: readonly EntryDraft[], key: string): AdoptedEntry[] {
  const entries: AdoptedEntry[] = [];
  let answer = '';
  for (const [index, { entry: draft, at, turnId }] of drafts.entries()) {
    const entry = draft.type === 'outcome' && draft.messageId !== undefined ? { ...draft, messageId: answer } : draft;
    const id = `e_${idFrom(at, `${key}\0${index}\0${JSON.stringify(entry)}`)}`;
    if (entry.type === 'message' && entry.message.role === 'assistant') answer = id;
    entries.push({ ...entry, id, at, ...(turnId !== undefined && { turnId }) });
  }
  return entries;
}
