import type { Clock } from '../../../base/clock.ts';
import type { Json } from '../../../base/json-types.ts';
import type { Arrival, Route } from '../../../contracts/gateway-store.ts';
import type { GatewayMessageInput } from '../../../contracts/hook-inputs.ts';
import type { InboundMessage } from '../../../contracts/platform-adapter.ts';
import type { NewInboxItem, NewSession, Session, SessionStore } from '../../../contracts/session-store.ts';
import type { AccessDecision } from '../access/access.ts';
import type { StrangerAnswer } from '../access/strangers.ts';
import type { FindAccount, RunningAccount } from '../accounts/account.ts';
import type { TargetResult } from '../addresses/targets.ts';
import type { Conversations } from '../chats/conversations.ts';
import type { ResetRules } from '../chats/sweep.ts';
import type { ChatCommandDeps } from '../commands/typed-command.ts';
import type { KeptEvent, ReplyAddress, SpeakerRole, WriteLog } from '../contract.ts';
import type { Questions } from '../questions/questions.ts';
import type { SendRates } from '../send/rates.ts';
import type { SlowWork } from './slow-work.ts';
import type { Suspects } from './suspects.ts';

/** What becomes of an arrival depends on these. */
export interface DispatchDeps extends ChatCommandDeps {
  readonly store: SessionStore;
  readonly conversations: Conversations;
  readonly findAccount: FindAccount;
  readonly authorise: (account: RunningAccount, event: KeptEvent) => Promise<AccessDecision>;
  readonly questions: Questions;
  readonly rates: SendRates;
  /** What somebody who may not speak is told; nothing in most cases. */
  readonly answerStranger: (account: RunningAccount, row: Arrival) => Promise<StrangerAnswer | undefined>;
  /** The message as the session gets it: words, files and what is to be known of them. */
  readonly readMessage: (account: RunningAccount, event: InboundMessage, speaker: SpeakerContext) => Promise<ReadMessage>;
  /** The session that begins in a chat. */
  readonly newSession: (account: RunningAccount, event: InboundMessage, routeKey: string) => Promise<NewSession>;
  readonly resets: ResetRules;
  /** Why a message is not to be handled, by what the owner hung up; nothing when nobody objects. */
  readonly decideDispatch?: (message: GatewayMessageInput) => Promise<string | undefined>;
  /** The chat that is meant by a target as it is typed. */
  readonly findTarget: (wanted: string) => Promise<TargetResult>;
  readonly move: (row: Arrival & { readonly event: KeptEvent & { type: 'moved' } }) => Promise<void>;
  readonly suspects: Suspects;
  readonly slow: SlowWork;
  readonly clock: Clock;
  readonly log: WriteLog;
}
export interface ReadMessage extends Pick<NewInboxItem, 'content' | 'overlay' | 'quoted'> {
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
