import type { CommandVerdict, JudgeCommand } from '../../../contracts/safety.ts';
import { scriptLine } from '../../../base/shell.ts';
import type { ProcessRow } from './processes.ts';
import { bare, lineParts } from './shell-line.ts';

/** What processes were told, as far as a line of it may not be at its end. */
export interface Heard {
  /** What a process would make of what it is told next: the words to be judged, and how. */
  next(row: ProcessRow, data: string, judge: JudgeCommand): { readonly words: string; readonly judge: JudgeCommand };
  sent(row: ProcessRow, data: string): void;
}

/** Programs that take what they are told for code of their own language. */
const INTERPRETER = /^(?:python|node|ruby|perl|php|deno|bun|irb|ipython|lua)[\d.]*$/;
/** Programs before it that read nothing. */
const SILENT: ReadonlySet<string> = new Set(['cd', 'export', 'set']);
/** What code in another language looks like to a shell. */
const NO_SHELL: ReadonlySet<string> = new Set(['unreadable', 'unknown_command']);
/** Longer than any line a person would enter. */
const LONGEST = 65_536;

/** Words that come in pieces are one line: it is judged with all its pieces, whenever one is added. */
export function inputBook(): Heard {
  const open = new Map<string, string>();
  const lineOf = (row: ProcessRow, data: string): string => `${open.get(row.id) ?? ''}${data}`;
  return {
    next: (row, data, judge) => {
      const program = interpreterOf(row.running.command);
      return { words: lineOf(row, data), judge: withoutPlaces(program === undefined ? judge : asCodeToo(program, judge)) };
    },
    sent: (row, data) => {
      const words = lineOf(row, data);
      open.set(row.id, words.slice(words.lastIndexOf('\n') + 1).slice(-LONGEST));
    },
  };
}

/** Where a process stands by now is not known, and so no place that a longer consent could be held to. */
const withoutPlaces =
  (judge: JudgeCommand): JudgeCommand =>
  (words, place): CommandVerdict => {
    const verdict = judge(words, place);
    if (verdict.type === 'fine') return verdict;
    const { at: _, ...rest } = verdict;
    return rest;
  };

/** An interpreter may have been made to start a shell: what reads as a command of one counts as one. */
const asCodeToo =
  (program: string, judge: JudgeCommand): JudgeCommand =>
  (words, place): CommandVerdict => {
    const code = judge(scriptLine(program, words), place);
    const shell = judge(words, place);
    const foreign = shell.type === 'ask' && shell.key.split('+').some((name) => NO_SHELL.has(name));
    return code.type === 'refuse' || shell.type === 'fine' || foreign ? code : shell;
  };

/** The program that reads what it is told, when it is known to be no shell and nobody reads before it. */
function interpreterOf(command: string): string | undefined {
  const names = lineParts(command).map(({ pipeline }) => bare(pipeline[0] ?? []).filter((word) => word !== 'exec')[0] ?? '');
  const readers = names.map((name) => name.slice(name.lastIndexOf('/') + 1)).filter((name) => !SILENT.has(name));
  const [only, ...others] = readers;
  return only !== undefined && others.length === 0 && INTERPRETER.test(only) ? only : undefined;
}
