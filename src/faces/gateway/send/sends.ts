import type { Clock } from '../../../base/clock.ts';
import { toVisibleLine } from '../../../base/visible.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import type { Delivery, NewDelivery } from '../../../contracts/gateway-store.ts';
import type { DeliveryRequest, PortResult } from '../../../contracts/ports.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import type { GatewayAccount } from '../accounts/account.ts';
import { isSameAccount, type ReplyAddress } from '../contract.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { readDirectory, refreshDirectory, type DirectoryDeps } from './directory.ts';
import { mirrorMessage, type MirroredMessage } from './mirrors.ts';
import { takeFiles, type NamedFiles, type NamedFilesOptions } from './named-files.ts';
import {
  formatTarget,
  nameTarget,
  resolveTarget,
  type DirectoryChat,
  type TargetContext,
  type TargetResult,
} from '../addresses/targets.ts';

export interface SendsDeps extends DirectoryDeps {
  readonly store: Pick<SessionStore, 'fact' | 'learn' | 'gateway'>;
  readonly clock: Clock;
}
export interface DeliverDeps extends SendsDeps {
  readonly accounts: readonly GatewayAccount[];
  readonly blobs: Pick<Blobs, 'put'>;
}
/** A message that is to be sent outside of an answer. */
export interface PlannedSend extends Omit<MirroredMessage, 'key'> {
  /** Its identity over all attempts. */
  readonly key: string;
  readonly sessionId?: string;
  /** Files that go after it. */
  readonly files?: readonly NewDelivery[];
}

/** How long somebody waits to hear that it was sent. */
const WAIT_MS = 10_000;
const LOOK_MS = 50;
/** What services said of their chats is asked again after so long. */
const FRESH_MS = 10 * 60_000;

/** How a model finds the chats there are. */
export const FOR_MODELS = { howToList: 'send_message with action: list' } as const;

/** Finds the chat that is meant. */
export async function findTarget(
  wanted: string,
  deps: DirectoryDeps,
  how: Pick<TargetContext, 'origin' | 'howToList'> = {},
): Promise<TargetResult> {
  return resolveTarget(wanted, { accounts: deps.accounts, chats: await readDirectory(deps, wanted), ...how });
}

/** Plans a message, once under its key, and waits a while for what came of it: of the last part, or of one that failed. */
export async function sendToChat(
  { target }: DirectoryChat,
  { key, text, sessionId, files = [], ...mirror }: PlannedSend,
  { store, clock }: Pick<SendsDeps, 'store' | 'clock'>,
  wait: { readonly signal: AbortSignal; readonly ms?: number },
): Promise<Delivery | undefined> {
  const delivery: NewDelivery = { key, target, content: { type: 'text', markdown: text }, ...(sessionId !== undefined && { sessionId }) };
  const all = [...(text.trim() === '' ? [] : [delivery]), ...files];
  const [id = ''] = await store.gateway.plan(all);
  const sent = await waitForAll(all, { store, clock }, wait);
  const failed = sent !== undefined && sent.state !== 'sent';
  const [route] = sessionId === undefined ? [] : await store.gateway.routes({ sessionId, limit: 1 });
  // A session knows what it said in its own chat.
  const isOwnChat = route !== undefined && nameTarget(route.target) === nameTarget(target);
  const words = [text, ...files.flatMap(describeFile)].filter((line) => line !== '').join('\n');
  if (!failed && !isOwnChat) await mirrorMessage(store.gateway, target, { key: id, text: words, ...mirror });
  return sent;
}

const describeFile = ({ content }: NewDelivery): readonly string[] =>
  content.type === 'media' ? [`${content.caption === undefined ? '' : `${content.caption}\n`}[file: ${content.name}]`] : [];

/** The last of them, or the first that was not sent. */
async function waitForAll(
  all: readonly NewDelivery[],
  { store, clock }: Pick<SendsDeps, 'store' | 'clock'>,
  { signal, ms = WAIT_MS }: { readonly signal: AbortSignal; readonly ms?: number },
): Promise<Delivery | undefined> {
  const deadline = performance.now() + ms;
  let last: Delivery | undefined;
  for (const { key } of all) {
    last = undefined;
    while (last === undefined) {
      const [found] = await store.gateway.deliveries({ key, limit: 1 });
      if (found !== undefined && found.state !== 'pending') last = found;
      else if (signal.aborted || performance.now() >= deadline) return undefined;
      else await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
    if (last.state !== 'sent') return last;
  }
  return last;
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
    if (performance.now() - refreshedAt < FRESH_MS) return;
    refreshedAt = performance.now();
    await refreshDirectory(running(), deps.store);
  };
  return async (ask, { sessionId, address }, signal) => {
    const isGuest = address?.role !== 'owner';
    await refresh();
    if (ask.action === 'list') return { ok: true, words: describeChats(isGuest ? listOwn(address) : await readDirectory(deps)) };
    const found = await findTarget(ask.target ?? '', deps, {
      ...FOR_MODELS,
      ...(address !== undefined && { origin: address.target }),
    });
    if (!found.ok) return found;
    if (isGuest && nameTarget(found.chat.target) !== (address && nameTarget(address.target)))
      return { ok: false, why: 'a guest speaks here, so only this chat can be written to (target: origin). The owner can send to others.' };
    const { key: call = '', message = '', foreign = false } = ask;
    const key = `send:${sessionId}:${call}`;
    const files = await takeSentFiles(ask, { key, target: found.chat.target, sessionId, markdown: message }, deps);
    // A message without its file is another message: the model decides.
    if (files.unsent.length > 0) return { ok: false, why: files.unsent.join(' ') };
    const outgoing = { key, text: files.markdown, sessionId, from: 'model' as const, foreign, files: files.deliveries };
    return describeSent(found.chat, await sendToChat(found.chat, outgoing, deps, { signal }));
  };
}

type SentFilesOptions = Omit<NamedFilesOptions, 'kind' | 'canCaption'>;

async function takeSentFiles({ readFile }: DeliveryRequest, options: SentFilesOptions, deps: DeliverDeps): Promise<NamedFiles> {
  const kind = deps.accounts.find((account) => isSameAccount(account, options.target))?.kind;
  if (kind === undefined || readFile === undefined) return { markdown: options.markdown, deliveries: [], unsent: [] };
  return takeFiles({ ...options, kind, canCaption: true }, { blobs: deps.blobs, readFile });
}

const listOwn = (address: ReplyAddress | undefined): readonly DirectoryChat[] =>
  address === undefined ? [] : [{ target: address.target }];

function describeSent(chat: DirectoryChat, sent: Delivery | undefined): PortResult {
  const name = describeChat(chat);
  if (sent === undefined)
    return {
      ok: true,
      words: `It is on its way to ${name}: it goes out as soon as ${chat.target.platform} accepts it. Do not send it again.`,
    };
  return sent.state === 'sent' ? { ok: true, words: `Sent to ${name}.` } : { ok: false, why: `${name}: ${sent.why ?? sent.state}` };
}

export const describeChat = ({ target, name }: DirectoryChat, namesAccount?: boolean): string =>
  toVisibleLine(`${formatTarget(target, namesAccount)}${name === undefined ? '' : ` (${name})`}`);
/** One line for each chat and name. Where a platform has several accounts, each line says which. */
export const describeChats = (chats: readonly DirectoryChat[]): string =>
  chats
    .map(
      (chat) =>
        `${describeChat(chat, chats.some((other) => isOtherAccount(chat, other)) || undefined)}${chat.isHome === true ? ', home channel' : ''}`,
    )
    .join('\n') || 'No chat is known yet.';
const isOtherAccount = ({ target }: DirectoryChat, { target: other }: DirectoryChat): boolean =>
  target.platform === other.platform && target.account !== other.account;
