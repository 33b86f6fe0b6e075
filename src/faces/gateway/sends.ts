import type { Clock } from '../../base/clock.ts';
import type { Json } from '../../base/json-types.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import type { Delivery, NewDelivery } from '../../contracts/gateway-store.ts';
import type { DeliveryRequest, PortResult } from '../../contracts/ports.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { GatewayAccount } from './accounts.ts';
import { takeFiles } from './answer-files.ts';
import { isSameAccount, type ReplyAddress, type RunningAccount } from './contract.ts';
import { readDirectory, refreshDirectory, type DirectoryDeps } from './directory.ts';
import { mirrorMessage, type MirroredMessage } from './mirrors.ts';
import { formatTarget, nameTarget, resolveTarget, type DirectoryChat, type TargetResult } from './targets.ts';

export interface SendsDeps extends DirectoryDeps {
  readonly store: Pick<SessionStore, 'fact' | 'learn' | 'gateway'>;
  readonly clock: Clock;
}
export interface DeliverDeps extends SendsDeps {
  readonly accounts: readonly GatewayAccount[];
  readonly blobs: Pick<Blobs, 'put'>;
}
/** A message that is to be sent outside of an answer. */
export interface ChatSend extends Omit<MirroredMessage, 'key'> {
  /** Its identity over all attempts. */
  readonly key: string;
  readonly sessionId?: string;
  /** What is sent, where `text` is only how the chat hears of it. */
  readonly deliveries?: readonly NewDelivery[];
}

/** How long somebody waits to hear that it was sent. */
const WAIT_MS = 10_000;
const LOOK_MS = 50;
/** What services said of their chats is asked again after so long. */
const FRESH_MS = 10 * 60_000;

/** Finds the chat that is meant. */
export async function findTarget(wanted: string, deps: DirectoryDeps, origin?: ReplyAddress['target']): Promise<TargetResult> {
  const platforms = [...new Set(deps.accounts.map(({ platform }) => platform))];
  return resolveTarget(wanted, { platforms, chats: await readDirectory(deps), ...(origin !== undefined && { origin }) });
}

/** Plans a message, once under its key, and waits a while for what came of it: of the last part, or of one that failed. */
export async function sendToChat(
  { target }: DirectoryChat,
  { key, text, sessionId, deliveries, ...mirror }: ChatSend,
  { store, clock }: Pick<SendsDeps, 'store' | 'clock'>,
  wait: { readonly signal: AbortSignal; readonly ms?: number },
): Promise<Delivery | undefined> {
  const planned = deliveries ?? [{ key, target, content: { type: 'text', markdown: text }, ...(sessionId !== undefined && { sessionId }) }];
  const [id = ''] = await store.gateway.plan(planned);
  let sent: Delivery | undefined;
  for (const each of planned) {
    sent = await waitForDelivery(each.key, { store, clock }, wait);
    if (sent?.state !== 'sent') break;
  }
  const failed = sent !== undefined && sent.state !== 'sent';
  const [route] = sessionId === undefined ? [] : await store.gateway.routes({ sessionId, limit: 1 });
  // A session knows what it said in its own chat.
  const isOwnChat = route !== undefined && nameTarget(route.target) === nameTarget(target);
  if (!failed && !isOwnChat) await mirrorMessage(store.gateway, target, { key: id, text, ...mirror });
  return sent;
}

async function waitForDelivery(
  key: string,
  { store, clock }: Pick<SendsDeps, 'store' | 'clock'>,
  { signal, ms = WAIT_MS }: { readonly signal: AbortSignal; readonly ms?: number },
): Promise<Delivery | undefined> {
  const deadline = clock.now() + ms;
  for (;;) {
    const [found] = await store.gateway.deliveries({ key, limit: 1 });
    if (found !== undefined && found.state !== 'pending') return found;
    if (signal.aborted || clock.now() >= deadline) return undefined;
    await clock.sleep(LOOK_MS, signal).catch(() => undefined);
  }
}

