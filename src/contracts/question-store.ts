import type { Json } from '../base/json-types.ts';
import type { ApprovalRequest } from './consent.ts';

/**
 * Questions that outlive the process that asked them, and what was allowed for longer than one act. Each method is one atomic
 * step: an answer is given once and used once, whichever process asks. Ages go by the store's clock.
 */
export interface QuestionStore {
  /** Those that are younger than this, oldest first. */
  list(maxAgeMs: number): Promise<readonly StoredQuestion[]>;
  /** Asked from now on. One that is there by its id stays as it is. */
  begin(question: NewQuestion): Promise<void>;
  /** It was answered where it was asked, or nobody wants to know any more. */
  end(id: string): Promise<void>;
  /** Nobody answered: it stays to be answered late. The same act is the same question, and what was denied stays denied. */
  keep(question: NewQuestion, maxAgeMs: number): Promise<StoredQuestion>;
  /** `undefined` when no open question has this id. */
  decide(id: string, state: 'allowed' | 'denied', maxAgeMs: number): Promise<StoredQuestion | undefined>;
  /** Takes the consent to exactly this act, if there is one. Afterwards there is none. */
  use(act: string, maxAgeMs: number): Promise<StoredQuestion | undefined>;
  /** Takes over what another keeper held; those that are known stay as they are. */
  adopt(questions: readonly (StoredQuestion & Pick<NewQuestion, 'act'>)[]): Promise<void>;

  /** Allowed until the session ends, or for one turn of it alone. */
  grant(to: GrantHolder, scopes: readonly Json[]): Promise<void>;
  /** What the session is allowed, and this turn of it. */
  granted(to: GrantHolder): Promise<readonly Json[]>;
}
export interface NewQuestion {
  readonly id: string;
  /** Two questions about the same act have the same. */
  readonly act: string;
  readonly action: ApprovalRequest;
}
export interface StoredQuestion {
  readonly id: string;
  readonly at: number;
  readonly action: ApprovalRequest;
  readonly state: 'open' | 'allowed' | 'denied' | 'used';
  readonly decidedAt?: number;
}
export interface GrantHolder {
  readonly sessionId: string;
  readonly turnId?: string;
}
