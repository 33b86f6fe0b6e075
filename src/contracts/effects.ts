/** What a call touches. */
export interface Effects {
  readonly kind: 'read' | 'write';
  /** `path:/abs/dir` overlaps with everything below it; `*` overlaps with everything. */
  readonly resources: readonly string[];
  /** Waits for a person: never beside another call. */
  readonly interactive?: boolean;
  /** A write that also shows what was there before. */
  readonly shows?: boolean;
}
