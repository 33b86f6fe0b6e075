/** The two built-in stores: the agent's own notes, and what it knows of its user. */
export type MemoryTarget = 'memory' | 'user';

export type MemoryOperation =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly oldText: string };

/** Where a fact came from; kept beside the file, never in it. */
export interface MemorySource {
  readonly sessionId: string;
  readonly turnId: string;
  /** Foreign sources the model had in view when the owner allowed the write. */
  readonly foreign: readonly string[];
}

/** A store as its owner looks at it. */
export interface MemoryStoreView {
  readonly target: MemoryTarget;
  readonly path: string;
  readonly enabled: boolean;
  readonly limit: number;
  readonly used: number;
  readonly entries: readonly MemoryEntryView[];
  /** Why the file could not be read. */
  readonly trouble?: string;
}
export interface MemoryEntryView {
  readonly text: string;
  readonly chars: number;
  readonly at?: number;
  /** Absent when the owner wrote it. */
  readonly source?: MemorySource;
  /** Kept from the model: why. */
  readonly blocked?: string;
}
