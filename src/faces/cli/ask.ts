import { once } from 'node:events';
import { visible, visibleLine } from '../../base/visible.ts';
import type { Ports, Question } from '../../contracts/ports.ts';
import { ToolFailure } from '../../contracts/tool.ts';
import { drawAct, drawNotes } from './act.ts';

/** Asks in the terminal: the question and its choices numbered, one line as the answer. A number means the choice. */
export function askIn(
  input: NodeJS.ReadableStream,
  say: (text: string) => void,
  columns: () => number = () => Infinity,
): NonNullable<Ports['clarify']> {
  return async (question, signal) => {
    say(renderQuestion(question, columns()));
    const line = await readLine(input, signal);
    if (line === undefined) say('\n');
    return answerOf(line ?? '', question);
  };
}

/** Nothing is taken out of what a person answers to. */
function renderQuestion({ question, act, notes = [], choices, several }: Question, columns: number): string {
  const lines = [
    '',
    `? ${act === undefined ? visible(question) : visibleLine(question)}`,
    ...(act === undefined ? [] : drawAct(act, columns)),
    ...drawNotes(notes, columns),
    ...choices.map((choice, index) => `  ${index + 1}) ${visible(choice)}`),
    ...(choices.length === 0 ? [] : [HOW[several === true ? 'several' : 'one']]),
  ];
  return `${lines.join('\n')}\n> `;
}
const HOW = { one: '  or in your own words', several: '  several by their numbers, such as 1,3; or in your own words' } as const;

function answerOf(line: string, { choices, several }: Question): string {
  const words = line.trim();
  const numbers = several === true ? words.split(/[\s,]+/) : [words];
  const chosen = numbers.map((word) => (/^\d+$/.test(word) ? choices[Number(word) - 1] : undefined));
  return words !== '' && chosen.every((choice) => choice !== undefined) ? chosen.join(', ') : words;
}

/** One line; nothing when the input ends before one. The terminal stays in its own mode, so that Ctrl-C is still a signal. */
async function readLine(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input, terminal: false });
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  try {
    const [line]: unknown[] = await Promise.race([
      once(lines, 'line', { signal: either }),
      once(lines, 'close', { signal: either }).then(() => []),
    ]);
    return typeof line === 'string' ? line : undefined;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ToolFailure('Not answered: the user interrupted the question.');
  } finally {
    done.abort();
    lines.close();
  }
}
