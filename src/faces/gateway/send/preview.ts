import type { Clock } from '../../../base/clock.ts';
import { randomHex } from '../../../base/ids.ts';
import { hideOpenTag, readMediaLines } from '../../../base/markdown/media-lines.ts';
import type { GatewayStore } from '../../../contracts/gateway-store.ts';
import { placeOf, type ReplyAddress } from '../contract.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { cutContent } from './cut.ts';
import { MAX_PREVIEW_CALL_MS, PREVIEW, readPreviewFact, type PreviewFact } from './preview-fact.ts';
import type { SendRates } from './rates.ts';
import { readChatType } from '../addresses/reply-address.ts';

/**
 * What is shown of an answer before it is there: one message of ours that is changed as words come, and that the answer itself
 * takes the place of in the end. It is written down before it is sent, so that no crash leaves one that nobody knows of.
 */
export interface AnswerPreview {
  /** Shows this from now on, as soon as the service allows; what comes too fast is left out. */
  show(shown: GrowingText): void;
  /** Nothing is shown any more; what is on its way has arrived or is given up. */
  end(): Promise<void>;
}
/** A text that grows. It is put together only when it is to be sent. */
export interface GrowingText {
  readonly length: number;
  render(): string;
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
  /** Between two changes. */
  readonly intervalMs: number;
  /** So many new characters are worth a change before that time is over. */
  readonly threshold: number;
  readonly cursor: string;
}

/** What is answered within this time after its first words is shown once, as the answer. */
const FIRST_MS = 250;

export function openPreview(deps: AnswerPreviewDeps, options: AnswerPreviewOptions): AnswerPreview {
  const stop = new AbortController();
  let wanted: GrowingText | undefined;
  let working: Promise<void> | undefined;
  let hurry = Promise.withResolvers<void>();
  // Outlive one round of work: words that come after a pause go into the same message, and one that met trouble is left alone.
  let [messageId, shown, isGivenUp]: [string | undefined, string, boolean] = [undefined, '', false];
  let seen = 0;
  let firstAt: number | undefined;
  const work = async (): Promise<void> => {
    while (wanted !== undefined && !isGivenUp && !stop.signal.aborted) {
      const given = wanted;
      const text = firstPiece(given.render(), options.cursor, deps.account);
      const isNew = text !== shown && text.trim() !== '';
      const early = isNew ? FIRST_MS - (deps.clock.now() - (firstAt ?? 0)) : 0;
      if (early > 0) {
        await deps.clock.sleep(Math.min(early, FIRST_MS), stop.signal);
        continue;
      }
      const wait = isNew ? await findWait(deps, options, messageId) : 0;
      seen = given.length;
      hurry = Promise.withResolvers();
      if (isNew && wait === 0) {
        const result = messageId === undefined ? await sendFirst(deps, options, text) : await change(deps, options, messageId, text);
        [messageId, shown, isGivenUp] = [result ?? messageId, text, result === undefined];
      } else if (text === shown) wanted = undefined;
      await rest(wait);
    }
  };
  /** Until the time is over or enough has come; nothing hurries where the service has to be waited for. */
  const rest = async (wait: number): Promise<void> => {
    const slept = new AbortController();
    const sleep = deps.clock.sleep(Math.max(options.intervalMs, wait), AbortSignal.any([stop.signal, slept.signal]));
    await (wait > 0 ? sleep : Promise.race([sleep, hurry.promise]));
    slept.abort();
  };
  return {
    show: (growing) => {
      wanted = growing;
      if (growing.length > 0) firstAt ??= deps.clock.now();
      if (Math.abs(growing.length - seen) >= options.threshold) hurry.resolve();
      working ??= work()
        .catch(() => undefined)
        .finally(() => (working = undefined));
    },
    end: async () => {
      stop.abort('over');
      await working;
    },
  };
}

/** How long until something may be shown; 0 counts it as shown now. What was said before comes first. */
async function findWait(deps: AnswerPreviewDeps, options: AnswerPreviewOptions, messageId: string | undefined): Promise<number> {
  if (messageId === undefined && !(await isNext(deps, options))) return options.intervalMs;
  const { address } = options;
  return deps.rates.take({ target: address.target, traits: deps.account.kind.traits, canWait: true, chatType: readChatType(address) });
}

/** What was said before comes first: a preview never overtakes an answer that is still on its way. */
const isNext = async ({ store }: AnswerPreviewDeps, { sessionId }: AnswerPreviewOptions): Promise<boolean> =>
  (await store.deliveries({ sessionId, states: ['pending'], limit: 1 })).length === 0;

/** So many times the size of a message hold its text, marks and tags included. */
const NEAR = 4;
/** Only the first message of a long answer is shown in advance: the rest would be cut differently as it grows. */
function firstPiece(markdown: string, cursor: string, { kind }: RunningAccount): string {
  // What stands far behind the first message changes nothing in it, and reading all of it each time would take ever longer.
  const near = markdown.slice(0, kind.traits.maxText * NEAR);
  const cut = (text: string) => cutContent({ type: 'text', markdown: readMediaLines(hideOpenTag(text)).text }, kind);
  const pieces = cut(near);
  const [first, second] = pieces.length < 2 && near.length < markdown.length ? cut(markdown) : pieces;
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
  const before = readPreviewFact((await store.route(address.routeKey))?.facts[PREVIEW]);
  if (before?.turnId === turnId && before.usedBy === undefined)
    return before.messageId && change({ store, account, rates, clock }, { address, turnId, ...more }, before.messageId, markdown);
  const fact: PreviewFact = { turnId, key: `p${randomHex(10)}`, at: clock.now() };
  await store.remember(address.routeKey, { [PREVIEW]: { ...fact } });
  const content = { type: 'text', markdown } as const;
  const { messageId: replyTo, handle } = address;
  const sent = await account.sender.send(
    {
      ...placeOf(address.target),
      content,
      key: fact.key,
      ...(replyTo !== undefined && { replyTo }),
      ...(handle !== undefined && { handle }),
    },
    AbortSignal.timeout(MAX_PREVIEW_CALL_MS),
  );
  if (sent.type === 'limited') rates.block(address.target, sent.retryAfterMs, sent.scope);
  if (sent.type === 'sent') await store.remember(address.routeKey, { [PREVIEW]: { ...fact, messageId: sent.messageId } });
  // Surely not there: the answer comes as if none had been tried.
  else if (sent.type !== 'unknown') await store.remember(address.routeKey, { [PREVIEW]: null });
  return sent.type === 'sent' ? sent.messageId : undefined;
}

async function change(
  { account, rates }: AnswerPreviewDeps,
  { address }: AnswerPreviewOptions,
  messageId: string,
  markdown: string,
): Promise<string | undefined> {
  const content = { type: 'text', markdown } as const;
  const result = await account.sender.edit?.({ ...placeOf(address.target), messageId, content }, AbortSignal.timeout(MAX_PREVIEW_CALL_MS));
  if (result?.type === 'limited') rates.block(address.target, result.retryAfterMs, result.scope);
  // A preview that meets trouble is given up: the answer needs the way more.
  return result?.type === 'sent' ? messageId : undefined;
}
