import type { ToolDetails } from './details.ts';
import type { Failure } from './failure.ts';
import type { Json, ToolCall, ToolMessage } from './message.ts';
import type { ClosingReason, Outcome } from './outcome.ts';
import type { Sampling } from './provider.ts';
import type { RequestAdjustments, Runtime } from './runtime.ts';
import type { ConsentQuestion } from './consent.ts';

/**
 * The reason of a stop that ends no turn: the program closes, and the turn is gone on with when it is started again, as if the
 * process had died just now.
 */
export const SUSPENDED = 'suspended';

/** Where a turn stands. Plain data and complete: a restarted process reads it and goes on. */
export type TurnState = TurnBase & (PreparePhase | SamplePhase | RecoverPhase | ActPhase | SettlePhase | DonePhase);
export type TurnPhase = TurnState['phase'];
export type TurnInPhase<P extends TurnPhase> = Extract<TurnState, { phase: P }>;

export interface TurnBase {
  readonly sessionId: string;
  readonly turnId: string;
  readonly startedAt: number;
  /** Model calls that gave a message. */
  readonly steps: number;
  /** How often each bounded thing of this turn was used, by its name in the table of bounds. */
  readonly spent: Readonly<Record<string, number>>;
  readonly runtime: Runtime;
  /** How the model is to choose its words in this turn, where its sender said so; else as in the whole session. */
  readonly sampling?: Sampling;
  readonly adjust: RequestAdjustments;
  /** The pieces of the answer so far, when it came in pieces: entry ids and their words. */
  readonly parts: readonly { readonly id: string; readonly text: string }[];
  readonly guard: GuardState;
  /** Where the answer goes, as the message that opened the turn brought it along: fixed from then on, whoever speaks meanwhile. */
  readonly replyTo?: Json;
  /** How often in a row the process died at one position of the turn, and which that was. */
  readonly crashes?: number;
  readonly crashedAt?: string;
}
/** What the loop guard remembers of this turn. Keys are hashes: arguments and results stay out of the cell. */
export interface GuardState {
  /** Per distinct call: how often it gave this same result, and whether that was a failure. */
  readonly calls: Readonly<Record<string, { readonly result: string; readonly repeats: number; readonly failed: boolean }>>;
  /** Per tool: failures in a row. */
  readonly failing: Readonly<Record<string, number>>;
  /** Calls in a row that were kept from running; absent means none. */
  readonly refused?: number;
  /** The model was told that calls like those will be refused too. */
  readonly toldOfRefusals?: true;
  /** Steps in a row in which not one call named a tool that exists. */
  readonly strangers: number;
}

interface PreparePhase {
  readonly phase: 'prepare';
}
interface SamplePhase {
  readonly phase: 'sample';
  /** The last call of the turn: tools forbidden, because of this limit. */
  readonly closing?: ClosingReason;
  /** It waits for its provider to be back. */
  readonly held?: true;
}
interface RecoverPhase {
  readonly phase: 'recover';
  readonly failure: Failure;
  readonly closing?: ClosingReason;
}
interface ActPhase {
  readonly phase: 'act';
  readonly calls: readonly CallCell[];
}
interface SettlePhase {
  readonly phase: 'settle';
  readonly outcome: Outcome;
  /** Entry ids of the messages that hold the outcome's text. */
  readonly messageIds: readonly string[];
}
interface DonePhase {
  readonly phase: 'done';
  readonly outcome: Outcome;
}

/**
 * One tool call on its way: nothing runs before `running` is durable, and nobody is asked before `asking` is. A call that
 * was asking when the process died has done nothing: it is asked again under the same id, or a late answer is taken.
 */
export type CallCell =
  /** `waiting`: it runs, and all that it does is wait for a person. */
  | { readonly status: 'planned' | 'running' | 'waiting'; readonly call: ToolCall }
  | { readonly status: 'asking'; readonly call: ToolCall; readonly question: ConsentQuestion }
  | {
      readonly status: 'finished';
      readonly call: ToolCall;
      readonly result: ToolMessage;
      readonly details?: ToolDetails;
      /** How long it took; absent where nothing ran. */
      readonly ms?: number;
      readonly refused?: true;
    };

/** Whether a call of this turn waits for the answer to this question. */
export const isAsking = (turn: TurnState | undefined, questionId: string): boolean =>
  turn?.phase === 'act' && turn.calls.some((cell) => cell.status === 'asking' && cell.question.id === questionId);

/** Whether a turn only waits for a person: it does no work until there is an answer, however often its process ends meanwhile. */
export const isWaitingForPerson = (turn: TurnState | undefined): boolean =>
  turn?.phase === 'act' && turn.calls.some(({ status }) => status === 'asking' || status === 'waiting');
