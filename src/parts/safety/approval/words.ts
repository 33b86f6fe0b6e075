import { isCut } from '../../../base/brief.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { toVisibleLine } from '../../../base/visible.ts';
import type { UserQuestion } from '../../../contracts/ports.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import { CLASS_WORDS } from './class-words.ts';
import type { ConsentScope } from './classes.ts';
import { listGrantScopes, isHashed, type GrantScope } from './grant-scopes.ts';

export const ANSWERS: Readonly<Record<ConsentScope | 'no', string>> = {
  once: 'Yes, this once',
  task: 'Yes, for this task',
  session: 'Yes, for this session',
  always: 'Yes, always',
  no: 'No',
};

/** The same session where there is no shorter yes: what it opens stays open. */
export const UNTIL_END = 'Yes, until this session ends';

/** What can be chosen by its number; for good only by typing the word out. */
export const CHOSEN = ['once', 'task', 'session'] as const satisfies readonly ConsentScope[];

const DO_NOT = 'Do not try to get the same result another way. Continue without it, or say what you need and why.';

export const REFUSALS = {
  below: `this agent was started by a command of another agent, where nobody can approve anything. ${DO_NOT}`,
  nobody: `nobody is there to approve this. ${DO_NOT}`,
  late: (seconds: number) => `nobody answered within ${seconds} s. ${DO_NOT}`,
  canStill: (id: string) => `The user can still allow it with: hermes approvals allow ${id}`,
  canTrust: (folder: string) => `, or allow all code of this folder with: hermes trust ${quoteShellWord(folder)}`,
  no: `the user said no. ${DO_NOT}`,
} as const;

export const describeDenial = (why: string, giveUp: boolean): string =>
  `the reviewing model said no${why === '' ? '' : `: ${why}`}. ${giveUp ? 'It has said no several times in a row: stop here, and tell the user what you need and why.' : DO_NOT}`;

/** What is asked, by the tool; its name says enough of any other. */
const QUESTIONS: Readonly<Record<string, string>> = {
  terminal: 'Run this command?',
  execute_code: 'Run this code?',
  write_file: 'Write this file?',
  patch: 'Change these files?',
  memory: 'Change memory like this?',
};

/** What is asked when a yes does more than let the call go on. */
const WALL_QUESTIONS: Readonly<Record<string, string>> = {
  run_outside: 'Run this command outside the sandbox?',
  held_change: 'Keep this change?',
  network_host: 'Connect to this host?',
  git_push: 'Send this push?',
  git_remote: 'Let git use this remote?',
  wall_port: 'Let commands in the sandbox connect to this port, and run this one again?',
  wall_socket: 'Let commands in the sandbox use this socket, and run this one again?',
  wall_path: 'Let commands in the sandbox write there, and run this one again?',
};
const questionOf = ({ tool, key = '' }: ApprovalRequest): string =>
  key.split('+').flatMap((name) => WALL_QUESTIONS[name] ?? [])[0] ?? QUESTIONS[tool] ?? `Allow ${tool}?`;

/** No has the same number in every question: whoever is used to it must not hit a yes where more is offered. */
export function createApprovalQuestion(action: ApprovalRequest, scopes: readonly ConsentScope[]): UserQuestion {
  const { summary, reason, cwd, sessionId, questionId, read = [] } = action;
  return {
    ...(questionId !== undefined && { id: questionId }),
    ...(sessionId !== undefined && { sessionId }),
    question: questionOf(action),
    act: summary,
    notes: [
      `Asked because ${reason}.`,
      ...(cwd === undefined ? [] : [`In ${cwd}.`]),
      ...(read.length === 0 ? [] : [`It depends on the contents of ${read.map(({ path }) => path).join(', ')}.`]),
      ...(sessionId !== undefined && isCut(summary) ? [wholeIn(sessionId)] : []),
      ...(scopes.length > 1
        ? [
            `${scopes.includes('once') ? 'Any answer beyond "this once"' : 'A yes'} allows only: ${listGrantScopes(action).map(coveredBy).join('; and ')}.`,
          ]
        : []),
      ...(scopes.includes('always') ? [FOR_GOOD] : []),
    ],
    choices: [
      scopes.includes('once') ? ANSWERS.once : UNTIL_END,
      ANSWERS.no,
      ...CHOSEN.filter((scope) => scope !== scopes[0] && scopes.includes(scope)).map((scope) => ANSWERS[scope]),
    ],
    ...(scopes.includes('always') && { typedAnswer: 'always' }),
  };
}

const FOR_GOOD = 'To allow that permanently, type the word always.';

/** What a longer yes would allow besides this once, in plain words. */
function coveredBy(scope: GrantScope): string {
  if (scope.type === 'line' || isHashed(scope)) return 'this exact command, while the files it uses stay unchanged';
  const words = CLASS_WORDS[scope.name] ?? scope.name.replaceAll('_', ' ');
  if (scope.type === 'class') return `every command that counts as ${words}`;
  const [, kind = '', at = scope.at] = /^(command|host|program|act):(.*)$/s.exec(scope.at) ?? [];
  return PLACES[kind]?.(words, at) ?? (isFileName(scope.name, at) ? `${words}: ${at}` : `${words} in ${at}`);
}
/** A place is a folder unless its name says otherwise; secrets are files, whatever they are called. */
const isFileName = (name: string, at: string): boolean => !at.endsWith('/') && (name === 'secret_read' || /[^/.]\.\w{1,8}$/.test(at));
const PLACES: Readonly<Record<string, (words: string, at: string) => string>> = {
  command: () => 'this exact command',
  host: (words, at) => `${words} to ${at}`,
  program: (words, at) => `${words} with the program ${at}`,
  act: (words, at) => `${words}: ${describeAct(at)}`,
};

/** `kubectl delete pod @namespace=staging` as a person reads it: "kubectl delete pod, namespace staging". */
const describeAct = (act: string): string =>
  act.replace(/ @(\w+)=/g, (_, name: string) => (name === 'in' ? ' in ' : name === 'all' ? ', everywhere: ' : `, ${name} `));

/** Where a call stands that is too long for a question: in the log, before it runs. */
const wholeIn = (sessionId: string): string => `The call is longer than this: hermes sessions show ${sessionId} --json has all of it.`;

/** For the owner: what was not done because nobody could be asked. */
export const describeUnanswered = (summary: string, id: string, trustable?: string): string =>
  `Not run, because nobody was there to approve it: ${toVisibleLine(summary)}. To allow it once: hermes approvals allow ${id}${
    trustable === undefined ? '' : `. To let the tests, builds and scripts of this folder run: hermes trust ${quoteShellWord(trustable)}`
  }`;
