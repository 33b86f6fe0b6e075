import type { JsonObject } from '../../../base/json-types.ts';
import { text } from '../../../contracts/message.ts';
import type { Ports } from '../../../contracts/ports.ts';
import { ToolFailure, type Tool, type ToolContext } from '../../../contracts/tool.ts';

export interface ClarifyInput {
  readonly question?: string;
  readonly choices?: readonly string[];
  readonly multi_select?: boolean;
  readonly questions?: readonly ClarifyQuestion[];
}
interface ClarifyQuestion {
  readonly question: string;
  readonly choices?: readonly string[];
  readonly multi_select?: boolean;
}

const CHOICES = { type: 'array', maxItems: 4, items: { type: 'string' } } as const;
const ONE = { question: { type: 'string' }, choices: CHOICES, multi_select: { type: 'boolean' } } as const;

/** Asks the person in front of the session. Only there when somebody can answer. */
export const clarifyTool = ({ ports }: { readonly ports: Ports }): Tool<ClarifyInput> => ({
  name: 'clarify',
  description: 'Ask the user when you cannot go on without an answer. The user may also answer in their own words.',
  input: {
    type: 'object',
    properties: {
      ...ONE,
      choices: { ...CHOICES, description: 'The recommended one first' },
      questions: {
        type: 'array',
        maxItems: 5,
        items: { type: 'object', properties: ONE, required: ['question'] },
        description: 'Several at once instead',
      },
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
    const questions = questionsOf(input);
    if (questions.length === 0) throw new ToolFailure('Not asked: the question is empty.');
    const answers: string[] = [];
    for (const question of questions) answers.push(await ask(question, context));
    return {
      content: [text(questions.length === 1 ? (answers[0] ?? '') : together(questions, answers), 'owner')],
      details: { kind: 'data', data: questions.length === 1 ? { ...plain(questions[0]) } : { questions: questions.map(plain) } },
    };
  },
});

function questionsOf({ question, choices, multi_select, questions = [] }: ClarifyInput): readonly ClarifyQuestion[] {
  const single = question === undefined ? [] : [{ question, ...(choices && { choices }), ...(multi_select && { multi_select }) }];
  return [...single, ...questions].filter((each) => each.question.trim() !== '');
}

async function ask({ question, choices = [], multi_select: several }: ClarifyQuestion, { ports, signal }: ToolContext): Promise<string> {
  if (ports.clarify === undefined)
    throw new ToolFailure('Not asked: nobody can answer here. Decide by your own judgement and say what you assumed.');
  const offered = choices.map((choice) => choice.trim()).filter((choice) => choice !== '');
  const answer = await ports.clarify({ question: question.trim(), choices: offered, ...(several === true && { several }) }, signal);
  return answer.trim() === '' ? '[the user gave no answer: decide by your own judgement]' : answer;
}

const together = (questions: readonly ClarifyQuestion[], answers: readonly string[]): string =>
  questions.map(({ question }, index) => `${question.trim()}\n→ ${answers[index] ?? ''}`).join('\n');

const plain = (asked: ClarifyQuestion | undefined) => ({ question: asked?.question ?? '', choices: [...(asked?.choices ?? [])] });
