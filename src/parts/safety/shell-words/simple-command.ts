/** One simple command: its words with quotes taken off and variables still marked, and what goes in and out. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  /** Text it is fed by here-documents and here-strings. */
  readonly fed: readonly string[];
  /** Its input is the output of the command before it. */
  readonly piped: boolean;
}

/** A line in the order it runs. What is entered is a shell of its own: where it goes and what it sets ends with it. */
export type Step = { readonly type: 'command'; readonly command: SimpleCommand } | { readonly type: 'enter' | 'leave' };

/** The text `echo` or `printf` puts out, as far as it is plain. */
export function spoken({ words, writes }: SimpleCommand): string | undefined {
  const [name, ...rest] = words;
  // What goes into a file reaches nobody else.
  if ((name !== 'echo' && name !== 'printf') || writes.length > 0) return undefined;
  return rest.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(' ');
}
