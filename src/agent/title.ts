import type { Clock } from '../base/clock.ts';
import { createTimeId } from '../base/ids.ts';
import { takeStart } from '../base/text.ts';
import type { CompleteText, Completion, UnassignedCall } from '../contracts/complete.ts';
import { isMessageEntry, dropRewound, type Entry } from '../contracts/entry.ts';
import { joinNonForeignText } from '../contracts/message.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { commitIdle } from './journal.ts';
import { TITLE_PROMPT } from './words.ts';

/** Characters of a title, and of each side that is shown for it. */
const MAX_TITLE = 60;
const MAX_SHOWN = 2_000;
/** Room for a title in any script, and for a model that thinks aloud a little first. */
const MAX_TOKENS = 64;

export interface TitleDeps {
  readonly store: Pick<SessionStore, 'entries' | 'retitle' | 'claim' | 'commit' | 'release'>;
  readonly complete: CompleteText;
  readonly clock: Clock;
}

/**
 * Gives a session a title by a model, once its first answer stands; nobody waits for it. One that a model or a person named
 * keeps its name. What the call took is entered in the session's ledger, whether a title came of it or not.
 */
export async function giveTitle({ store, complete, clock }: TitleDeps, session: Session, signal: AbortSignal): Promise<string | undefined> {
  if (session.titleBy === 'model' || session.titleBy === 'user') return undefined;
  const entries = await store.entries(session.id);
  const { title, call } = await suggestTitle(complete, entries, signal);
  const named = title === undefined ? undefined : await store.retitle(session.id, title, 'model');
  if (call !== undefined) await enterCall({ store, clock, signal }, recordOf(call, session.id, entries));
  return named?.title;
}

/** What a session is about, in a few words; no title where there is no answer yet, nothing of the owner's, or no usable reply. */
export async function suggestTitle(
  complete: CompleteText,
  log: readonly Entry[],
  signal: AbortSignal,
): Promise<{ readonly title?: string; readonly call?: UnassignedCall }> {
  const text = firstExchange(log);
  if (text === undefined) return {};
  const completion = await complete({ system: TITLE_PROMPT, text, maxTokens: MAX_TOKENS, signal });
  const title = titleIn(completion);
  return { ...(title !== '' && { title }), ...(completion.call !== undefined && { call: completion.call }) };
}

/** The first question and the first answer, cut to a bound. Foreign words name nothing: a page could put its own name there. */
function firstExchange(log: readonly Entry[]): string | undefined {
  const messages = dropRewound(log).filter(isMessageEntry);
  const [asked, answered] = ['user', 'assistant'].map((role) =>
    messages.map(({ message }) => (message.role === role ? joinNonForeignText(message) : '')).find((words) => words !== ''),
  );
  if (asked === undefined || answered === undefined) return undefined;
  return [`User:\n${takeStart(asked, MAX_SHOWN)}`, `Assistant:\n${takeStart(answered, MAX_SHOWN)}`].join('\n\n');
}

/** The first line of the reply without the ornaments models give a title. */
function titleIn(completion: Completion): string {
  if (!completion.ok) return '';
  const line = completion.text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const plain = line
    .replace(/^[\s#*>_"'“”„«`-]*(?:title\s*:)?[\s#*_"'“”„«`]*/iu, '')
    .replace(/[\s*_"'“”»`.]+$/u, '')
    .replaceAll(/\s+/gu, ' ');
  return plain.length <= MAX_TITLE ? plain : takeStart(plain, MAX_TITLE).replace(/\s\S*$/u, '');
}

const recordOf = (call: UnassignedCall, sessionId: string, entries: readonly Entry[]): CallRecord => ({
  ...call,
  id: createTimeId('c', call.at),
  sessionId,
  turnId: '',
  purpose: 'title',
  throughSeq: entries.at(-1)?.seq ?? 0,
});

/** How often a session that is in use is tried again, and how long is waited between: a turn may well run by now. */
const [MAX_TRIES, RETRY_MS] = [60, 1_000];

type EnterDeps = Pick<TitleDeps, 'store' | 'clock'> & { readonly signal: AbortSignal };

async function enterCall({ store, clock, signal }: EnterDeps, call: CallRecord): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await commitIdle(store, call.sessionId, { calls: [call] })) return;
    if (signal.aborted) return;
    await clock.sleep(RETRY_MS, signal);
  }
}
