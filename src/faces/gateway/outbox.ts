import type { Clock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { formatDuration } from '../../base/screen/when.ts';
import type {
  ChatTarget,
  Delivery,
  DeliveryPart,
  GatewayStore,
  NewDelivery,
  PartResult,
  Taken,
  TakenRow,
} from '../../contracts/gateway-store.ts';
import type { ChatPlace, OutboundContent, SendResult } from '../../contracts/platform-adapter.ts';
import { isStoreError } from '../../contracts/session-store.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import { describeAccount, type FindAccount, type RunningAccount, type WriteLog } from './contract.ts';
import { cutContent } from './cut.ts';
import type { SendRates } from './rates.ts';
import { noteUndelivered } from './unsent-files.ts';

export interface OutboxDeps {
  readonly store: GatewayStore;
  readonly findAccount: FindAccount;
  readonly rates: SendRates;
  readonly blobs: Pick<Blobs, 'path'>;
  /** A chat goes on under another id. */
  readonly move: (from: ChatTarget, to: ChatPlace) => Promise<void>;
  readonly clock: Clock;
  readonly log: WriteLog;
}

/** How long the service may take for a send, and how long a row stays in these hands without a sign of life. */
export const LEASE_MS = 120_000;
/** Waits between attempts of which it is known that nothing arrived, or not known what did. */
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000] as const;
/** A wait for room shorter than this is waited out with the row in hand. */
const SHORT_WAIT_MS = 2_000;
/** From this age on a text says when it was written. */
const LATE_MS = 3_600_000;

/**
 * Sends one delivery, part by part, and writes down before and after each what is known of it. Whatever happens in between, a
 * part that may have arrived is looked up where the service can tell, and otherwise sent again with a mark.
 */
export async function sendDelivery({ taken, row }: TakenRow<'delivery'>, deps: OutboxDeps, signal: AbortSignal): Promise<void> {
  try {
    const account = deps.findAccount(row.target);
    if (row.ageMs > row.expiresAt - row.at) return await expire(taken, row, deps);
    if (account === undefined) return await deps.store.defer(taken, { delayMs: 60_000, why: 'no such account runs here', counts: false });
    await sendParts(taken, row, { ...deps, account }, signal);
  } catch (error) {
    // Taken over by another process, which goes on with it.
    if (isStoreError(error, 'fenced')) return;
    deps.log(`${describeAccount(row.target)}: a delivery failed inside the gateway: ${toErrorMessage(error)}`);
    await deps.store.defer(taken, { delayMs: 60_000, why: toErrorMessage(error), counts: true }).catch(() => undefined);
  }
}

async function expire(taken: Taken, row: Delivery, { store }: OutboxDeps): Promise<void> {
  const why = 'it could not be delivered in time';
  await noteUndelivered(store, row, why);
  return store.finish(taken, 'expired', why);
}

interface SendDeps extends OutboxDeps {
  readonly account: RunningAccount;
}

async function sendParts(taken: Taken, row: Delivery, deps: SendDeps, signal: AbortSignal): Promise<void> {
  const cut = row.parts === undefined ? cutContent(row.content, deps.account.kind) : undefined;
  let parts: readonly DeliveryPart[] | undefined = row.parts;
  const count = parts?.length ?? cut?.length ?? 0;
  for (let index = 0; index < count; index++) {
    const before = parts?.[index]?.state ?? 'waiting';
    if (before === 'sent' || before === 'failed') continue;
    if (!(await findRoom(taken, row, deps, signal))) return;
    // What was begun by somebody who died may be there already.
    const doubt = before === 'sending' ? await lookUp(taken, row, parts?.[index], deps, signal) : 'absent';
    if (doubt === 'settled') continue;
    if (doubt === 'deferred') return;
    if (before !== 'sending') parts = await deps.store.beginPart(taken, index, cut);
    const part = parts?.[index];
    if (part === undefined) return;
    const isRepeat = doubt === 'unknown' || (index === 0 && row.mayRepeat === true);
    const result = await sendPart(row, part, isRepeat, deps, signal);
    if (!(await settlePart(taken, row, part, result, isRepeat, deps))) return;
  }
}

