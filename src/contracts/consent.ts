import { toStableJson } from '../base/json.ts';
import type { Json } from './message.ts';
import type { DangerPlaces, HashedFile } from './safety.ts';

/** Something that needs consent, told so that a person can judge it. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
  /** The classes of what is asked, joined by `+`, by which a lasting consent is kept; absent means it can only be given once. */
  readonly key?: string;
  /** Where each class of danger lies, as a verdict tells it; a class whose places are not known is left out. */
  readonly at?: DangerPlaces;
  /** Files behind the words, as they were when it was asked: with other contents it is another act. */
  readonly read?: readonly HashedFile[];
  /** Where it would happen: the same words elsewhere are another act. */
  readonly cwd?: string;
  /** Whose question it is; a later answer finds its way by these. */
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly callId?: string;
  /** The owner typed the call: only what the floor could not check, and what opens the wall, is asked about. */
  readonly byOwner?: true;
  /**
   * The question its session keeps: it outlives the process, and a late answer comes under this id. Absent for a question
   * from inside a call that runs already; that one dies with its call.
   */
  readonly questionId?: string;
}
/** Whether two acts are the same to whoever agreed to one of them: the same words, dangers and files in the same place. */
export const isSameApprovalRequest = (one: ApprovalRequest, other: ApprovalRequest): boolean =>
  toStableJson(toComparableRequest(one)) === toStableJson(toComparableRequest(other));
const toComparableRequest = ({ tool, summary, reason, key = '', at = {}, read = [], cwd = '' }: ApprovalRequest): Json => ({
  tool,
  summary,
  reason,
  key,
  at,
  cwd,
  read: read.map(({ path, hash }) => ({ path, hash })),
});
export type ApprovalVerdict =
  | { readonly allow: true; readonly by: string }
  | {
      readonly allow: false;
      readonly by: string;
      readonly reason: string;
      /** Nobody answered in time: under this id it can still be allowed, once. */
      readonly openId?: string;
      /** The folder whose code would run unasked if the owner trusted it: the call was nothing more. */
      readonly trustable?: string;
    };

/** A question that keeps a call waiting. */
export interface ConsentQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly callId: string;
  /** When it was first asked. */
  readonly at: number;
  readonly action: ApprovalRequest;
}

/** Why a question is broken off when whoever follows the turn has left: it stays open, and its session asks it again. */
export const CONSUMER_LEFT = 'left';

/** Asks whoever may consent. Silence, absence and failure are a denial. */
export interface Approver {
  /**
   * The answer that needs nobody: allowed in advance, by an earlier answer, or by a late one, which is used up by it.
   * `undefined` when somebody must be asked; absent when somebody always must.
   */
  known?(action: ApprovalRequest): Promise<ApprovalVerdict | undefined>;
  ask(action: ApprovalRequest, signal: AbortSignal): Promise<ApprovalVerdict>;
}

/** Something that stands against a call until somebody agrees to it. */
export interface RequiredConsent {
  readonly action: ApprovalRequest;
  /** Words for the model when nobody agreed, made of why. */
  refusal(why: string): string;
  /** Whose words the refusal repeats, when they are from outside. */
  readonly source?: string;
  /** The file it is about: whoever agrees lets tools at it through the wall. */
  readonly file?: { readonly path: string; readonly how: 'read' | 'write' };
}
