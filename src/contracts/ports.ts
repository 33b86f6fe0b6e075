/** What one part needs of another, by name; `app` hands the implementation over. Absent means: not available in this face. */
export interface Ports {
  /** Asks the person in front of this session. */
  readonly clarify?: (question: Question, signal: AbortSignal) => Promise<string>;
}
export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
}
