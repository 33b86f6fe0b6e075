import type { CommandVerdict, JudgeCommand } from '../../../../contracts/safety.ts';
import { toHereDocumentCommand } from '../../../../base/shell.ts';
import { readShell } from '../../../../base/shell/read.ts';
import type { ProcessRow } from './processes.ts';
import { parseLineParts } from '../command-line/shell-line.ts';

/** What processes were told: what a line does hangs on the lines before it. */
export interface ProcessInputs {
  /** What a process would make of what it is told next: the words to be judged, and how. */
  next(row: ProcessRow, data: string, judge: JudgeCommand): { readonly words: string; readonly judge: JudgeCommand };
  sent(row: ProcessRow, data: string): void;
}

/** Programs that take what they are told for code of their own language. */
const INTERPRETER = /^(?:python|node|ruby|perl|php|deno|bun|irb|ipython|lua)[\d.]*$/;
/** Programs before it that read nothing. */
const SILENT: ReadonlySet<string> = new Set(['cd', 'export', 'set']);
/** Programs that take what they are told for commands, or hand it to one that does. */
const READS_COMMANDS =
  /(?:^|[\s/;&|(])(?:[a-z]{0,3}sh|su|sudo|doas|docker|podman|kubectl|screen|tmux|nsenter|chroot|script|expect|pwsh)(?:\s|$)/;
/** What data and code in another language look like to a shell: commands nobody knows. */
const NO_COMMAND: ReadonlySet<string> = new Set(['unreadable', 'not_reading', 'unseen_command', 'project_code', 'interpreter_code']);
/** Characters that are kept of what a process was told. */
const LONGEST = 65_536;

/** All that a process was told so far, as far as it is kept, and whether that is all of it. */
interface SentInput {
  readonly text: string;
  readonly whole: boolean;
}
const NOTHING: SentInput = { text: '', whole: true };

/** Words that come in pieces are one line: it is judged with all its pieces, whenever one is added. */
export function createProcessInputs(): ProcessInputs {
  const told = new Map<string, SentInput>();
  return {
    next: (row, data, judge) => {
      const { text, whole } = told.get(row.id) ?? NOTHING;
      const start = text.lastIndexOf('\n') + 1;
      const before = { text: text.slice(0, start), whole };
      const program = interpreterOf(row.running.command);
      const shell = asShell(before, judge);
      const isShell = READS_COMMANDS.test(row.running.command);
      const after = program === undefined ? (isShell ? shell : asDataToo(shell)) : asCodeToo(program, before, judge);
      return { words: `${text.slice(start)}${data}`, judge: withoutPlaces(after) };
    },
    sent: (row, data) => {
      const { text, whole } = told.get(row.id) ?? NOTHING;
      told.set(row.id, keepEnd(`${text}${data}`, whole));
    },
  };
}

/** Its end, from the beginning of a line on. */
function keepEnd(text: string, whole: boolean): SentInput {
  if (text.length <= LONGEST) return { text, whole };
  const end = text.slice(-LONGEST);
  return { text: end.slice(end.indexOf('\n') + 1), whole: false };
}

/** A shell knows what it was told before, and stands where that has led it. */
const asShell =
  ({ text, whole }: SentInput, judge: JudgeCommand): JudgeCommand =>
  (words, place) =>
    judge(
      words,
      text === '' && whole ? place : { ...place, carried: [...(place.carried ?? []), { type: 'told', script: text, whole, moves: true }] },
    );

/** Where a process stands by now is not known, and so no place that a longer consent could be held to. */
const withoutPlaces =
  (judge: JudgeCommand): JudgeCommand =>
  (words, place): CommandVerdict => {
    const verdict = judge(words, place);
    if (verdict.type === 'fine') return verdict;
    const { at: _, ...rest } = verdict;
    return rest;
  };

/** A program that is no shell is told data; only what is a known command as well counts, should it have started one. */
const asDataToo =
  (judge: JudgeCommand): JudgeCommand =>
  (words, place): CommandVerdict => {
    const verdict = judge(words, place);
    return verdict.type === 'ask' && verdict.key.split('+').every((name) => NO_COMMAND.has(name)) ? { type: 'fine' } : verdict;
  };

/** An interpreter may have been made to start a shell: what reads as a command of one counts as one. */
const asCodeToo =
  (program: string, before: SentInput, judge: JudgeCommand): JudgeCommand =>
  (words, place): CommandVerdict => {
    const code = before.whole ? judge(toHereDocumentCommand(program, `${before.text}${words}`), place) : TOO_LONG;
    const shell = judge(words, place);
    const foreign = shell.type === 'ask' && shell.key.split('+').some((name) => NO_COMMAND.has(name));
    return code.type === 'refuse' || shell.type === 'fine' || foreign ? code : shell;
  };

const TOO_LONG: CommandVerdict = { type: 'ask', key: 'unreadable', reason: 'the code it was told so far is too long to be read' };

/** The program that reads what it is told, when it is known to be no shell and nobody reads before it. */
function interpreterOf(command: string): string | undefined {
  if (!readShell(command).whole) return undefined;
  const names = parseLineParts(command).map(({ pipeline }) => pipeline[0]?.words.find((word) => word !== 'exec') ?? '');
  const readers = names.map((name) => name.slice(name.lastIndexOf('/') + 1)).filter((name) => !SILENT.has(name));
  const [only, ...others] = readers;
  return only !== undefined && others.length === 0 && INTERPRETER.test(only) ? only : undefined;
}
