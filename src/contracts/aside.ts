/** What came of a question beside the conversation. */
export type AsideResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** What the next request of a session would take of the model's window, in tokens. Estimated, by what the provider counted before. */
export interface ContextMeasure {
  readonly window: number;
  readonly system: number;
  readonly tools: number;
  /** What the model sees of the conversation; notes in place of what was compacted included. */
  readonly messages: number;
  /** How many messages that is. */
  readonly messageCount: number;
  /** Tokens of the window that are kept for the answer. */
  readonly maxOutput?: number;
}

/** What came of a shell command of the owner's. */
export interface OwnCommandResult {
  /** It ran and ended with code 0. */
  readonly ok: boolean;
  /** What it wrote, and how it ended when that says something; or why it was not run. */
  readonly output: string;
}
