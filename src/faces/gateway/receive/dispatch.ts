import { toErrorMessage } from '../../../base/errors.ts';
import type { GatewayEventInput, GatewayMessageInput, HookChat } from '../../../contracts/hook-inputs.ts';
import type { Arrival, Route, Taken, TakenRow } from '../../../contracts/gateway-store.ts';
import type { TextBlock } from '../../../contracts/message.ts';
import type { ButtonPress, InboundMessage, InboundTask } from '../../../contracts/platform-adapter.ts';
import { isStoreError, type Session, type SessionStore } from '../../../contracts/session-store.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { writeAddress } from '../addresses/reply-address.ts';
import { rememberTask } from '../addresses/task-facts.ts';
import { describeSession } from '../chats/hook-events.ts';
import { readChatDisplay } from '../accounts/chat-display.ts';
import { endBeforeMessage } from '../chats/sweep.ts';
import { runOnce } from '../commands/run-once.ts';
import type { TypedCommand, TypedCommandResult } from '../commands/typed-command.ts';
import { describeAccount, placeOf, type ReplyAddress } from '../contract.ts';
import { takeMirrors } from '../send/mirrors.ts';
import { gatherAlbum } from './album.ts';
import type { DispatchDeps } from './contract.ts';
import { listMedia } from './foreign-parts.ts';
import { findSlowKind } from './slow-work.ts';
import { addressOf, giveUp, passOver, reply, settle } from './settle.ts';
import { answerWithCode, refuseStranger, RETRY_MS } from './send-code.ts';
import { isMachineTrouble } from './suspects.ts';
import { addressTask } from './tasks.ts';

/**
 * Decides what becomes of one arrival, in this order: who it is from, whether it is a command, whether it answers a question,
 * and then whether it joins the turn that runs or begins one. It ends with one commit that says which.
 */
export async function handleArrival({ taken, row }: TakenRow<'arrival'>, deps: DispatchDeps, signal: AbortSignal): Promise<void> {
  try {
    const suspicion = deps.suspects.judge(row, deps.clock.now());
    if (suspicion.type === 'give_up') return await giveUp(taken, row, deps);
    if (suspicion.type === 'wait')
      return await deps.store.gateway.defer(taken, { delayMs: suspicion.ms, why: 'others are tried first', counts: false });
    const account = deps.findAccount(row);
    // It is being opened: rows are taken by what is set up, and its link may come a moment later.
    if (account === undefined)
      return await deps.store.gateway.defer(taken, { delayMs: RETRY_MS, why: 'no such account runs here yet', counts: false });
    await decide(taken, row, account, deps, signal);
    deps.suspects.handled(row);
  } catch (error) {
    if (!isStoreError(error, 'fenced')) await putBack(taken, row, error, deps, signal);
  }
}

/** One that could not be handled comes again, or is given up. One that a stop cut off is as it was, for whoever comes next. */
async function putBack(taken: Taken, row: Arrival, error: unknown, deps: DispatchDeps, signal: AbortSignal): Promise<void> {
  const defer = (delayMs: number, why: string) => deps.store.gateway.defer(taken, { delayMs, why, counts: false });
  if (signal.aborted) return await defer(0, 'the gateway stopped').catch(() => undefined);
  deps.log(`${describeAccount(row)}: a message could not be handled: ${toErrorMessage(error)}`);
  const verdict = deps.suspects.failed(row, error, deps.clock.now());
  const end = (): Promise<void> => (verdict.type === 'wait' ? defer(verdict.ms, toErrorMessage(error)) : giveUp(taken, row, deps));
  // What the store does not take now it takes later: a row that is only left lying counts as one that somebody died with.
  for (let told = ''; ;) {
    const failed = await end().then(
      () => undefined,
      (again: unknown) => ({ again }),
    );
    if (failed === undefined || isStoreError(failed.again, 'fenced') || signal.aborted) return;
    const words = toErrorMessage(failed.again);
    if (words !== told) deps.log(`${describeAccount(row)}: that message could not be put back either: ${words}`);
    told = words;
    if (!isMachineTrouble(failed.again)) return;
    await deps.clock.sleep(RETRY_MS, signal);
  }
}

