/**
 * Reads a file of the place where the session's commands run, to send it to somebody: only what its tools may read without
 * asking. `why` completes "It was not sent: …". Never throws.
 */
export type ReadOutgoingFile = (
  path: string,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
) => Promise<OutgoingFileResult>;
export type OutgoingFileResult = { readonly ok: true; readonly file: OutgoingFile } | { readonly ok: false; readonly why: string };
export interface OutgoingFile {
  readonly name: string;
  readonly bytes: Buffer;
}
