import type { Json } from '../../base/json-types.ts';
import type { AccountRef, ChatTarget } from '../../contracts/gateway-store.ts';
import type { PlatformAdapter, PlatformKind } from '../../contracts/platform-adapter.ts';

import type { GatewayAccount } from './accounts.ts';

/** What goes out to a service, whether or not messages come in at the moment. */
export type PlatformSender = Pick<
  PlatformAdapter,
  'send' | 'edit' | 'remove' | 'findSent' | 'showTyping' | 'react' | 'answerPress' | 'download' | 'listChats'
>;

/** One bot at one service, as the gateway works with it. */
export interface RunningAccount {
  readonly ref: AccountRef;
  readonly kind: PlatformKind;
  readonly config: GatewayAccount;
  readonly sender: PlatformSender;
}
export type FindAccount = (ref: AccountRef) => RunningAccount | undefined;

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
  /** What stands above the answer, for one that nobody waits for in the chat. Nothing is shown of it before it is there. */
  readonly label?: string;
  /** Nobody asked: an answer that says `[SILENT]` is not sent. */
  readonly unasked?: true;
}

/** A line for the log of the gateway. */
export type WriteLog = (words: string) => void;

export const describeAccount = ({ platform, account }: AccountRef): string => (account === 'main' ? platform : `${platform} (${account})`);
export const isSameAccount = (one: AccountRef, other: AccountRef): boolean =>
  one.platform === other.platform && one.account === other.account;
