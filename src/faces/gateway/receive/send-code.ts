import { randomHex } from '../../../base/ids.ts';
import type { Arrival, Taken } from '../../../contracts/gateway-store.ts';
import type { ChatPlace, SendResult } from '../../../contracts/platform-adapter.ts';
import type { RunningAccount } from '../accounts/account.ts';
import type { StrangerAnswer } from '../access/strangers.ts';
import { placeOf } from '../contract.ts';
import type { SendRates } from '../send/rates.ts';
import type { DispatchDeps } from './contract.ts';
import { settle } from './settle.ts';

/** How long an answer that is in no row may take: the chat's next message waits for it. */
const SEND_MS = 10_000;
/** An arrival that could not be handled is tried again after this long. */
export const RETRY_MS = 5_000;

/** What somebody gets who may not speak. A code that surely did not arrive is followed by another; whoever was given up on asks again. */
export async function refuseStranger(
  taken: Taken,
  row: Arrival,
  chat: ChatPlace,
  account: RunningAccount,
  deps: DispatchDeps,
): Promise<void> {
  const answer = await deps.answerStranger(account, row);
  const sent = answer && (await offerCode(answer, chat, account, deps));
  return (await deferUnsent(taken, sent, deps)) ? undefined : settle(taken, deps, 'refused', 'may not speak here');
}

async function offerCode(
  answer: StrangerAnswer,
  chat: ChatPlace,
  account: RunningAccount,
  deps: DispatchDeps,
): Promise<SendResult | undefined> {
  const wait = deps.rates.take({ target: { ...account.ref, ...placeOf(chat) }, traits: account.kind.traits });
  if (wait > 0) return { type: 'limited', retryAfterMs: wait, scope: 'chat' };
  const offered = await answer.offer();
  if (offered === undefined) return undefined;
  const sent = await sendNow(account, chat, offered.words, deps);
  if (sent.type === 'sent') await offered.delivered();
  return sent;
}

/** Answers the owner's command with its code. One that surely did not arrive is followed by another. */
export async function answerWithCode(
  taken: Taken,
  chat: ChatPlace,
  words: string,
  account: RunningAccount,
  deps: DispatchDeps,
): Promise<void> {
  const sent = await sendCode(account, chat, words, deps);
  return (await deferUnsent(taken, sent, deps)) ? undefined : settle(taken, deps, 'command', 'it was answered with a code');
}

/** Whether the arrival comes again, because its code surely did not arrive. */
async function deferUnsent(taken: Taken, sent: SendResult | undefined, { store }: DispatchDeps): Promise<boolean> {
  if (sent?.type !== 'limited' && sent?.type !== 'not_sent') return false;
  const delayMs = sent.type === 'limited' ? sent.retryAfterMs : RETRY_MS;
  await store.gateway.defer(taken, { delayMs, why: 'the pairing code was not sent', counts: true });
  return true;
}

/** Said at once or not at all: it holds a code, which no file may keep. */
async function sendCode(account: RunningAccount, chat: ChatPlace, markdown: string, deps: RatedDeps): Promise<SendResult> {
  const wait = deps.rates.take({ target: { ...account.ref, ...placeOf(chat) }, traits: account.kind.traits });
  return wait > 0 ? { type: 'limited', retryAfterMs: wait, scope: 'chat' } : sendNow(account, chat, markdown, deps);
}

interface RatedDeps {
  readonly rates: SendRates;
}
async function sendNow({ ref, sender }: RunningAccount, chat: ChatPlace, markdown: string, { rates }: RatedDeps): Promise<SendResult> {
  const place = placeOf(chat);
  const target = { ...ref, ...place };
  const sent = await sender.send({ ...place, content: { type: 'text', markdown }, key: `c${randomHex(12)}` }, AbortSignal.timeout(SEND_MS));
  if (sent.type === 'limited') rates.block(target, sent.retryAfterMs, sent.scope);
  return sent;
}
