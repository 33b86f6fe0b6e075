import type { CommandSurface } from './command.ts';
import type { CompressReason } from './context-engine.ts';
import type { FailureType } from './failure.ts';
import type { Usage } from './message.ts';
import type { CompactionReport } from './entry.ts';
import type { MemoryOperation, MemoryTarget } from './memory.ts';
import type { EndReason, ExitReason, Outcome } from './outcome.ts';

/** Which session a hook is told of. The same in every face. */
export interface HookSession {
  readonly sessionId: string;
  /** Where the session is held: `cli`, `telegram`, `api_server`, `cron` … */
  readonly platform: string;
  /** The session it works for, where it is a child. */
  readonly parentSessionId?: string;
}
/** Which turn. */
export interface HookTurn extends HookSession {
  readonly turnId: string;
  readonly model: string;
}

export interface SessionEndInput extends HookSession {
  readonly reason: EndReason;
}
export interface SessionSwitchInput extends HookSession {
  /** The session that was left for it. */
  readonly fromSessionId: string;
  readonly reason: 'branch' | 'reset';
}
export interface TurnStartInput extends HookSession {
  readonly model: string;
  /** The sender's own words. */
  readonly userMessage: string;
  readonly isFirstTurn: boolean;
}
export interface TurnEndInput extends HookTurn {
  readonly outcome: Outcome['type'];
  readonly exitReason: ExitReason;
  /** Model calls that gave a message. */
  readonly steps: number;
  readonly ms: number;
  readonly usage: Usage;
}
export interface TurnAnswerInput extends HookTurn {
  readonly userMessage: string;
  readonly assistantResponse: string;
}
/** One model call that is about to be made: what goes out, in figures alone. */
export interface ApiRequestInput extends HookSession {
  readonly provider: string;
  readonly model: string;
  readonly messageCount: number;
  readonly toolCount: number;
  readonly estimatedTokens: number;
}
/** One that was made, of a turn or beside it. */
export interface ApiCallInput extends HookTurn {
  readonly provider: string;
  /** What it was for; absent for the turn's own. */
  readonly purpose?: string;
  readonly estimatedTokens: number;
  readonly ms: number;
}
export interface ApiResponseInput extends ApiCallInput {
  readonly finishReason: string;
  readonly usage: Usage;
  /** US dollars, where the price is known. */
  readonly price?: number;
}
export interface ApiErrorInput extends ApiCallInput {
  readonly reason: FailureType;
}
export interface StreamInput extends HookSession {
  readonly model: string;
}
export interface StreamDeltaInput extends StreamInput {
  readonly kind: 'text' | 'thinking';
  readonly delta: string;
}
export interface StreamEndInput extends StreamInput {
  /** `false` when it failed or was stopped. */
  readonly isFinished: boolean;
}
/** What is about to be summed up, in figures alone. */
export interface CompressInput extends HookSession {
  readonly reason: CompressReason;
  readonly model: string;
  /** Messages the model sees now. */
  readonly messageCount: number;
  readonly estimatedTokens: number;
}
export interface CompressedInput extends HookSession {
  readonly report: CompactionReport;
}
export interface ApprovalRequestInput extends HookTurn {
  readonly questionId: string;
  readonly tool: string;
  /** What would be done, in words. */
  readonly summary: string;
  readonly reason: string;
}
export interface ApprovalResponseInput extends ApprovalRequestInput {
  readonly isAllowed: boolean;
}
export interface ChildStartInput extends HookSession {
  readonly goal: string;
}
export interface ChildStopInput extends HookSession {
  readonly outcome: Outcome['type'];
  readonly summary: string;
  readonly ms: number;
}
/** Of no session where the owner changed it by a command. */
export interface MemoryWriteInput extends Partial<Pick<HookSession, 'sessionId' | 'platform'>> {
  readonly by: 'agent' | 'owner';
  readonly target: MemoryTarget;
  readonly action: MemoryOperation['action'];
  /** The new words; absent when something was removed. */
  readonly content?: string;
  /** The words it replaced or removed. */
  readonly oldText?: string;
}
export const describeMemoryWrite = (
  operation: MemoryOperation,
  target: MemoryTarget,
  by: MemoryWriteInput['by'],
  session: Pick<MemoryWriteInput, 'sessionId' | 'platform'> = {},
): MemoryWriteInput => ({
  ...session,
  by,
  target,
  action: operation.action,
  ...('content' in operation && { content: operation.content }),
  ...('oldText' in operation && { oldText: operation.oldText }),
});
export interface SkillLifecycleInput extends Partial<Pick<HookSession, 'sessionId' | 'platform'>> {
  readonly by: 'agent' | 'owner';
  readonly skill: string;
  readonly action: 'created' | 'changed' | 'deleted' | 'installed';
}
export interface TypedCommandInput extends Partial<Pick<HookSession, 'sessionId'>> {
  /** Its name without the slash. */
  readonly command: string;
  /** What was typed behind it. */
  readonly args: string;
  readonly place: CommandSurface;
  /** The owner, or somebody the owner let in. */
  readonly by: 'owner' | 'other';
}

/** Which chat of which account. */
export interface HookChat {
  readonly platform: string;
  readonly account: string;
  readonly chatId: string;
  readonly threadId?: string;
}
/** A message of somebody who may speak. */
export interface GatewayMessageInput extends HookChat {
  readonly chatType: string;
  readonly senderId: string;
  readonly role: 'owner' | 'guest';
  /** The sender's own words. */
  readonly text: string;
  /** Words of others that the message brings: forwarded, quoted between the lines. Absent where there are none. */
  readonly foreignText?: string;
  readonly isEdit: boolean;
  /** How many files came with it. */
  readonly fileCount: number;
  /** The session the chat leads to, where there is one. */
  readonly sessionId?: string;
}
export type GatewayEventInput =
  | (Pick<HookChat, 'platform' | 'account'> & {
      readonly type: 'link';
      readonly state: 'connecting' | 'connected' | 'waiting' | 'busy' | 'refused' | 'stopped';
      readonly why?: string;
    })
  | (HookChat & { readonly type: 'press'; readonly senderId: string })
  /** `chatId` is the old one. */
  | (HookChat & { readonly type: 'moved'; readonly toChatId: string });
export interface DeliveryInput extends HookChat {
  readonly deliveryId: string;
  /** The session that said it, where one did. */
  readonly sessionId?: string;
  readonly state: 'sent' | 'failed' | 'expired' | 'dead';
  readonly why?: string;
  /** Messages it was cut into. */
  readonly partCount: number;
  readonly attempts: number;
}