/** Where a turn speaks from, for the tool that sends. */
export interface SendingTurn {
  readonly sessionId: string;
  readonly address: ReplyAddress | undefined;
}
export type DeliverFrom = (ask: DeliveryRequest, turn: SendingTurn, signal: AbortSignal) => Promise<PortResult>;

/** `send_message` in a gateway. Whoever is no owner reaches only the chat he speaks in. */
export function createDeliverPort(deps: DeliverDeps, running: () => readonly RunningAccount[]): DeliverFrom {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    if (deps.clock.now() - refreshedAt < FRESH_MS) return;
    refreshedAt = deps.clock.now();
    await refreshDirectory(running(), deps.store);
  };
  return async (ask, { sessionId, address }, signal) => {
    const isGuest = address?.role !== 'owner';
    await refresh();
    if (ask.action === 'list') return { ok: true, words: describeChats(isGuest ? listOwn(address) : await readDirectory(deps)) };
    const found = await findTarget(ask.target ?? '', deps, address?.target);
    if (!found.ok) return found;
    if (isGuest && nameTarget(found.chat.target) !== (address && nameTarget(address.target)))
      return { ok: false, why: 'a guest speaks here, so only this chat can be written to (target: origin). The owner can send to others.' };
    const key = `send:${sessionId}:${ask.key ?? ''}`;
    const { deliveries, unsent } = await composeDeliveries(found.chat, { ...ask, key }, sessionId, deps);
    if (unsent.length > 0) return { ok: false, why: unsent.join(' ') };
    const outgoing = { key, text: ask.message ?? '', deliveries, sessionId, from: 'model' as const, foreign: ask.foreign === true };
    return describeSent(found.chat, await sendToChat(found.chat, outgoing, deps, { signal }));
  };
}

/** The words, and the files that `MEDIA:` lines name, as with an answer. A message does not go out without its files. */
async function composeDeliveries(
  { target }: DirectoryChat,
  { key, message = '', readFile }: DeliveryRequest & { readonly key: string },
  sessionId: string,
  { accounts, blobs }: DeliverDeps,
): Promise<{ readonly deliveries: readonly NewDelivery[]; readonly unsent: readonly string[] }> {
  const toText = (markdown: string): NewDelivery => ({ key, target, content: { type: 'text', markdown }, sessionId });
  const kind = accounts.find((account) => isSameAccount(account, target))?.kind;
  if (kind === undefined || readFile === undefined) return { deliveries: [toText(message)], unsent: [] };
  const unsent: string[] = [];
  const remember = async (_key: string, facts: Readonly<Record<string, Json | null>>): Promise<void> =>
    void unsent.push(...Object.values(facts).flat().map(String));
  const { markdown, deliveries } = await takeFiles(
    {
      answer: { key, sessionId, turnId: '' },
      address: { routeKey: '', target, senderId: '', role: 'owner' },
      markdown: message,
      canCaption: true,
      kind,
    },
    { store: { remember }, blobs, readFile },
  );
  const files = deliveries.map(({ turnId: _turnId, ...file }) => file);
  return { deliveries: markdown.trim() === '' ? files : [toText(markdown), ...files], unsent };
}

const listOwn = (address: ReplyAddress | undefined): readonly DirectoryChat[] =>
  address === undefined ? [] : [{ target: address.target }];

function describeSent(chat: DirectoryChat, sent: Delivery | undefined): PortResult {
  const name = describeChat(chat);
  if (sent === undefined)
    return {
      ok: true,
      words: `It is on its way to ${name}: it goes out as soon as ${chat.target.platform} takes it. Do not send it again.`,
    };
  return sent.state === 'sent' ? { ok: true, words: `Sent to ${name}.` } : { ok: false, why: `${name}: ${sent.why ?? sent.state}` };
}

export const describeChat = ({ target, name }: DirectoryChat): string =>
  toVisibleLine(`${formatTarget(target)}${name === undefined ? '' : ` (${name})`}`);
/** One line for each chat and name. */
export const describeChats = (chats: readonly DirectoryChat[]): string =>
  chats.map((chat) => `${describeChat(chat)}${chat.isHome === true ? ', home channel' : ''}`).join('\n') || 'No chat is known yet.';
