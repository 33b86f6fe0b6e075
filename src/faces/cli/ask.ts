import { showInvisible, visibleLine } from '../../base/visible.ts';
import type { Ports, Question } from '../../contracts/ports.ts';
import { ToolFailure } from '../../contracts/tool.ts';
import { drawAct, drawNotes } from '../../base/screen/act.ts';

/** Where a person is asked. */
export interface AskTerminal {
  readonly input: NodeJS.ReadableStream;
  say(text: string): void;
  columns?(): number;
  /** Throws away what was typed so far: it was no answer to a question nobody had seen yet. */
  discard?(): void;
  /** Whether the terminal can be told to mark what is pasted. */
  readonly marksPastes?: boolean;
}

/** Asks in the terminal: the question and its choices numbered, one line as the answer. A number means the choice. */
export function askIn({
  input,
  say,
  columns = () => Infinity,
  discard = () => {},
  marksPastes = false,
}: AskTerminal): NonNullable<Ports['clarify']> {
  return async (question, signal) => {
    const marked = marksPastes && question.act !== undefined;
    say(renderQuestion(question, columns()));
    discard();
    say(`${marked ? PASTES.mark : ''}> `);
    try {
      const line = await readLine(input, signal, marked ? typedOnly(say) : (each) => each);
      if (line === undefined) say('\n');
      return answerOf(line ?? '', question);
    } finally {
      if (marked) say(PASTES.leave);
    }
  };
}

/** Terminals put these around what is pasted, once they are asked to. */
const PASTES = { mark: '\x1b[?2004h', leave: '\x1b[?2004l', begin: '\x1b[200~', end: '\x1b[201~' } as const;

/** What is pasted is no answer, whatever is in it: only what is typed behind it counts. */
function typedOnly(say: (text: string) => void): (line: string) => string | undefined {
  let pasting = false;
  return (line) => {
    pasting ||= line.includes(PASTES.begin);
    if (!pasting) return line;
    const end = line.lastIndexOf(PASTES.end);
    pasting = end < line.lastIndexOf(PASTES.begin) || end < 0;
    const typed = pasting ? '' : line.slice(end + PASTES.end.length);
    if (typed.trim() !== '') return typed;
    if (!pasting) say('  (pasted text is no answer: type it)\n> ');
    return undefined;
  };
}

/** Nothing is taken out of what a person answers to. */
function renderQuestion({ question, act, notes = [], choices, several }: Question, columns: number): string {
  const lines = [
    '',
    `? ${act === undefined ? showInvisible(question) : visibleLine(question)}`,
    ...(act === undefined ? [] : drawAct(act, columns)),
    ...drawNotes(notes, columns),
    ...choices.map((choice, index) => `  ${index + 1}) ${showInvisible(choice)}`),
    ...(choices.length === 0 ? [] : [HOW[several === true ? 'several' : 'one']]),
  ];
  return `${lines.join('\n')}\n`;
}
const HOW = { one: '  or in your own words', several: '  several by their numbers, such as 1,3; or in your own words' } as const;

function answerOf(line: string, { choices, several }: Question): string {
  const words = line.trim();
  const numbers = several === true ? words.split(/[\s,]+/) : [words];
  const chosen = numbers.map((word) => (/^\d+$/.test(word) ? choices[Number(word) - 1] : undefined));
  return words !== '' && chosen.every((choice) => choice !== undefined) ? chosen.join(', ') : words;
}

/** The first line that is taken; nothing when the input ends before one. The terminal stays in its own mode, so that Ctrl-C is still a signal. */
async function readLine(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
  take: (line: string) => string | undefined,
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input, terminal: false });
  const done = Promise.withResolvers<string | undefined>();
  const stop = () => done.reject(new ToolFailure('Not answered: the user interrupted the question.'));
  lines.on('line', (line) => {
    const taken = take(line);
    if (taken !== undefined) done.resolve(taken);
  });
  lines.once('close', () => done.resolve(undefined));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await done.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
