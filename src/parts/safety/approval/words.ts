import { isCut } from '../../../base/brief.ts';
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

/** No has the same number in every question: whoever is used to it must not hit a yes where more is offered. */
export function questionOf(action: Action, scopes: readonly Scope[]): Question {
  const { tool, summary, reason, cwd, sessionId } = action;
  const classes = classesOf(action).map((name) => name.replaceAll('_', ' '));
  return {
    question: `Allow ${tool}?`,
    act: summary,
    notes: [
      `Asked because ${reason}.`,
      ...(cwd === undefined ? [] : [`In ${cwd}.`]),
      ...(sessionId !== undefined && isCut(summary) ? [wholeIn(sessionId)] : []),
      ...(scopes.length > 1 && classes.length > 0 ? [`A longer yes covers: ${classes.join(', ')}.`] : []),
    ],
    choices: [ANSWERS.once, ANSWERS.no, ...scopes.filter((scope) => scope !== 'once').map((scope) => ANSWERS[scope])],
  };
}

/** Where a call stands that is too long for a question: in the log, before it runs. */
const wholeIn = (sessionId: string): string => `The call is longer than this: hermes sessions show ${sessionId} --json has all of it.`;
