import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../base/json-types.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import type { Ports } from '../../../contracts/ports.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../contracts/tool.ts';

export interface ClarifyInput {
  readonly question?: string;
  readonly choices?: readonly string[];
  readonly multi_select?: boolean;
  readonly secret?: string;
  readonly questions?: readonly ClarifyQuestion[];
}
interface ClarifyQuestion {
  readonly question: string;
  readonly choices?: readonly string[];
  readonly multi_select?: boolean;
}

const CHOICES = { type: 'array', maxItems: 4, items: { type: 'string' } } as const;
const ONE = { question: { type: 'string' }, choices: CHOICES, multi_select: { type: 'boolean' } } as const;

const SECRET = {
  type: 'string',
  description: 'Name of a password or key to ask for, e.g. DEPLOY_KEY; you get a placeholder that write_file and patch fill in',
} as const;

/** Asks the person in front of the session. Only there when somebody can answer. */
export const clarifyTool = ({ ports }: { readonly ports: Ports }): Tool<ClarifyInput> => ({
  name: 'clarify',
  description: 'Ask the user when you cannot continue without an answer. They may also answer in their own words.',
  input: {
    type: 'object',
    properties: {
      ...ONE,
      choices: { ...CHOICES, description: 'Recommended one first' },
      questions: {
        type: 'array',
        maxItems: 5,
        items: { type: 'object', properties: ONE, required: ['question'] },
        description: 'Ask several instead',
      },
      ...(ports.secret !== undefined && { secret: SECRET }),
    },
    additionalProperties: false,
  } satisfies JsonObject,
  effects: () => ({ kind: 'write', resources: ['*'], interactive: true }),
  replay: 'safe',
  idempotent: false,
  offTerminal: true,
  // The answer is the owner's own words.
  trust: 'owner',
  // A person takes the time a person takes; the port decides how long to wait.
  timeoutMs: 0,
  maxResult: 100_000,
  available: () => ports.clarify !== undefined,
  needs: 'somebody to ask: it is there when chat runs in a terminal',
  run: async (input, context) => {
    if (input.secret !== undefined && input.secret !== '') return askSecret(input.secret, input.question ?? '', context);
    const questions = questionsOf(input);
    if (questions.length === 0) throw new ToolFailure('Not asked: the question is empty.');
    const answers: string[] = [];
    for (const [index, question] of questions.entries()) answers.push(await ask(question, index, context));
    return {
      content: [createTextBlock(questions.length === 1 ? (answers[0] ?? '') : together(questions, answers), 'owner')],
      details: { kind: 'data', data: questions.length === 1 ? { ...plain(questions[0]) } : { questions: questions.map(plain) } },
    };
  },
});

/** What is typed is never seen: the model gets what stands for it, and can only put it into a file. */
async function askSecret(name: string, question: string, { ports, signal }: ToolContext): Promise<ToolOutput> {
  if (ports.secret === undefined) throw new ToolFailure('Not asked: no secret can be typed here. Ask the user to do this step themselves.');
  const handle = await ports.secret({ name, question: question.trim() === '' ? `Value of ${name}?` : question.trim() }, signal);
  const words = handle === undefined ? '[the user gave none: continue without it]' : `${handle} stands for it.`;
  return { content: [createTextBlock(words, 'tool')], details: { kind: 'data', data: { secret: name, given: handle !== undefined } } };
}

function questionsOf({ question, choices, multi_select, questions = [] }: ClarifyInput): readonly ClarifyQuestion[] {
  const single = question === undefined ? [] : [{ question, ...(choices && { choices }), ...(multi_select && { multi_select }) }];
  return [...single, ...questions].filter((each) => each.question.trim() !== '');
}

async function ask(
  { question, choices = [], multi_select: several }: ClarifyQuestion,
  index: number,
  context: ToolContext,
): Promise<string> {
  const { ports, sessionId, signal } = context;
  if (ports.clarify === undefined)
    throw new ToolFailure('Not asked: nobody can answer here. Use your own judgment and say what you assumed.');
  const offered = choices.map((choice) => choice.trim()).filter((choice) => choice !== '');
  const asked = { question: question.trim(), choices: offered, sessionId, repeatKey: createRepeatKey(context, index) };
  const answer = await ports.clarify({ ...asked, ...(several === true && { several }) }, signal);
  return answer.trim() === '' ? '[the user gave no answer: decide by your own judgement]' : answer;
}

/** Short enough for the value of a button. */
const createRepeatKey = ({ sessionId, turnId, callId }: ToolContext, index: number): string =>
  `ask-${createHash('sha256')
    .update(JSON.stringify([sessionId, turnId, callId, index]))
    .digest('hex')
    .slice(0, 16)}`;

const together = (questions: readonly ClarifyQuestion[], answers: readonly string[]): string =>
  questions.map(({ question }, index) => `${question.trim()}\n→ ${answers[index] ?? ''}`).join('\n');

const plain = (asked: ClarifyQuestion | undefined) => ({ question: asked?.question ?? '', choices: [...(asked?.choices ?? [])] });