/** Waits until the service may be called, or gives the row back until then. */
async function findRoom(taken: Taken, { target }: Delivery, deps: SendDeps, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const wait = deps.rates.take({ target, traits: deps.account.kind.traits });
    if (wait === 0) return true;
    if (wait > SHORT_WAIT_MS || signal.aborted) {
      await deps.store.defer(taken, { delayMs: wait, why: 'the service allows no call yet', counts: false });
      return false;
    }
    await deps.clock.sleep(wait, signal);
  }
}

type Doubt = 'absent' | 'unknown' | 'settled' | 'deferred';

/** Whether a part that was begun is there. A service that knows our keys simply gets it again. */
async function lookUp(taken: Taken, row: Delivery, part: DeliveryPart | undefined, deps: SendDeps, signal: AbortSignal): Promise<Doubt> {
  const { kind, sender } = deps.account;
  const { idempotency, keyMs = Number.POSITIVE_INFINITY } = kind.traits;
  if (part === undefined || (idempotency === 'key' && deps.clock.now() - (part.begunAt ?? row.at) < keyMs)) return 'absent';
  // To change a text twice is to change it once.
  if (findEdited(row, part) !== undefined) return 'absent';
  if (idempotency === 'none' || sender.findSent === undefined) return 'unknown';
  const found = await sender.findSent(toMessage(row, part, toContent(part, deps)), part.begunAt ?? row.at, signal);
  if (found.type === 'absent') return 'absent';
  if (found.type === 'found') {
    await deps.store.endPart(taken, part.index, { state: 'sent', messageId: found.messageId });
    return 'settled';
  }
  await deps.store.defer(taken, { delayMs: delayOf(row), why: found.why, counts: true });
  return 'deferred';
}

/** What a part was to take the place of is gone, which only shows when it is tried. */
type PartSendResult = SendResult | { readonly type: 'preview_gone' };

async function sendPart(
  row: Delivery,
  part: DeliveryPart,
  isRepeat: boolean,
  deps: SendDeps,
  signal: AbortSignal,
): Promise<PartSendResult> {
  const { sender } = deps.account;
  const content = toContent(part, deps, marksOf(row, part, isRepeat));
  const { target, handle } = row;
  const edited = findEdited(row, part);
  if (edited !== undefined && sender.edit !== undefined && content.type !== 'media') {
    const result = await sender.edit({ ...target, messageId: edited, content, ...(handle !== undefined && { handle }) }, signal);
    return result.type === 'refused' && part.content.type !== 'edit' ? { type: 'preview_gone' } : result;
  }
  return sender.send(toMessage(row, part, content), signal);
}

/** The message of ours that a part takes the place of: a preview of it, or what an edit names. */
const findEdited = (row: Delivery, { index, content }: DeliveryPart): string | undefined =>
  content.type === 'edit' ? content.messageId : index === 0 ? row.replaces : undefined;

