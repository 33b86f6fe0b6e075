import { quoteShellWord } from '../../../base/shell.ts';
import type { Reward, RewardContext } from '../../../contracts/environment.ts';
import { noteSamePlace } from './same-place.ts';
import type { HarborTask } from './read-task.ts';
import { exportLine } from './task-needs.ts';
import { readRewardFile, readVerifierFolder } from './reward-file.ts';

const [TESTS, LOGS] = ['/tests', '/logs/verifier'];

/**
 * Judges as Harbor does: the tests are laid into the place the model worked in, and run there. A model that tampered with that place
 * tampered with its judge; the note says so.
 */
export async function verifyInPlace(task: HarborTask, context: RewardContext, folder: string): Promise<Reward> {
  // What is there under these names was made by the model.
  await context.terminal(`rm -rf ${TESTS} ${LOGS}; mkdir -p ${TESTS} ${LOGS}`);
  await context.uploadDir(task.tests, TESTS);
  const { output, exitCode } = await context.terminal(
    `${exportLine({ ...task.variables, ...task.verifierVariables })}cd ${quoteShellWord(folder)} && bash ${TESTS}/test.sh`,
    task.verifierSeconds,
  );
  const reward = readRewardFile({ exitCode, output, ...(await readVerifierFolder(context, LOGS)) });
  return noteSamePlace(reward);
}
