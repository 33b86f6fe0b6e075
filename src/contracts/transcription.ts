/** Turns speech into words. Never throws; `why` completes "It could not be transcribed: …". */
export type Transcribe = (file: SpokenFile, signal: AbortSignal) => Promise<TranscriptResult>;
/** A sound file of this machine. */
export interface SpokenFile {
  readonly path: string;
  readonly name: string;
  readonly mime: string;
}
export type TranscriptResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };
