/** Files as they were before the agent changed them. */
export interface CheckpointService {
  /** Newest first; the first is number 1. */
  list(scope: CheckpointScope): readonly CheckpointLine[];
  /** What a rollback would change. */
  diff(ask: RollbackRequest): Promise<RollbackPlan<RollbackDiff>>;
  /** Brings files back as they were before the checkpoint; what is there now becomes a checkpoint of its own first. */
  restore(ask: RollbackRequest): Promise<RollbackOutcome>;
  /** The session hears with its next message that files were rolled back. One that is gone hears nothing. */
  tell(sessionId: string, words: string): Promise<void>;
  prune(): Promise<ClearedCheckpoints>;
  clear(): Promise<ClearedCheckpoints>;
  status(): CheckpointStatus;
}

/** Whose checkpoints are meant: those of one session, and those that lie in, or around, one folder. Neither: all. */
export interface CheckpointScope {
  readonly folder?: string;
  readonly sessionId?: string;
}
/** A checkpoint as the owner sees it. */
export interface CheckpointLine {
  /** Newest first from 1, in the list it stands in. */
  readonly number: number;
  readonly id: string;
  readonly at: number;
  readonly tool: string;
  readonly what: string;
  readonly root: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** The call was cut off: what it changed is found out when it is rolled back. */
  readonly cutOff: boolean;
  readonly files: readonly CheckpointFile[];
}
export interface CheckpointFile {
  readonly path: string;
  readonly change: 'made' | 'changed' | 'deleted' | 'unknown';
}

export interface RollbackRequest {
  readonly scope: CheckpointScope;
  /** The checkpoint to go back before, by its full id. */
  readonly checkpoint: string;
  /** Only this file or folder: an absolute path. */
  readonly only?: string;
  /** Also files somebody else changed since. */
  readonly all?: boolean;
  /** The session that asks; empty when the owner does so outside of one. */
  readonly sessionId: string;
}
export interface RollbackPlan<Row> {
  readonly rows: readonly Row[];
  /** Whether any checkpoint since then touched what `only` names. */
  readonly touched: boolean;
}
export interface RollbackDiff {
  readonly path: string;
  /** Why it would be left alone; absent when it would not. */
  readonly conflict?: string;
  readonly diff: string;
}
export type RollbackOutcome =
  | {
      readonly ok: true;
      readonly touched: boolean;
      readonly files: readonly RolledBackFile[];
      /** Sessions whose work was undone. */
      readonly sessions: readonly string[];
      /** The checkpoint made of what was there; absent when nothing was changed. */
      readonly made?: string;
    }
  /** Nothing was changed. */
  | { readonly ok: false; readonly why: string };
/** What became of one file in a rollback. */
export interface RolledBackFile {
  readonly path: string;
  readonly fate: 'restored' | 'removed' | 'conflict' | 'not_kept' | 'failed';
  readonly why?: string;
}
export interface ClearedCheckpoints {
  readonly checkpoints: number;
  readonly blobs: number;
  readonly bytes: number;
}
export interface CheckpointStatus {
  readonly enabled: boolean;
  readonly folder: string;
  readonly checkpoints: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** 0 when it never was. */
  readonly prunedAt: number;
}

/** Files the agent deleted. */
export interface TrashService {
  /** Newest first; what is too old or too much is cleared away before. */
  list(): Promise<readonly TrashLine[]>;
  /** Puts it back where it was, or elsewhere, and gives the path. Nothing is overwritten. */
  restore(id: string, to?: string): Promise<string>;
  empty(): Promise<{ readonly things: number; readonly bytes: number }>;
}
/** A deleted file that can still be restored. */
export interface TrashLine {
  readonly id: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
  readonly by?: string;
}
