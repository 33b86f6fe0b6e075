/** One step of the schema. Written once and never changed again: stores in the field have run it. */
export interface Migration {
  /** The `user_version` a store has after it. */
  readonly version: number;
  readonly sql: string;
}
