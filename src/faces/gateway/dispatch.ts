import { randomHex } from '../../base/ids.ts';
import type { TextBlock } from '../../contracts/message.ts';
import type { Clock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import type { Json } from '../../base/json-types.ts';
import type { Arrival, NewDelivery, Route, Taken, TakenRow } from '../../contracts/gateway-store.ts';
import type { ButtonPress, ChatPlace, InboundMessage } from '../../contracts/platform-adapter.ts';
import { isStoreError, type NewInboxItem, type NewSession, type Session, type SessionStore } from '../../contracts/session-store.ts';
import type { AccessDecision } from './access.ts';
import { gatherAlbum } from './album.ts';
import { readChatLine, runChatLine, type ChatCommandDeps, type ChatLine, type ChatLineResult } from './chat-commands.ts';
import { describeAccount, type FindAccount, type ReplyAddress, type RunningAccount, type SpeakerRole, type WriteLog } from './contract.ts';
import type { Conversations } from './conversations.ts';
import { describeSession } from './hook-events.ts';
import type { KeptEvent } from './intake.ts';
import { takeMirrors } from './mirrors.ts';
import type { Questions } from './questions.ts';
import type { SendRates } from './rates.ts';
import { writeAddress } from './reply-address.ts';

export interface DispatchDeps extends ChatCommandDeps {
  readonly store: SessionStore;
  readonly conversations: Conversations;
  readonly findAccount: FindAccount;
  readonly authorise: (account: RunningAccount, event: KeptEvent) => Promise<AccessDecision>;
  readonly questions: Questions;
  readonly rates: Pick<SendRates, 'block'>;
  /** What somebody who may not speak is told; nothing in most cases. */
  readonly answerStranger: (account: RunningAccount, row: Arrival) => Promise<string | undefined>;
  /** The message as the session gets it: words, files and what is to be known of them. */
  readonly readMessage: (account: RunningAccount, event: InboundMessage, speaker: SpeakerContext) => Promise<ReadMessage>;
  /** The session that begins in a chat. */
  readonly newSession: (account: RunningAccount, event: InboundMessage, routeKey: string) => Promise<NewSession>;
  readonly move: (row: Arrival & { readonly event: KeptEvent & { type: 'moved' } }) => Promise<void>;
  readonly clock: Clock;
  readonly log: WriteLog;
}
export interface ReadMessage extends Pick<NewInboxItem, 'content' | 'overlay'> {
  /** What is remembered of the chat with it. */
  readonly facts?: Readonly<Record<string, Json | null>>;
}
export interface SpeakerContext {
  readonly role: SpeakerRole;
  readonly address: ReplyAddress;
  readonly route: Route | undefined;
  /** The session the chat leads to, and the folder it works in, or will. */
  readonly session: Session | undefined;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/** How long an answer that is in no row may take: the chat's next message waits for it. */
const SEND_MS = 10_000;

/** An arrival that broke the gateway this often is put aside and told. */
const MAX_ATTEMPTS = 3;

/**
 * Decides what becomes of one arrival, in this order: who it is from, whether it is a command, whether it answers a question,
 * and then whether it joins the turn that runs or begins one. It ends with one commit that says which.
 */
export async function handleArrival({ taken, row }: TakenRow<'arrival'>, deps: DispatchDeps, signal: AbortSignal): Promise<void> {
  try {
    if (row.attempts >= MAX_ATTEMPTS) return await giveUp(taken, row, deps);
    const account = deps.findAccount(row);
    if (account === undefined) return await settle(taken, deps, 'expired', 'no such account runs here');
    await decide(taken, row, account, deps, signal);
  } catch (error) {
    if (isStoreError(error, 'fenced')) return;
    const isStopped = signal.aborted;
    if (!isStopped) deps.log(`${describeAccount(row)}: a message could not be handled: ${toErrorMessage(error)}`);
    // One that a stop cut off is as it was, for whoever comes next.
    const deferral = isStopped
      ? { delayMs: 0, why: 'the gateway stopped', counts: false }
      : { delayMs: 5_000, why: toErrorMessage(error), counts: true };
    await deps.store.gateway.defer(taken, deferral).catch(() => undefined);
  }
}

async function decide(taken: Taken, row: Arrival, account: RunningAccount, deps: DispatchDeps, signal: AbortSignal): Promise<void> {
  const { event } = row;
  if (event.type === 'moved') {
    await deps.move({ ...row, event });
    return settle(taken, deps, 'command', 'the chat has another id now');
  }
  if (event.type === 'stranger') {
    const words = await deps.answerStranger(account, row);
    if (words !== undefined) await sendCode(account, event.chat, words, deps);
    return settle(taken, deps, 'refused', 'may not speak here');
  }
  // Asked again: settings may have changed since it arrived.
  const decision = await deps.authorise(account, event);
  if (!decision.allowed) return settle(taken, deps, 'refused', `access: ${decision.by}`);
  const address = addressOf(row, account, event, decision.role);
  return event.type === 'press'
    ? handlePress(taken, row, event, address, deps)
    : handleMessage(taken, row, event, { account, address, deps, signal });
}

/** Said at once or not at all: it holds a code, which no file may keep. Whoever did not get it asks again. */
async function sendCode({ ref, sender }: RunningAccount, chat: ChatPlace, markdown: string, deps: DispatchDeps): Promise<void> {
  const place = placeOf(chat);
  const sent = await sender.send({ ...place, content: { type: 'text', markdown }, key: `c${randomHex(12)}` }, AbortSignal.timeout(SEND_MS));
  if (sent.type === 'limited') deps.rates.block({ ...ref, ...place }, sent.retryAfterMs, sent.scope);
}

interface Handling {
  readonly account: RunningAccount;
  readonly address: ReplyAddress;
  readonly deps: DispatchDeps;
  readonly signal: AbortSignal;
}

/** A command that changes something is noted before it is carried out: a death in between must not carry it out twice. */
async function runOnce(row: Arrival, typed: ChatLine, deps: DispatchDeps): Promise<ChatLineResult> {
  const name = readChatLine(typed.line)?.name;
  if (name === undefined || REPEATABLE.has(name)) return runChatLine(typed, deps);
  if (typed.route?.facts[BEGUN] === row.id)
    return { type: 'done', words: `/${name} was interrupted. See whether it took effect, and send it again if not.` };
  await deps.store.gateway.remember(row.serialKey, { [BEGUN]: row.id });
  return runChatLine(typed, deps);
}
const BEGUN = 'command';
/** Twice is the same as once. */
const REPEATABLE: ReadonlySet<string> = new Set(
  'new reset stop status help commands whoami version usage context queue q steer approve deny background bg pair sethome platform model'.split(
    ' ',
  ),
);

async function handleMessage(taken: Taken, row: Arrival, event: InboundMessage, handling: Handling): Promise<void> {
  const { account, address, deps } = handling;
  const { store } = deps;
  const route = await store.gateway.route(row.serialKey);
  const session = route?.sessionId === undefined ? undefined : await findSession(store, route.sessionId);
  const key = `arrival:${row.id}`;
  const begin = () => deps.newSession(account, event, row.serialKey);
  const typed = { line: event.text, address, route, session, key, begin };
  const result = event.isEdit === true ? { type: 'text' as const } : await runOnce(row, typed, deps);
  if (result.type === 'done' && result.isSecret === true) {
    await sendCode(account, address.target, result.words, deps);
    return settle(taken, deps, 'command', 'it was answered with a code');
  }
  if (result.type === 'done')
    return settle(taken, deps, 'command', undefined, result.words === '' ? [] : [reply(row, address, result.words)]);
  const isPlainText = event.isEdit !== true && event.media.length === 0 && event.text.trim() !== '';
  if (isPlainText && (await deps.questions.answerByWords(event.text, address)))
    return settle(taken, deps, 'command', 'it answered a question');
  return admitMessage(taken, row, { event, route, session }, handling);
}

interface RoutedMessage {
  readonly event: InboundMessage;
  readonly route: Route | undefined;
  readonly session: Session | undefined;
}

/** Nothing is settled before all of it is here: an arrival that is cut off comes again. */
async function admitMessage(
  taken: Taken,
  row: Arrival,
  { event: first, route, session }: RoutedMessage,
  { account, address, deps, signal }: Handling,
): Promise<void> {
  const { gateway } = deps.store;
  const { event, with: rest } = await gatherAlbum(taken, first, { store: gateway, clock: deps.clock, signal });
  const fresh = await deps.newSession(account, event, row.serialKey);
  const speaker = { role: address.role, address, route, session, workspace: session?.cwd ?? fresh.cwd, signal };
  const { facts, ...message } = await deps.readMessage(account, event, speaker);
  const mirrors = takeMirrors(route);
  const admitted = await gateway.admit(taken, {
    routeKey: row.serialKey,
    target: address.target,
    chat: event.chat,
    session: fresh,
    ...(rest.length > 0 && { with: rest }),
    facts: {
      ...facts,
      ...mirrors.facts,
      ...(event.chat.type === 'private' && { person: event.sender.id, owner: address.role === 'owner' ? true : null }),
    },
    item: {
      ...message,
      overlay: [...(message.overlay ?? []), ...mirrors.overlay, ...(event.isEdit === true ? [EDITED] : [])],
      mode: account.config.display.busyInput,
      replyTo: writeAddress(address),
      sentAt: event.sentAt,
      key: `arrival:${row.id}`,
    },
  });
  if (admitted.began) deps.emit('session:start', { ...describeSession(address), session_id: admitted.session.id });
  deps.conversations.wake(admitted.session.id);
}

async function handlePress(taken: Taken, row: Arrival, event: ButtonPress, address: ReplyAddress, deps: DispatchDeps): Promise<void> {
  const deliveries = await deps.questions.answerByPress(event, address);
  return settle(taken, deps, 'command', 'a button was pressed', deliveries);
}

async function giveUp(taken: Taken, row: Arrival, deps: DispatchDeps): Promise<void> {
  const { event } = row;
  if (event.type !== 'message') return settle(taken, deps, 'expired', 'it could not be handled');
  const words = 'I could not read this message: something went wrong every time I tried. Please send it again in another form.';
  const { platform, account } = row;
  return settle(taken, deps, 'expired', 'it could not be handled', [
    reply(row, { target: { platform, account, ...placeOf(event.chat) }, messageId: event.messageId }, words),
  ]);
}

const settle = (
  taken: Taken,
  { store }: DispatchDeps,
  state: 'refused' | 'command' | 'expired',
  why?: string,
  deliveries: readonly NewDelivery[] = [],
): Promise<void> => store.gateway.settle(taken, { state, ...(why !== undefined && { why }), ...(deliveries.length > 0 && { deliveries }) });

/** What is said to one arrival, once however often it is handled. */
const reply = (
  row: Arrival,
  { target, messageId, handle }: Pick<ReplyAddress, 'target' | 'messageId' | 'handle'>,
  markdown: string,
): NewDelivery => ({
  key: `reply:${row.id}`,
  target,
  content: { type: 'text', markdown },
  ...(messageId !== undefined && { replyTo: messageId }),
  ...(handle !== undefined && { handle }),
});

const placeOf = ({ chatId, threadId }: { readonly chatId: string; readonly threadId?: string }) => ({
  chatId,
  ...(threadId !== undefined && { threadId }),
});

function addressOf(row: Arrival, { ref, config }: RunningAccount, event: InboundMessage | ButtonPress, role: SpeakerRole): ReplyAddress {
  const points = event.type === 'message' && config.display.replyTo !== 'off';
  return {
    routeKey: row.serialKey,
    target: { ...ref, ...placeOf(event.chat) },
    senderId: event.sender.id,
    role,
    ...(points && { messageId: event.messageId }),
    ...(event.handle !== undefined && { handle: event.handle }),
  };
}

const findSession = async (store: SessionStore, id: string): Promise<Session | undefined> =>
  (await store.find(id)).find((session) => session.id === id);

/** Said beside a message that was changed after it was sent. */
const EDITED: TextBlock = {
  type: 'text',
  text: 'The sender edited an earlier message. This is its new text; it replaces the old one, so do not do both.',
  trust: 'owner',
};
