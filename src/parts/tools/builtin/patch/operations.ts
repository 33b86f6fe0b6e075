/** One operation of a patch. */
export type Operation =
  | { readonly kind: 'update'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string };

export interface Hunk {
  /** Text between the @@ marks: a line near the place. */
  readonly hint: string;
  /** The line of the file as it becomes, from 1, where the hunk begins; only unified diffs tell it. */
  readonly line?: number;
  readonly lines: readonly { readonly mark: ' ' | '-' | '+'; readonly text: string }[];
}
