import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toHereDocumentCommand } from '../../../src/base/shell.ts';
import type { HarborTask } from '../../../src/faces/environments/harbor/read-task.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';

/** The terminal tool refuses a command that may take longer. */
const MAX_SECONDS = 600;

/** A model that knows every task by its instruction, runs one command for it with the terminal tool, and says that it is done. */
export const commandPlayer =
  (tasks: readonly HarborTask[], commandFor: (task: HarborTask) => string): Script =>
  ({ messages }) => {
    if (messages.length > 1) return { text: 'Done.' };
    const words = JSON.stringify(messages);
    const task = tasks.find(({ instruction }) => words.includes(JSON.stringify(instruction.trim()).slice(1, -1)));
    if (task === undefined) throw new Error('the player was given a task that it does not know.');
    return {
      calls: [{ id: 'c1', name: 'terminal', input: { command: commandFor(task), timeout: Math.min(task.agentSeconds, MAX_SECONDS) } }],
    };
  };

/** Solves every task, by the solution that comes with it and that the model's place does not have. */
export const oraclePlayer = (tasks: readonly HarborTask[]): Script => commandPlayer(tasks, (task) => scriptCommand(task, 'solve.sh'));

/** Says that it is done, and has done nothing. */
export const nopPlayer: Script = () => ({ text: 'Done.' });

/** A script of the solution's folder as a command. */
export function scriptCommand({ id, solution }: HarborTask, name: string): string {
  if (solution === undefined) throw new Error(`the task ${id} has no solution.`);
  return toHereDocumentCommand('bash', readFileSync(join(solution, name), 'utf8'));
}

/** Solutions that look right and are not, as the author of the task wrote them. */
export const listWrongSolutions = ({ solution }: HarborTask): readonly string[] =>
  solution === undefined ? [] : readdirSync(solution).filter((name) => /^wrong-.*\.sh$/.test(name));
