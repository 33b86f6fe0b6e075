/**
 * A way to a bash far away. What a host or a service has of its own stands behind this; sessions, files, background work
 * and sync are the same on every line.
 */
export interface RemoteShell {
  /** Who is at the other end, for messages: `you@host`, `the sandbox of Modal`. */
  readonly name: string;
  /**
   * Starts `READER` in a bash there and hands it these bytes, then an end. Never throws: what keeps the bash from starting
   * or from being heard is told by `over`.
   */
  exec(input: Buffer, hear: OutputHandlers): Exec;
  /** The line and what it holds open. Nothing can be said on it afterwards. */
  close(): Promise<void>;
}
export interface OutputHandlers {
  output(bytes: Buffer): void;
  /** The other stream, on which a script speaks to us and the program that carries the line complains. */
  told(bytes: Buffer): void;
}
export interface Exec {
  /** Nothing more will be heard. The words of the line itself, when it was the line that broke. */
  readonly over: Promise<string | undefined>;
  /** Nobody listens any more; what runs there is not ended by it. */
  release(): void;
  /** Listening does not keep our own process alive. */
  unref?(): void;
}

/**
 * All that ever stands on a command line: the script itself comes as input, up to the first zero byte, so that no shell on
 * the way can misread it. What follows the zero byte is the input of the command. A script that was cut off is not run.
 */
export const READER = 'IFS= read -rd "" s && eval "$s"';

/** A script and the input for what it runs. */
export const encodeScriptInput = (script: string, stdin: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(script), Buffer.of(0), Buffer.from(stdin)]);

/** The place could not be reached; the words say what was tried, what came back and what to do. */
export class LineError extends Error {
  readonly code = 'unreachable';
}
