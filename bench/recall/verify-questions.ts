import type { Line } from './verify.ts';

const KINDS = [
  'path',
  'value',
  'decision',
  'error',
  'command',
  'url',
  'identifier',
  'current_task',
  'user_constraint',
  'superseded',
] as const;

export interface Question {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly question: string;
  readonly answer: readonly string[];
  readonly line: number;
  readonly wrong?: readonly string[];
}

const LEAST = 18;
const LEAST_OF: Readonly<Partial<Record<Question['kind'], number>>> = { user_constraint: 3, current_task: 1, superseded: 2 };
const LENGTH = { least: 3, most: 80 };
/** An answer that stands in more lines than this is a common word of the session, not a fact. */
const MAX_PLACES = 12;
const LEAST_A_THIRD = 3;

export function* checkQuestions(questions: readonly Question[], lines: readonly Line[], words: readonly string[]): Generator<string> {
  if (questions.length < LEAST) yield `${questions.length} questions, fewer than ${LEAST}`;
  if (new Set(questions.map(({ id }) => id)).size < questions.length) yield 'two questions with one id';
  for (const [kind, least] of Object.entries(LEAST_OF)) {
    const count = questions.filter((question) => question.kind === kind).length;
    if (count < least) yield `${count} questions of kind ${kind}, fewer than ${least}`;
  }
  yield* checkSpread(questions, lines.length);
  for (const question of questions) {
    for (const problem of [...checkShape(question), ...checkAnswers(question, words), ...checkKind(question, lines, words)])
      yield `question ${question.id}: ${problem}`;
  }
}

function* checkSpread(questions: readonly Question[], total: number): Generator<string> {
  for (const third of [0, 1, 2]) {
    const inside = questions.filter(({ line }) => Math.floor((line * 3) / total) === third).length;
    if (inside < LEAST_A_THIRD) yield `${inside} questions about third ${third + 1} of the session, fewer than ${LEAST_A_THIRD}`;
  }
}

function* checkShape({ kind, question, answer }: Question): Generator<string> {
  if (!KINDS.includes(kind)) yield `unknown kind ${kind}`;
  if (answer.length === 0) yield 'no answer';
  for (const one of answer) {
    if (one.length < LENGTH.least || one.length > LENGTH.most) yield `the answer ${one} has ${one.length} characters`;
    if (question.toLowerCase().includes(one.toLowerCase())) yield `the question gives away ${one}`;
  }
}

/** The first answer stands at the line; the other ways to say it stand somewhere. */
function* checkAnswers({ answer, line }: Question, words: readonly string[]): Generator<string> {
  const at = words[line];
  if (at === undefined) yield `there is no line ${line}`;
  if (at !== undefined && !at.includes(answer[0] ?? '')) yield `${answer[0]} is not at line ${line}`;
  for (const one of answer) {
    const places = words.filter((row) => row.includes(one)).length;
    if (places === 0) yield `${one} does not occur`;
    if (places > MAX_PLACES) yield `${one} stands in ${places} lines`;
  }
}

const SAID_BY_USER = new Set<Line['origin']>(['user', 'steer']);
function* checkKind({ kind, answer, line, wrong }: Question, lines: readonly Line[], words: readonly string[]): Generator<string> {
  const said = SAID_BY_USER.has(lines[line]?.origin ?? 'model');
  if ((kind === 'user_constraint' || kind === 'current_task') && !said) yield `${kind}, but line ${line} is not the user's`;
  if (kind === 'current_task' && lines.slice(line + 1).some(({ origin }) => origin === 'user'))
    yield 'the user asked for something else later';
  if (kind === 'superseded' && (wrong === undefined || wrong.length === 0)) yield 'superseded without the old value';
  for (const old of wrong ?? []) {
    if (answer.some((one) => one.includes(old) || old.includes(one))) yield `the wrong value ${old} is not different`;
    if (!words.slice(0, line).some((row) => row.includes(old))) yield `the wrong value ${old} is not stated before line ${line}`;
  }
}
