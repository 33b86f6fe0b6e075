import { once } from 'node:events';
import { printable } from '../../base/printable.ts';
import type { Ports, Question } from '../../contracts/ports.ts';
import { ToolFailure } from '../../contracts/tool.ts';

/** Asks in the terminal: the question and its choices numbered, one line as the answer. A number means the choice. */
export function askIn(input: NodeJS.ReadableStream, say: (text: string) => void): NonNullable<Ports['clarify']> {
  return async (question, signal) => {
    say(renderQuestion(question));
    const line = await readLine(input, signal);
    if (line === undefined) say('\n');
    return answerOf(line ?? '', question);
  };
}

function renderQuestion({ question, choices, several }: Question): string {
  const rows = choices.map((choice, index) => `  ${index + 1}) ${printable(choice)}\n`);
  return `\n? ${printable(question)}\n${rows.join('')}${rows.length === 0 ? '' : several === true ? '  several by their numbers, such as 1,3; or in your own words\n' : '  or in your own words\n'}> `;
}

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
