/**
 * The secrets this process knows, as handles. A value stays in the closure that made this; what leaves is a placeholder.
 *
 * - `redact` puts a placeholder wherever a known value stands, whole or in the encodings programs print (base64, URL, JSON,
 *   hex). Redacting twice is redacting once, and a text without a known value comes back as it is.
 * - `restore` puts the values back, so that a file the model read with placeholders is written with its own bytes:
 *   `restore(redact(text)) === text`, and the same of `mask`, for every text but one that holds a placeholder of this very
 *   home already. No function can do both for those; a placeholder has a mark in it that nobody else can make, so that such
 *   a text was ours before, and means the value.
 */
export interface Secrets {
  redact(text: string): string;
  /** `redact` for every text in a plain value, keys included; bytes of pictures and attached files stay. */
  redactAll<Value>(value: Value): Value;
  /**
   * As `redact`, and known values that a program wrote backwards, spaced out or wrapped over lines: for what tools put out.
   * What stood there can be restored until the process ends.
   */
  redactOutput(text: string): string;
  /** As `redactOutput`, and whatever else looks like a secret. What only looks like one can be restored until the process ends. */
  mask(text: string): string;
  restore(text: string): string;
  /** Placeholders in the text that `restore` would leave as they are, because what they stood for is not known here. */
  lost(text: string): readonly string[];
  /** Placeholders in the text that `restore` would make real, each once. */
  standing(text: string): readonly SecretPlaceholder[];
  /** `redact` for a text that comes in pieces: a value that is cut in two by their border is found all the same. */
  stream(): RedactingStream;
  /** `redact` for texts that each repeat most of the one before, as requests do: only what is new is looked at. */
  following(): (text: string) => string;
  /** A secret that became known after the start (a login, a token that was refreshed). */
  learn(name: string, value: string): void;
  /** Names only. */
  names(): readonly string[];
}
export interface SecretPlaceholder {
  readonly text: string;
  /** The name of what it stands for, whatever name was written into it. */
  readonly name: string;
}
export interface RedactingStream {
  /** What of the text so far is sure to hold no beginning of a secret. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}
