import type { Json } from '../../base/json-types.ts';
import type { AccountRef, ChatTarget } from '../../contracts/gateway-store.ts';
import type { ChatPlace, PlatformAdapter, PlatformEvent } from '../../contracts/platform-adapter.ts';

/** What goes out to a service, whether or not messages come in at the moment. */
export type PlatformSender = Pick<
  PlatformAdapter,
  'send' | 'edit' | 'remove' | 'findSent' | 'showTyping' | 'react' | 'answerPress' | 'download' | 'listChats'
>;

/** Who speaks: the owner, somebody the owner lets speak, or nobody known. */
export type SpeakerRole = 'owner' | 'guest';

/**
 * Where an answer goes: written down when its message is admitted and never changed, whoever speaks meanwhile. It travels with
 * the message through the inbox and the turn.
 */
export interface ReplyAddress {
  readonly routeKey: string;
  readonly target: ChatTarget;
  readonly senderId: string;
  readonly role: SpeakerRole;
  /** The message it answers. */
  readonly messageId?: string;
  readonly handle?: Json;
  /** When that was sent, by its sender's clock: an answer that comes much later says so. */
  readonly sentAt?: number;
  /** What stands above the answer, for one that nobody waits for in the chat. Nothing is shown of it before it is there. */
  readonly label?: string;
  /** Nobody asked: an answer that says `[SILENT]` is not sent. */
  readonly unasked?: true;
}

/** What a service brings and the gateway keeps: everything but a bare cursor. */
export type KeptEvent = Exclude<PlatformEvent, { type: 'cursor' }>;

/** A line for the log of the gateway. */
export type WriteLog = (words: string) => void;

export const describeAccount = ({ platform, account }: AccountRef): string => (account === 'main' ? platform : `${platform} (${account})`);
/** As it is typed: `telegram`, or `telegram:work` where there are several. */
export const nameAccount = ({ platform, account }: AccountRef): string => (account === 'main' ? platform : `${platform}:${account}`);
/** The place alone of something that has one. */
export const placeOf = ({ chatId, threadId }: ChatPlace): ChatPlace => ({ chatId, ...(threadId !== undefined && { threadId }) });
export const isSameAccount = (one: AccountRef, other: AccountRef): boolean =>
  one.platform === other.platform && one.account === other.account;
