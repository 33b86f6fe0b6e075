/** Environment variables as they are handed around: read, never written. */
export type Env = Readonly<Record<string, string | undefined>>;
