/** Where a face writes. Tests hand in arrays. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person watches stderr. */
  readonly watched: boolean;
  /** Whether a person sees stdout as it is written. */
  readonly onScreen: boolean;
}
