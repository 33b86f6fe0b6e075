/**
 * The secrets this process knows, as handles. A value stays in the closure that made this; what leaves is a placeholder.
 *
 * - `redact` puts a placeholder wherever a known value stands, whole or in the encodings programs print (base64, URL, JSON).
 *   Redacting twice is redacting once, and a text without a known value comes back as it is.
 * - `restore` puts the values back, so that a file the model read with placeholders is written with its own bytes.
 *   `restore(redact(text)) === text` for every text.
 */
export interface Secrets {
  redact(text: string): string;
  restore(text: string): string;
  /** A secret that became known after the start (a login, a token that was refreshed). */
  learn(name: string, value: string): void;
  /** Names only. */
  names(): readonly string[];
}
