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
  /** Nothing is wrong with it but that this version has no such setting or value. */
  readonly ignored?: true;
  /** There is no such setting. */
  readonly unknown?: true;
  /** The setting that may have been meant. */
  readonly nearest?: string;
}
