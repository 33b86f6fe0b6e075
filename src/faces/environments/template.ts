/** What `hermes env new` writes: a whole environment that can be run as it is. */
export const ENVIRONMENT_TEMPLATE = `/**
 * An environment: tasks, and a judge of what an agent made of each.
 *   hermes env evaluate ./THIS_FILE.ts
 *   hermes env process ./THIS_FILE.ts --set env.group_size=4
 */
import type { Environment } from 'hermes-ts';

interface Task {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

const TASKS: readonly Task[] = [
  { id: 'sum', question: 'What is 19 + 23? Write only the number into answer.txt.', answer: '42' },
  { id: 'reverse', question: 'Write the word "stressed" backwards into answer.txt.', answer: 'desserts' },
];

export const environment: Environment<Task> = {
  name: 'my-environment',
  description: 'Small questions whose answers are in a file',
  defaults: { enabled_toolsets: ['terminal', 'file'], max_agent_turns: 10 },
  fields: { strict: { kind: 'boolean', default: true, describe: 'Count only answers that are exactly right.' } },
  load: async ({ own }) => ({
    evaluation: TASKS,
    training: TASKS,
    format: (task) => task.question,
    reward: async (task, _result, context) => {
      const found = (await context.readFile('answer.txt').catch(() => '')).trim();
      if (found === task.answer) return 1;
      return own['strict'] !== true && found.includes(task.answer) ? 0.5 : 0;
    },
  }),
};
`;
