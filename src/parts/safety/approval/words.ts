import type { Question } from '../../../contracts/ports.ts';
import type { Action } from '../../../contracts/tool.ts';
import { classesOf, type Scope } from './grants.ts';

export const ANSWERS: Readonly<Record<Scope | 'no', string>> = {
  once: 'Yes, this once',
  task: 'Yes, for this task',
  session: 'Yes, for this session',
  always: 'Yes, always',
  no: 'No',
};

const DO_NOT = 'Do not look for another way to do the same thing; say what you would have done and why.';

export const REFUSALS = {
  nobody: `nobody is there to approve this. ${DO_NOT}`,
  late: (seconds: number) => `nobody answered within ${seconds} s. ${DO_NOT}`,
  canStill: (id: string) => `The owner can still allow it with: hermes approvals allow ${id}`,
  no: `the owner said no. ${DO_NOT}`,
} as const;

export const denialsOf = (why: string, giveUp: boolean): string =>
  `the reviewing model said no${why === '' ? '' : `: ${why}`}. ${giveUp ? 'It has said no several times in a row: stop here, and tell the user what you need and why.' : DO_NOT}`;

export function questionOf(action: Action, scopes: readonly Scope[]): Question {
  const { tool, summary, reason, cwd } = action;
  const classes = classesOf(action).map((name) => name.replaceAll('_', ' '));
  const lasting = scopes.length > 1 && classes.length > 0 ? `\n  A longer yes covers: ${classes.join(', ')}.` : '';
  return {
    question: `Allow ${tool}: ${summary}\n  Asked because ${reason}.${cwd === undefined ? '' : `\n  In ${cwd}.`}${lasting}`,
    choices: [...scopes.map((scope) => ANSWERS[scope]), ANSWERS.no],
  };
}
