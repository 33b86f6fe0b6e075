import type { Clock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { randomHex } from '../../base/ids.ts';
import { hideOpenTag, readMediaLines } from '../../base/markdown/media-lines.ts';
import type { GatewayStore, NewDelivery } from '../../contracts/gateway-store.ts';
import type { SettledAnswer } from '../../contracts/host.ts';
import type { RunningAccount, ReplyAddress } from './contract.ts';
import { cutContent } from './cut.ts';
import type { SendRates } from './rates.ts';
import { parseSessionKey } from './session-key.ts';

/**
 * What is shown of an answer before it is there: one message of ours that is changed as words come, and that the answer itself
 * takes the place of in the end. It is written down before it is sent, so that no crash leaves one that nobody knows of.
 */
export interface AnswerPreview {
  /** Shows this from now on, as soon as the service allows; what comes too fast is left out. */
  show(markdown: string): void;
  /** Nothing is shown any more; what is on its way has arrived or is given up. */
  end(): Promise<void>;
}
export interface AnswerPreviewDeps {
  readonly store: Pick<GatewayStore, 'remember' | 'route' | 'deliveries'>;
  readonly account: RunningAccount;
  readonly rates: SendRates;
  readonly clock: Clock;
}
export interface AnswerPreviewOptions {
  readonly address: ReplyAddress;
  readonly sessionId: string;
  readonly turnId: string;
  readonly intervalMs: number;
  readonly cursor: string;
}

/** What is kept of a preview, among the facts of its chat. */
interface PreviewFact {
  readonly turnId: string;
  readonly key: string;
  readonly messageId?: string;
  /** The answer that takes its place: a turn that gives several has a preview for each. */
  readonly usedBy?: string;
}
const FACT = 'preview';

/** How long a call for a preview may take before the answer is more important. */
const MAX_CALL_MS = 10_000;

export function openPreview(deps: AnswerPreviewDeps, options: AnswerPreviewOptions): AnswerPreview {
  const stop = new AbortController();
  let wanted: string | undefined;
  let working: Promise<void> | undefined;
  // Outlive one round of work: words that come after a pause go into the same message, and one that met trouble is left alone.
  let [messageId, shown, isGivenUp]: [string | undefined, string, boolean] = [undefined, '', false];
  const work = async (): Promise<void> => {
    while (wanted !== undefined && !isGivenUp && !stop.signal.aborted) {
      const text = firstPiece(wanted, options.cursor, deps.account);
      if (text !== shown && text.trim() !== '' && (messageId !== undefined || (await isNext(deps, options))) && hasRoom(deps, options)) {
        const result = messageId === undefined ? await sendFirst(deps, options, text) : await change(deps, options, messageId, text);
        [messageId, shown, isGivenUp] = [result ?? messageId, text, result === undefined];
      } else if (text === shown) wanted = undefined;
      await deps.clock.sleep(options.intervalMs, stop.signal);
    }
  };
  return {
    show: (markdown) => {
      wanted = markdown;
      working ??= work()
        .catch(() => undefined)
        .finally(() => (working = undefined));
    },
    end: async () => {
      stop.abort();
      await working;
    },
  };
}

/** What was said before comes first: a preview never overtakes an answer that is still on its way. */
const isNext = async ({ store }: AnswerPreviewDeps, { sessionId }: AnswerPreviewOptions): Promise<boolean> =>
  (await store.deliveries({ sessionId, states: ['pending'], limit: 1 })).length === 0;

const hasRoom = ({ rates, account }: AnswerPreviewDeps, { address }: AnswerPreviewOptions): boolean =>
  rates.take({ target: address.target, traits: account.kind.traits, canWait: true, ...chatTypeOf(address) }) === 0;
const chatTypeOf = ({ routeKey }: ReplyAddress) => {
  const type = parseSessionKey(routeKey)?.type;
  return type === undefined ? {} : { chatType: type };
};

/** Only the first message of a long answer is shown in advance: the rest would be cut differently as it grows. */
function firstPiece(markdown: string, cursor: string, { kind }: RunningAccount): string {
  const [first, second] = cutContent({ type: 'text', markdown: readMediaLines(hideOpenTag(markdown)).text }, kind);
  if (first?.content.type !== 'text') return '';
  return second === undefined ? `${first.content.markdown}${cursor}` : first.content.markdown;
}

/** Gives the message's id; nothing when no more is to be shown. */
async function sendFirst(
  { store, account, rates, clock }: AnswerPreviewDeps,
  { address, turnId, ...more }: AnswerPreviewOptions,
  markdown: string,
): Promise<string | undefined> {
  // A turn that goes on after a restart goes on in the message that shows its beginning.
  const before = readFact((await store.route(address.routeKey))?.facts[FACT]);
  if (before?.turnId === turnId && before.usedBy === undefined)
    return before.messageId && change({ store, account, rates, clock }, { address, turnId, ...more }, before.messageId, markdown);
  const fact: PreviewFact = { turnId, key: `p${randomHex(10)}` };
  await store.remember(address.routeKey, { [FACT]: { ...fact } });
  const { chatId, threadId } = address.target;
  const content = { type: 'text', markdown } as const;
  const { messageId: replyTo, handle } = address;
  const sent = await account.sender.send(
    {
      chatId,
      ...(threadId !== undefined && { threadId }),
      content,
      key: fact.key,
      ...(replyTo !== undefined && { replyTo }),
      ...(handle !== undefined && { handle }),
    },
    AbortSignal.timeout(MAX_CALL_MS),
  );
  if (sent.type === 'limited') rates.block(address.target, sent.retryAfterMs, sent.scope);
  if (sent.type === 'sent') await store.remember(address.routeKey, { [FACT]: { ...fact, messageId: sent.messageId } });
  // Surely not there: the answer comes as if none had been tried.
  else if (sent.type !== 'unknown') await store.remember(address.routeKey, { [FACT]: null });
  return sent.type === 'sent' ? sent.messageId : undefined;
}

async function change(
  { account, rates }: AnswerPreviewDeps,
  { address }: AnswerPreviewOptions,
  messageId: string,
  markdown: string,
): Promise<string | undefined> {
  const { chatId, threadId } = address.target;
  const content = { type: 'text', markdown } as const;
  const result = await account.sender.edit?.(
    { chatId, ...(threadId !== undefined && { threadId }), messageId, content },
    AbortSignal.timeout(MAX_CALL_MS),
  );
  if (result?.type === 'limited') rates.block(address.target, result.retryAfterMs, result.scope);
  // A preview that meets trouble is given up: the answer needs the way more.
  return result?.type === 'sent' ? messageId : undefined;
}

/** How an answer takes the place of what was shown of it, also when another process showed it. */
export async function replacePreview(
  { store, account }: { readonly store: Pick<GatewayStore, 'remember' | 'route'>; readonly account: RunningAccount },
  address: ReplyAddress,
  answer: Pick<SettledAnswer, 'turnId' | 'key'>,
): Promise<Pick<NewDelivery, 'replaces' | 'mayRepeat'>> {
  const fact = readFact((await store.route(address.routeKey))?.facts[FACT]);
  if (fact?.turnId !== answer.turnId || (fact.usedBy ?? answer.key) !== answer.key) return {};
  await store.remember(address.routeKey, { [FACT]: { ...fact, usedBy: answer.key } });
  return fact.messageId !== undefined ? { replaces: fact.messageId } : findLostPreview(account, address, fact);
}

/** A preview whose answer never came may be there all the same. */
async function findLostPreview(
  { kind, sender }: RunningAccount,
  { target }: ReplyAddress,
  { key }: PreviewFact,
): Promise<Pick<NewDelivery, 'replaces' | 'mayRepeat'>> {
  const { chatId, threadId } = target;
  const again = { chatId, ...(threadId !== undefined && { threadId }), content: { type: 'text', markdown: '…' }, key } as const;
  const signal = AbortSignal.timeout(MAX_CALL_MS);
  if (kind.traits.idempotency === 'none') return { mayRepeat: true };
  if (kind.traits.idempotency === 'key') {
    const sent = await sender.send(again, signal);
    return sent.type === 'sent' ? { replaces: sent.messageId } : { mayRepeat: true };
  }
  const found = await sender.findSent?.(again, 0, signal);
  return found?.type === 'found' ? { replaces: found.messageId } : found?.type === 'absent' ? {} : { mayRepeat: true };
}

function readFact(value: unknown): PreviewFact | undefined {
  if (!isObject(value) || typeof value['turnId'] !== 'string' || typeof value['key'] !== 'string') return undefined;
  const { turnId, key, messageId, usedBy } = value;
  return { turnId, key, ...(typeof messageId === 'string' && { messageId }), ...(typeof usedBy === 'string' && { usedBy }) };
}
