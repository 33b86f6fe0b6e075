import { showInvisible, toVisibleLine } from '../../base/visible.ts';
import type { Ports, UserQuestion } from '../../contracts/ports.ts';
import { createInterruptedQuestion } from '../../contracts/interrupted-question.ts';
import { readAnswer } from '../../base/screen/answer.ts';
import { drawAct, drawNotes } from '../../base/screen/act.ts';

/** Where a person is asked. */
export interface AskTerminal {
  /** Opened with the first question. */
  input(): NodeJS.ReadableStream;
  say(text: string): void;
  columns?(): number;
  /** Throws away what was typed so far: it was no answer to a question nobody had seen yet. */
  discard?(): void;
  /** Throws away what still comes behind the answer, and lets go of the input: the shell must not run the rest of a paste. */
  close?(): Promise<void>;
  /** Whether the terminal can be told to mark what is pasted. */
  readonly marksPastes?: boolean;
}

/** Asks in the terminal: the question and its choices numbered, one line as the answer. A number means the choice. */
export function askIn({
  input,
  say,
  columns = () => Infinity,
  discard = () => {},
  close = async () => {},
  marksPastes = false,
}: AskTerminal): NonNullable<Ports['clarify']> {
  return async (question, signal) => {
    const keys = input();
    say(renderQuestion(question, columns()));
    discard();
    say(`${marksPastes ? PASTES.mark : ''}> `);
    const again = (words: string): undefined => {
      say(`${drawNotes([`(${words})`], columns()).join('\n')}\n> `);
    };
    const whole = marksPastes ? withPastes(question.act === undefined, again) : (line: string) => line;
    const take = (line: string): string | undefined => {
      const answer = whole(line);
      return answer === undefined ? undefined : takeAnswer(answer, question, again);
    };
    try {
      const line = await readLine(keys, signal, take);
      if (line === undefined) say('\n');
      return line ?? '';
    } finally {
      if (marksPastes) say(PASTES.leave);
      await close();
    }
  };
}

/** Terminals put these around what is pasted, once they are asked to. */
const PASTES = { mark: '\x1b[?2004h', leave: '\x1b[?2004l', begin: '\x1b[200~', end: '\x1b[201~' } as const;

/**
 * Lines put together to what was meant: a paste is one answer, however many lines it has. Where consent is asked for, what is
 * pasted is no answer, whatever is in it: only what is typed behind it counts.
 */
function withPastes(accepted: boolean, again: (words: string) => undefined): (line: string) => string | undefined {
  const pasted: string[] = [];
  return (line) => {
    if (pasted.length === 0 && !line.includes(PASTES.begin)) return line;
    pasted.push(line);
    const whole = pasted.join('\n');
    if (whole.lastIndexOf(PASTES.end) < whole.lastIndexOf(PASTES.begin)) return undefined;
    pasted.length = 0;
    if (accepted) return whole.replaceAll(PASTES.begin, '').replaceAll(PASTES.end, '');
    const typed = whole.slice(whole.lastIndexOf(PASTES.end) + PASTES.end.length);
    return typed.trim() === '' ? again('pasted text does not count as an answer: type it') : typed;
  };
}

/** Nothing is taken out of what a person answers to. */
function renderQuestion(asked: UserQuestion, columns: number): string {
  const { question, act, notes = [], choices, several, strict } = asked;
  const lines = [
    '',
    `? ${act === undefined ? showInvisible(question) : toVisibleLine(question)}`,
    ...(act === undefined ? [] : drawAct(act, columns)),
    ...drawNotes(notes, columns),
    ...choices.map((choice, index) => `  ${index + 1}) ${showInvisible(choice)}`),
    ...(choices.length === 0 || strict === true
      ? []
      : act === undefined
        ? [HOW[several === true ? 'several' : 'one']]
        : drawNotes([OR_WHY_NOT], columns)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whatever is not one of the answers to a call that waits is a no, and the model reads it. */
const OR_WHY_NOT = 'or say why not in your own words, which means no';
const HOW = { one: '  or in your own words', several: '  several by their numbers, such as 1,3; or in your own words' } as const;

/** What a line answers, or nothing for one that answers nothing: then it is said what would. */
function takeAnswer(line: string, question: UserQuestion, again: (words: string) => undefined): string | undefined {
  const reading = readAnswer(line, question);
  return 'answer' in reading ? reading.answer : again(reading.again);
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
  const stop = () => done.reject(createInterruptedQuestion());
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
