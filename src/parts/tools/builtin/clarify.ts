import { text } from '../../../contracts/message.ts';
import type { Ports } from '../../../contracts/ports.ts';
import { ToolFailure, type Tool } from '../../../contracts/tool.ts';

export interface ClarifyInput {
  readonly question: string;
  readonly choices?: readonly string[];
}

/** Asks the person in front of the session. Only there when somebody can answer. */
export const clarifyTool = ({ ports }: { readonly ports: Ports }): Tool<ClarifyInput> => ({
  name: 'clarify',
  description: 'Ask the user when you cannot go on without an answer. The user may also answer in their own words.',
  input: {
    type: 'object',
    properties: {
      question: { type: 'string' },
      choices: { type: 'array', maxItems: 4, items: { type: 'string' }, description: 'The recommended one first' },
    },
    required: ['question'],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'write', resources: ['*'], interactive: true }),
  replay: 'safe',
  idempotent: false,
  // The answer is the owner's own words.
  trust: 'owner',
  // A person takes the time a person takes; the port decides how long to wait.
  timeoutMs: 0,
  maxResult: 100_000,
  available: () => ports.clarify !== undefined,
  needs: 'somebody to ask: it is there when chat runs in a terminal',
  run: async ({ question, choices = [] }, context) => {
    if (question.trim() === '') throw new ToolFailure('Not asked: the question is empty.');
    if (context.ports.clarify === undefined)
      throw new ToolFailure('Not asked: nobody can answer here. Decide by your own judgement and say what you assumed.');
    const answer = await context.ports.clarify(
      { question: question.trim(), choices: choices.map((choice) => choice.trim()).filter((choice) => choice !== '') },
      context.signal,
    );
    return {
      content: [text(answer.trim() === '' ? '[the user gave no answer: decide by your own judgement]' : answer, 'owner')],
      details: { question, choices: [...choices] },
    };
  },
});