async function decide(taken: Taken, row: Arrival, account: RunningAccount, deps: DispatchDeps, signal: AbortSignal): Promise<void> {
  const { event } = row;
  if (event.type === 'moved') {
    await deps.move({ ...row, event });
    const { platform, account: name } = row;
    tellEvent({ platform, account: name, ...placeOf(event.chat), type: 'moved', toChatId: event.to.chatId }, deps);
    return settle(taken, deps, 'command', 'the chat has another id now');
  }
  if (event.type === 'stranger') return refuseStranger(taken, row, event.chat, account, deps);
  // Asked again: settings may have changed since it arrived.
  const decision = await deps.authorise(account, event);
  if (!decision.allowed) return settle(taken, deps, 'refused', `access: ${decision.by}`);
  const address = addressOf(row, account, event, decision.role);
  return event.type === 'press'
    ? handlePress(taken, row, event, address, deps)
    : handleMessage(taken, row, event, { account, address, deps, signal });
}

interface Handling {
  readonly account: RunningAccount;
  readonly address: ReplyAddress;
  readonly deps: DispatchDeps;
  readonly signal: AbortSignal;
}

async function handleMessage(taken: Taken, row: Arrival, event: InboundMessage, handling: Handling): Promise<void> {
  const { account, address, deps } = handling;
  const { store } = deps;
  if (await isHeardEdit(row, event, deps)) return settle(taken, deps, 'merged', 'its words were heard already');
  const route = await store.gateway.route(row.serialKey);
  const session = route?.sessionId === undefined ? undefined : await findSession(store, route.sessionId);
  const objection = await deps.decideDispatch?.(describeMessage(event, address, session));
  if (objection !== undefined) {
    deps.log(`${describeAccount(row)}: a message was not handled: ${objection}`);
    return settle(taken, deps, 'refused', `hook: ${objection}`);
  }
  if (event.task !== undefined) return handleTask(taken, row, { event, route, session }, event.task, handling);
  const key = `arrival:${row.id}`;
  const begin = () => deps.newSession(account, event, row.serialKey);
  const typed = { text: event.text, address, route, session, arrivalId: row.id, key, begin };
  const result = event.isEdit === true || !event.isAddressed ? { type: 'text' as const } : await runTyped(taken, row, typed, handling);
  if (result.type === 'done' && result.isSecret === true) return answerWithCode(taken, address.target, result.words, account, deps);
  if (result.type === 'done')
    return settle(taken, deps, 'command', undefined, result.words === '' ? [] : [reply(row, address, result.words)]);
  const hasFiles = listMedia(event).length > 0;
  // With words of others beside them, words are about those.
  const isPlainText = event.isEdit !== true && !hasFiles && event.foreign === undefined && event.text.trim() !== '';
  const answered = isPlainText ? await deps.questions.answerByWords(event.text, typed) : undefined;
  if (answered !== undefined)
    return settle(taken, deps, 'command', 'it answered a question', answered === '' ? [] : [reply(row, address, answered)]);
  const admit = () => admitMessage(taken, row, { event, route, session }, handling);
  // Words alone are read at once: what is typed behind them, as to stop what they begin, comes after them.
  const isSlow = hasFiles || event.group !== undefined;
  return isSlow ? deps.slow.run('reading', taken, admit, handling.signal) : admit();
}

/** Carries out a command; one that takes long keeps nobody waiting, and what goes past it does not end its session. */
async function runTyped(taken: Taken, row: Arrival, typed: TypedCommand, { deps, signal }: Handling): Promise<TypedCommandResult> {
  const kind = await findSlowKind(typed.text, deps.host);
  const run = () => runOnce(row, typed, deps);
  if (kind === undefined) return run();
  using _used = typed.session && deps.conversations.use(typed.session.id);
  return await deps.slow.run(kind, taken, run, signal);
}

/** What a program sent is no command and answers nothing: it is worked on, or goes out as it is. */
async function handleTask(taken: Taken, row: Arrival, message: RoutedMessage, task: InboundTask, handling: Handling): Promise<void> {
  const { deps } = handling;
  const address = await addressTask(task, message.event, handling.address, deps);
  if (task.isDirect !== true) return admitMessage(taken, row, message, { ...handling, address });
  const words = address.label === undefined ? message.event.text : `_${address.label}_\n\n${message.event.text}`;
  return settle(taken, deps, 'command', 'it was delivered as it is', [reply(row, address, words)]);
}

/** Whether the message that this one changes came with these words already, or with later ones. */
async function isHeardEdit({ platform, account }: Arrival, { edits, editedAt }: InboundMessage, { store }: DispatchDeps): Promise<boolean> {
  if (edits === undefined || editedAt === undefined) return false;
  const [original] = await store.gateway.arrivals({ event: { platform, account, eventKey: edits } });
  return original?.event.type === 'message' && (original.event.editedAt ?? 0) >= editedAt;
}