/** Writes down what came of a send; says whether the next part may follow. */
async function settlePart(
  taken: Taken,
  row: Delivery,
  part: DeliveryPart,
  result: PartSendResult,
  isRepeat: boolean,
  deps: SendDeps,
): Promise<boolean> {
  const { store, rates, log, account } = deps;
  const end = (ended: PartResult): Promise<void> => store.endPart(taken, part.index, ended);
  switch (result.type) {
    case 'sent':
      await end({ state: 'sent', messageId: result.messageId, ...(isRepeat && { uncertain: true }) });
      return true;
    case 'limited':
      rates.block(row.target, result.retryAfterMs, result.scope);
      await end({ state: 'waiting' });
      await store.defer(taken, { delayMs: result.retryAfterMs, why: 'the service asked to wait', counts: false });
      return false;
    case 'not_sent':
      await end({ state: 'waiting' });
      await store.defer(taken, { delayMs: delayOf(row), why: result.why, counts: true });
      return false;
    case 'unknown':
      await store.defer(taken, { delayMs: delayOf(row), why: result.why, counts: true });
      return false;
    case 'preview_gone': {
      // Sent as a delivery of its own, of which it can be known whether it arrived.
      const { target, content, replyTo, handle, sessionId, turnId } = row;
      const again = { target, content, ...(replyTo !== undefined && { replyTo }), ...(handle !== undefined && { handle }) };
      const owner = { ...(sessionId !== undefined && { sessionId }), ...(turnId !== undefined && { turnId }) };
      await store.plan([{ key: `${row.key}:again`, ...again, ...owner }]);
      await store.finish(taken, 'withdrawn', 'what it was to replace is gone; it was planned again');
      return false;
    }
    case 'moved':
      await end({ state: 'waiting' });
      await deps.move(row.target, result.to);
      await store.defer(taken, { delayMs: delayOf(row), why: 'the chat has another id now', counts: true });
      return false;
    case 'dead':
      log(`${describeAccount(account.ref)}: nobody can be reached in ${row.target.chatId}: ${result.why}`);
      await store.markDead(row.target, result.why);
      await store.finish(taken, 'dead', result.why);
      return false;
    case 'refused':
      log(`${describeAccount(account.ref)}: a message was refused: ${result.why}`);
      // Told first: whoever dies in between tells it again, under the same key.
      if (part.content.type === 'media') {
        await noteUndelivered(store, row, result.why);
        await store.plan([tellRefused(row, part.content, result.why)]);
      }
      // A notice about a refusal that is refused as well is only in the log.
      if (part.content.type === 'text' && !row.key.endsWith(REFUSED)) await store.plan([tellRefusedText(row, result.why)]);
      await end({ state: 'failed', why: result.why });
      await store.finish(taken, 'failed', result.why);
      return false;
  }
}

const REFUSED = ':refused';
const tellRefusedText = ({ key, target, sessionId }: Delivery, why: string): NewDelivery => ({
  key: `${key}${REFUSED}`,
  target,
  content: { type: 'text', markdown: `I could not send a part of my answer: ${why}.` },
  ...(sessionId !== undefined && { sessionId }),
});

const delayOf = ({ attempts }: Delivery): number => RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 60_000;

/** A file that did not arrive is told, to the person now and to the model with the next message. */
const tellRefused = (row: Delivery, { name, caption }: { readonly name: string; readonly caption?: string }, why: string) => ({
  key: `${row.key}:refused`,
  target: row.target,
  content: {
    type: 'text',
    markdown: [...(caption === undefined ? [] : [caption]), `I could not send \`${name}\`: ${why}.`].join('\n\n'),
  } as const,
  ...(row.sessionId !== undefined && { sessionId: row.sessionId }),
});

function toMessage(row: Delivery, part: DeliveryPart, content: OutboundContent) {
  const { target, replyTo, handle } = row;
  const { chatId, threadId } = target;
  return {
    chatId,
    ...(threadId !== undefined && { threadId }),
    content,
    key: part.key,
    ...(replyTo !== undefined && part.index === 0 && { replyTo }),
    ...(handle !== undefined && { handle }),
  };
}

function toContent({ content }: DeliveryPart, { blobs }: Pick<SendDeps, 'blobs'>, mark = ''): OutboundContent {
  switch (content.type) {
    case 'text':
    case 'edit':
      return 'buttons' in content && content.buttons !== undefined
        ? { type: 'card', markdown: `${mark}${content.markdown}`, buttons: [] }
        : { type: 'text', markdown: `${mark}${content.markdown}` };
    case 'card':
      return { type: 'card', markdown: `${mark}${content.markdown}`, buttons: content.buttons };
    case 'media': {
      const { kind, blob, name, mime, bytes, caption } = content;
      return {
        type: 'media',
        media: { kind, path: blobs.path(blob), name, mime, bytes },
        ...(caption !== undefined && { caption: `${mark}${caption}` }),
      };
    }
  }
}

/** What a reader should know before the words: that they may be there twice, or that they are old. */
function marksOf(row: Delivery, { index, content }: DeliveryPart, isRepeat: boolean): string {
  if (content.type === 'edit') return '';
  const marks = [
    ...(isRepeat ? ['may be a repeat'] : []),
    ...(index === 0 && row.ageMs > LATE_MS ? [`written ${formatDuration(row.ageMs)} ago`] : []),
  ];
  return marks.length === 0 ? '' : `_(${marks.join('; ')})_\n\n`;
}
