import { createTextBlock, type Message } from '../../../contracts/message.ts';
import type { AdoptedEntry } from '../../../contracts/session-store.ts';
import type { ForeignLog } from '../foreign/foreign-home.ts';
import { createLogDraft, type LogDraft } from './drafts.ts';

export interface LogOrigin {
  /** The session's name for good. */
  readonly key: string;
  /** Whose session it was, for a reader of the log. */
  readonly note: string;
  readonly startedAt: number;
}

/**
 * The log of a session of another program as a log of ours. Every message is in it, in its order and with its time. What a
 * model was shown there it is shown here: what was taken back is taken back, and a summary stands for what it stood for.
 * Where the other program left a hole, a mark of ours fills it: a call without a result, a message without an answer.
 */
export function createAdoptedLog({ messages, summary }: ForeignLog, { key, note, startedAt }: LogOrigin): readonly AdoptedEntry[] {
  const draft = createLogDraft(key);
  draft.add({ type: 'note', origin: 'system', text: note }, startedAt);
  const lastCompacted = messages.findLastIndex(({ fate }) => fate === 'compacted');
  /** The position before what was taken back, while that goes on; the first position a summary stands for. */
  let before: number | undefined;
  let hidden: number | undefined;
  for (const [index, { message, at, fate }] of messages.entries()) {
    if (fate === 'taken_back') before ??= settleHere(draft);
    else if (before !== undefined) before = takeBack(draft, before, at);
    if (fate === 'compacted') hidden ??= settleHere(draft) + 1;
    if (fate === 'taken_back' && message.role !== 'user' && draft.length() === before) draft.open(at);
    draft.say(message, at);
    if (index === lastCompacted && hidden !== undefined) compactFrom(draft, hidden, at, summary);
  }
  if (before !== undefined) takeBack(draft, before, messages.at(-1)?.at ?? startedAt);
  draft.settle();
  return draft.entries();
}

function settleHere(draft: LogDraft): number {
  draft.settle();
  return draft.length();
}

function takeBack(draft: LogDraft, toSeq: number, at: number): undefined {
  draft.settle();
  draft.add({ type: 'rewind', origin: 'user', toSeq }, at);
  draft.goBackTo(toSeq);
}

function compactFrom(draft: LogDraft, fromSeq: number, at: number, summary: string | undefined): void {
  const toSeq = settleHere(draft);
  draft.add({ type: 'compaction', origin: 'summary', fromSeq, toSeq, summary: toSummary(summary) }, at);
  draft.hide();
}

const toSummary = (summary: string | undefined): Message => ({
  role: 'user',
  content: [
    summary === undefined
      ? createTextBlock(
          'The earlier messages of this conversation are no longer shown. What follows sums them up or goes on without them.',
          'owner',
        )
      : createTextBlock(summary, 'model'),
  ],
});
