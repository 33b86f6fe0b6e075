/** A value in the file: what it is and where it stands. */
export interface ValueWithLine {
  readonly value: unknown;
  readonly line: number;
}
export interface ConfigProblem {
  readonly key: string;
  readonly line?: number;
  readonly words: string;
  readonly cure: string;
  /** The variable it is about, when it is not about the file. */
  readonly variable?: string;
}
