import type { Usage } from './message.ts';
import type { CallRecord } from './ledger.ts';

/** Asks a model once, without tools and without a session: summaries, titles. Never throws for a remote failure. */
export type CompleteText = (ask: CompletionRequest) => Promise<Completion>;

/** A question whose call is entered in a ledger before its bytes leave. */
export interface EnteredQuestion {
  /** Told at the moment of sending, with the most that the call may cost. The call waits for it. */
  readonly sending?: (call: UnassignedCall) => Promise<unknown>;
}
export interface CompletionRequest extends EnteredQuestion {
  readonly system: string;
  readonly text: string;
  /** What the answer should not exceed; a wish, told to the model in words as well. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}
export type Completion =
  | {
      readonly ok: true;
      readonly text: string;
      readonly usage: Usage;
      readonly model: string;
      readonly price?: number;
      readonly call?: UnassignedCall;
    }
  | {
      readonly ok: false;
      readonly why: string;
      readonly model: string;
      /** Nobody can be asked at all (no key, no route): asking again soon is pointless. */
      readonly hopeless: boolean;
      /** Absent when nothing was sent. */
      readonly call?: UnassignedCall;
    };

/** What the ledger keeps of a call; whose it was and what for is added by whoever enters it. */
export type UnassignedCall = Omit<CallRecord, 'id' | 'sessionId' | 'turnId' | 'throughSeq' | 'purpose'>;

/** A model that can be asked, and how much it can read at once. */
export interface Summariser {
  readonly model: string;
  /** Tokens it can see, its answer included; less once it has said so itself. */
  readonly window: number;
  readonly complete: CompleteText;
  /** US dollars of a usage; absent, or `undefined`, when nobody knows. */
  cost?(usage: Usage): number | undefined;
  /** Output tokens a request of it goes out with, the thinking included. */
  outputFor?(ask: CompletionRequest): number;
}
