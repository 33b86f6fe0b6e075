import type { Clock } from '../../../base/clock.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import type { AccountRef, ChatTarget, NewDelivery, Route } from '../../../contracts/gateway-store.ts';
import type { EmitGatewayHook } from '../../../contracts/hooks.ts';
import type { Host, SessionOptions } from '../../../contracts/host.ts';
import type { ChatPlace, MenuCommand } from '../../../contracts/platform-adapter.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { AccountBook } from '../accounts/account-book.ts';
import type { GatewayAccount, HomeChannel } from '../accounts/account.ts';
import type { ConversationsDeps } from '../chats/conversations.ts';
import type { GatewayCommand } from '../commands/typed-command.ts';
import type { WriteLog } from '../contract.ts';
import type { AdapterHandle, LinkState, LinkTimes } from '../link/contract.ts';
import type { ChatQuestionsDeps } from '../questions/questions.ts';
import type { DispatchDeps } from '../receive/contract.ts';
import type { IntakeDeps } from '../receive/intake.ts';
import type { ReceivedLimits } from '../receive/prune-received.ts';

/** A gateway that runs: it receives, answers and delivers until it is closed. */
export interface Gateway extends AsyncDisposable {
  readonly accounts: readonly { readonly ref: AccountRef; readonly state: LinkState; readonly isPaused: boolean }[];
  /** Turns that work. */
  readonly running: number;
  /** Turns that only wait for a person: nothing waits for them. */
  readonly waiting: number;
  /** Takes nothing new and waits for the turns that run, at most so long. What is left is gone on with after the next start. */
  drain(ms: number): Promise<void>;
  /** Has a session go on that is the gateway's and no chat's. */
  wake(sessionId: string): void;
  /** Plans something for a chat that no turn has said. */
  deliver(deliveries: readonly NewDelivery[]): Promise<readonly string[]>;
  /** How an account is set up now. */
  config(ref: AccountRef): GatewayAccount | undefined;
  /** Another home channel for an account, as the settings have it from now on. */
  setHome(ref: AccountRef, home: HomeChannel): void;
  /**
   * The settings name these accounts from now on. Who may speak, tools and display hold from the next message on; links that are
   * set up differently are opened again, and no others.
   */
  replaceAccounts(accounts: readonly GatewayAccount[]): Promise<AppliedAccounts>;
  /** Closes the link of an account, or opens it again. What is to go out meanwhile waits. `false` when there is no such account. */
  setPaused(ref: AccountRef, isPaused: boolean): Promise<boolean>;
  /** Every command that can be given in a chat. */
  listCommands(): Promise<readonly MenuCommand[]>;
  /** Answers messages that were forgotten, and removes files that went out or were received long ago. */
  tend(): Promise<void>;
  /** Ends the sessions that nobody writes to any more. */
  sweep(signal: AbortSignal): Promise<void>;
}
/** What became of the links when the settings changed. */
export interface AppliedAccounts {
  readonly opened: readonly AccountRef[];
  readonly reopened: readonly AccountRef[];
  readonly closed: readonly AccountRef[];
}
export interface GatewayOptions
  extends
    Pick<DispatchDeps, 'answerStranger' | 'readMessage' | 'newSession' | 'isForGuests' | 'resets' | 'decideDispatch'>,
    Pick<ChatQuestionsDeps, 'approvals' | 'findOwner'> {
  readonly host: Host;
  readonly accounts: AccountBook;
  /** A chat goes on under another id, and everything that is stored of it with it. */
  readonly onMoved?: (from: ChatTarget, to: ChatPlace) => Promise<void>;
  readonly openAdapter: (account: GatewayAccount) => Promise<AdapterHandle>;
  readonly redeem: IntakeDeps['redeem'];
  /** What a session of a chat is opened with, besides what every one has. */
  readonly sessionOptions: (session: Session, route: Route | undefined) => Promise<Partial<SessionOptions>>;
  readonly commands: Readonly<Record<string, GatewayCommand>>;
  /** Each service gets the list of commands as its menu, once it is connected. */
  readonly hasMenus?: true;
  readonly blobs: Blobs;
  /** How long files that were sent to chats are kept, and how many bytes of them. */
  readonly receivedLimits: () => ReceivedLimits;
  /** The profile's folder. */
  readonly root: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly log: WriteLog;
  readonly linkTimes?: LinkTimes;
  /** Tells hooks what happens; they change nothing. */
  readonly emit: EmitGatewayHook;
  readonly onEvent?: ConversationsDeps['onEvent'];
  /** Called when nothing happens any more. */
  readonly onClosed?: () => Promise<void>;
  readonly onLinkChange?: (account: AccountRef, state: LinkState) => void;
}