interface RoutedMessage {
  readonly event: InboundMessage;
  readonly route: Route | undefined;
  readonly session: Session | undefined;
}

/** The message without the session it would have joined, where that is over by now. */
async function leaveExpired(taken: Taken, message: RoutedMessage, deps: DispatchDeps, signal: AbortSignal): Promise<RoutedMessage> {
  const { event, route, session } = message;
  if (route === undefined || session === undefined) return message;
  const slowly = <Value>(work: () => Promise<Value>) => deps.slow.run('command', taken, work, signal);
  const hasEnded = await endBeforeMessage(route, session, { ...deps, ...deps.resets, now: deps.clock.now, slowly }, signal);
  return hasEnded ? { event, route: await deps.store.gateway.route(route.key), session: undefined } : message;
}

/** Nothing is settled before all of it is here: an arrival that is cut off comes again. */
async function admitMessage(
  taken: Taken,
  row: Arrival,
  message: RoutedMessage,
  { account, address, deps, signal }: Handling,
): Promise<void> {
  const { gateway } = deps.store;
  const { event, with: rest } = await gatherAlbum(taken, message.event, {
    store: gateway,
    clock: deps.clock,
    signal,
    isConnected: account.isConnected,
  });
  if (!event.isAddressed) return passOver(taken, deps, rest);
  const { route, session } = await leaveExpired(taken, message, deps, signal);
  const fresh = await deps.newSession(account, event, row.serialKey);
  const speaker = { role: address.role, address, route, session, workspace: session?.cwd ?? fresh.cwd, signal };
  const { facts, ...read } = await deps.readMessage(account, event, speaker);
  const mirrors = takeMirrors(route);
  const admitted = await gateway.admit(taken, {
    routeKey: row.serialKey,
    target: { ...account.ref, ...placeOf(event.chat) },
    chat: event.chat,
    session: fresh,
    ...(rest.length > 0 && { with: rest }),
    facts: {
      ...facts,
      ...mirrors.facts,
      ...(event.chat.type === 'private' && { person: event.sender.id, owner: address.role === 'owner' ? true : null }),
      ...(event.task !== undefined && rememberTask(event.task, address)),
    },
    item: {
      ...read,
      overlay: [...(read.overlay ?? []), ...mirrors.overlay, ...(event.isEdit === true ? [EDITED] : [])],
      mode: readChatDisplay(route, account.config.display).busyInput,
      ...(event.task !== undefined && { origin: 'hook' }),
      replyTo: writeAddress(address),
      sentAt: event.sentAt,
      key: `arrival:${row.id}`,
    },
  });
  // Its first words are a template with places left open, the same for every event. A session without a title is no worse than that.
  if (admitted.began && event.task !== undefined)
    await deps.store.retitle(admitted.session.id, event.task.label, 'derived').catch(() => undefined);
  if (admitted.began) deps.emit('session:start', { ...describeSession(address), session_id: admitted.session.id });
  deps.conversations.wake(admitted.session.id);
}

async function handlePress(taken: Taken, row: Arrival, event: ButtonPress, address: ReplyAddress, deps: DispatchDeps): Promise<void> {
  await deps.questions.answerByPress(event, address);
  tellEvent({ ...chatOf(address), type: 'press', senderId: address.senderId }, deps);
  return settle(taken, deps, 'command', 'a button was pressed');
}

const tellEvent = (input: GatewayEventInput, { host }: DispatchDeps): void => host.hooks.tell({ name: 'gateway_platform_event', input });

const chatOf = ({ target: { platform, account, chatId, threadId } }: ReplyAddress): HookChat => ({
  platform,
  account,
  chatId,
  ...(threadId !== undefined && { threadId }),
});
const describeMessage = (event: InboundMessage, address: ReplyAddress, session: Session | undefined): GatewayMessageInput => ({
  ...chatOf(address),
  chatType: event.chat.type,
  senderId: event.sender.id,
  role: address.role,
  text: event.text,
  ...(event.foreign !== undefined && { foreignText: event.foreign.map(({ text }) => text).join('\n\n') }),
  isEdit: event.isEdit === true,
  fileCount: listMedia(event).length,
  ...(session !== undefined && { sessionId: session.id }),
});

const findSession = async (store: SessionStore, id: string): Promise<Session | undefined> =>
  (await store.find(id)).find((session) => session.id === id);

/** Said beside a message that was changed after it was sent. */
const EDITED: TextBlock = {
  type: 'text',
  text: 'The sender edited an earlier message. This is its new text; it replaces the old one, so do not do both.',
  trust: 'owner',
};
