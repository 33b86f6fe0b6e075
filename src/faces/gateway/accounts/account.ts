import type { AccountRef, MovedChat } from '../../../contracts/gateway-store.ts';
import type { AccountSettings, ChatPlace, PlatformKind } from '../../../contracts/platform-adapter.ts';
import type { AccessSettings, ToolPolicy } from '../access/access.ts';
import type { PlatformSender } from '../contract.ts';
import type { AccountDisplay } from './account-display.ts';

/** One bot at one service, as the settings have it. */
export interface GatewayAccount extends AccountRef {
  readonly kind: PlatformKind;
  /** Whether it is to be connected. One that is off is listed all the same: something was written about it. */
  readonly enabled: boolean;
  /** For its adapter. */
  readonly settings: AccountSettings;
  readonly access: AccessSettings;
  readonly tools: ToolPolicy;
  /** Commands that guests may use there besides those of the table. */
  readonly guestCommands: readonly string[];
  readonly homeChannel?: HomeChannel;
  readonly display: AccountDisplay;
  /** Ids that chats had before, where any moved: what is set for those holds for the new ones. */
  readonly moved?: readonly MovedChat[];
  /** What is wrong with its settings, in words for the owner. */
  readonly problems: readonly string[];
}
/** Where results go that belong to no chat. */
export interface HomeChannel extends ChatPlace {
  readonly name?: string;
}
/** The account that needs no name. */
export const MAIN_ACCOUNT = 'main';

/** One bot at one service, as the gateway works with it. */
export interface RunningAccount {
  readonly ref: AccountRef;
  readonly kind: PlatformKind;
  readonly config: GatewayAccount;
  readonly sender: PlatformSender;
  /** Whether something is received now; absent where nobody can tell. */
  readonly isConnected?: () => boolean;
}
export type FindAccount = (ref: AccountRef) => RunningAccount | undefined;
