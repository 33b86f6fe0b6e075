import type { Environment, EnvironmentTask } from '../../../contracts/environment.ts';

interface FileTask extends EnvironmentTask {
  readonly file: string;
  readonly content: string;
  readonly prompt: string;
}

const TRAINING: readonly FileTask[] = [
  {
    id: 'greeting',
    file: 'greeting.txt',
    content: 'Hello from Hermes Agent',
    prompt: 'Create the file greeting.txt in the current folder. It must hold exactly this line: Hello from Hermes Agent',
  },
  {
    id: 'count',
    file: 'count.txt',
    content: '1\n2\n3\n4\n5',
    prompt: 'Create the file count.txt in the current folder with the numbers from 1 to 5, one a line.',
  },
  {
    id: 'answer',
    file: 'answer.txt',
    content: '579',
    prompt: 'Add 123 and 456. Write nothing but the sum into answer.txt in the current folder.',
  },
];
const EVALUATION: readonly FileTask[] = [
  {
    id: 'result',
    file: 'result.txt',
    content: '42',
    prompt: 'Multiply 6 by 7. Write nothing but the product into result.txt in the current folder.',
  },
];

/** The smallest environment there is: it shows that model, tools, sandbox and judge work together. */
export const terminalTest: Environment<FileTask> = {
  name: 'terminal-test',
  description: 'Writes small files and checks what is in them; shows that everything works together',
  defaults: {
    enabled_toolsets: ['terminal', 'file'],
    max_agent_turns: 10,
    group_size: 4,
    total_steps: 3,
    steps_per_eval: 3,
    ensure_scores_are_not_same: false,
  },
  load: async () => ({
    evaluation: EVALUATION,
    training: TRAINING,
    format: ({ prompt }) => prompt,
    reward: async ({ file, content }, _result, { readFile }) => {
      const found = await readFile(`./${file}`).catch(() => '');
      if (found.trim() === content) return 1;
      return found.includes(content) ? 0.5 : 0;
    },
  }),
};
