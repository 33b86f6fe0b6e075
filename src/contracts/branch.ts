import type { Session } from './session-store.ts';

export interface BranchOptions {
  /** The last entry to take along; the rest of its turn comes with it. Absent: everything that is settled. */
  readonly throughSeq?: number;
  /** A title the owner chose. */
  readonly title?: string;
}
export type BranchResult = { readonly ok: true; readonly session: Session } | { readonly ok: false; readonly why: string };
