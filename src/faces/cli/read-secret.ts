import { toVisibleLine } from '../../base/visible.ts';
import type { ReadSecret, SecretRequest } from '../../contracts/ports.ts';
import { createInterruptedQuestion } from '../../contracts/interrupted-question.ts';

/** A terminal whose keys can be taken one by one, before it shows them. */
export type KeyInput = NodeJS.ReadableStream & { setRawMode(raw: boolean): unknown };
export interface SecretTerminal {
  /** Opened with the first question. */
  input(): KeyInput;
  say(text: string): void;
  /** Throws away what was typed so far: it was shown. */
  discard(): void;
  /** What Ctrl-C does elsewhere: taken key by key it is no signal of its own. */
  interrupt(): void;
  /** Throws away what still comes behind the answer, and lets go of the input. */
  close?(): Promise<void>;
}

/** Asks in the terminal and shows nothing of what is typed. */
export const readSecretIn =
  ({ input, say, discard, interrupt, close = async () => {} }: SecretTerminal): ReadSecret =>
  async (question, signal) => {
    const keys = input();
    keys.setRawMode(true);
    discard();
    // Nothing is said before keys are no longer shown: whoever sees the question may begin to type.
    say(`${renderQuestion(question)}  (not shown while you type) > `);
    try {
      return await typed(keys, signal, interrupt);
    } finally {
      keys.setRawMode(false);
      say('\n');
      await close();
    }
  };

const renderQuestion = ({ question, notes = [] }: SecretRequest): string =>
  ['', `? ${toVisibleLine(question)}`, ...notes.map((note) => `  ${toVisibleLine(note)}`), ''].join('\n');

const KEYS = { ctrlC: '\x03', ctrlD: '\x04', backspace: '\x7f', delete: '\b', enter: '\r', newline: '\n' } as const;
const ENDS: ReadonlySet<string> = new Set([KEYS.enter, KEYS.newline, KEYS.ctrlD]);
/** Terminals put these around what is pasted, where they were asked to. */
// oxlint-disable-next-line no-control-regex -- they are control sequences
const PASTE_MARKS = /\x1b\[20[01]~/g;

function typed(input: KeyInput, signal: AbortSignal, interrupt: () => void): Promise<string> {
  const done = Promise.withResolvers<string>();
  const value: string[] = [];
  const stop = () => done.reject(createInterruptedQuestion());
  const onData = (chunk: string | Buffer) => {
    for (const key of chunk.toString().replaceAll(PASTE_MARKS, '')) {
      if (ENDS.has(key)) return done.resolve(value.join(''));
      if (key === KEYS.ctrlC) return (stop(), interrupt());
      if (key === KEYS.backspace || key === KEYS.delete) value.pop();
      else value.push(key);
    }
  };
  const onEnd = () => done.resolve('');
  input.on('data', onData).once('end', onEnd);
  // An earlier question may have paused it.
  input.resume();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return done.promise.finally(() => {
    input.off('data', onData).off('end', onEnd).pause();
    signal.removeEventListener('abort', stop);
  });
}
