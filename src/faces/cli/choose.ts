import type { Paint } from '../../base/screen/paint.ts';
import type { ChoiceQuestion } from '../../contracts/command.ts';
import { createInterruptedQuestion } from '../../contracts/interrupted-question.ts';
import { drawPicker, openPicker, pressKey } from './picker.ts';
import type { SecretTerminal } from './read-secret.ts';

export interface ChooseTerminal extends SecretTerminal {
  columns(): number;
  readonly paint: Paint;
}

/** Has a person pick one of several. The list goes away with the answer, which stays in its place on one line. */
export const chooseIn =
  ({ input, say, discard, interrupt, columns, paint, close = async () => {} }: ChooseTerminal) =>
  async (question: ChoiceQuestion, signal: AbortSignal): Promise<string> => {
    const keys = input();
    keys.setRawMode(true);
    discard();
    let state = openPicker(question);
    let height = 0;
    const clear = (): string => (height === 0 ? '' : `\r\x1b[${height}A\x1b[J`);
    const draw = (): void => {
      const lines = drawPicker(state, columns() - 1, paint);
      say(`${height === 0 ? '\n' : clear()}${lines.join('\n')}\n`);
      height = lines.length;
    };
    const done = Promise.withResolvers<string>();
    const stop = () => done.reject(createInterruptedQuestion());
    const onData = (chunk: string | Buffer): void => {
      for (const key of splitKeys(chunk.toString())) {
        const step = pressKey(state, key);
        if (step === 'cancelled') return (stop(), key === '\x03' ? interrupt() : undefined);
        if ('picked' in step) return done.resolve(step.picked);
        state = step;
      }
      draw();
    };
    draw();
    keys.on('data', onData).once('end', stop);
    keys.resume();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const picked = await done.promise;
      say(`${clear()}? ${question.question} ${paint.strong(picked)}\n`);
      return picked;
    } finally {
      keys.off('data', onData).off('end', stop);
      signal.removeEventListener('abort', stop);
      keys.setRawMode(false);
      await close();
    }
  };

/** Keys as they come: sequences of the arrows, else single characters. What is pasted is typed. */
const splitKeys = (typed: string): readonly string[] =>
  // oxlint-disable-next-line no-control-regex -- they are control sequences
  typed.replaceAll(/\x1b\[20[01]~/g, '').match(/\x1b[[O][A-Z]|\x1b\[[0-9;]*~?|[\s\S]/gu) ?? [];
