import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { quoteShellWord } from '../../../base/shell.ts';
import type { Reward, RewardContext } from '../../../contracts/environment.ts';
import { isFilesError } from '../../../contracts/files.ts';
import type { HarborTask } from './read-task.ts';
import { exportLine } from './task-needs.ts';
import { readRewardFile, readVerifierFolder } from './reward-file.ts';

/**
 * Judges a task that says what its outputs are. They alone are carried into a fresh place, over the original files, and the tests run
 * there: nothing else the model did, started or changed exists for the verifier, and tests and solution never existed for the model.
 *
 * An output may be a program that the tests run. So a reward counts only when the verifier came to its end by itself, left nothing
 * running, and its own files are what they were.
 */
export async function verifySealed(task: HarborTask, context: RewardContext): Promise<Reward> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-outputs-'));
  try {
    const lacking = await fetchOutputs(task, context, folder);
    // What the model left running ends here, before there is anything it could reach.
    await context.cleanup();
    const fresh = await context.freshPlace();
    const secret = randomUUID();
    const [tests, logs] = [`tests-${secret}`, `logs-${secret}`];
    await fresh.terminal(`mkdir -p result ${tests} ${logs}`);
    await layOut(task, fresh, 'result');
    // An output is what the model left of it: what it removed is not there again.
    const outputs = task.outputs.map((output) => quoteShellWord(`result/${output}`));
    await fresh.terminal(`rm -rf -- ${outputs.join(' ')}`);
    if (existsSync(join(folder, 'outputs'))) await fresh.uploadDir(join(folder, 'outputs'), 'result');
    await fresh.uploadDir(task.tests, tests);
    const { output, exitCode } = await fresh.terminal(
      exportLine({ ...task.variables, ...task.verifierVariables }) + createVerifierCommand(await fresh.workingDirectory(), tests, logs),
      task.verifierSeconds,
    );
    const end = { exitCode, output: cutLogName(output, secret), ...(await readVerifierFolder(fresh, logs)) };
    const reward = readRewardFile(end);
    const doubt = exitCode === 0 ? await findChange(task.tests, fresh, tests, folder) : DOUBTS[exitCode ?? -1];
    if (reward.reward > 0 && (exitCode !== 0 || doubt !== undefined))
      return {
        ...reward,
        reward: 0,
        note: doubt ?? `The verifier ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}.`,
      };
    return lacking.length === 0 || reward.reward >= 1 ? reward : { ...reward, note: `${lacking.join(' ')} ${reward.note ?? ''}`.trim() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lays out what a task begins with. */
export async function layOut({ environment }: HarborTask, context: RewardContext, folder: string): Promise<void> {
  const files = environment === undefined ? undefined : join(environment, 'files');
  if (files !== undefined && existsSync(files)) await context.uploadDir(files, folder);
}

/** Plain files and folders of them, by the names the task declares. Gives a sentence for each that could not be had. */
async function fetchOutputs({ outputs }: HarborTask, context: RewardContext, folder: string): Promise<readonly string[]> {
  const lacking: string[] = [];
  for (const output of outputs) {
    const local = join(folder, 'outputs', output);
    const trouble = await fetchOutput(output, local, context);
    if (trouble === undefined) continue;
    // Half of an output is none.
    rmSync(local, { recursive: true, force: true });
    lacking.push(trouble);
  }
  return lacking;
}

async function fetchOutput(output: string, local: string, context: RewardContext): Promise<string | undefined> {
  for (const fetch of [context.downloadFile, context.downloadDir])
    try {
      await fetch(output, local, MAX_OUTPUT_BYTES);
      return undefined;
    } catch (error) {
      if (isFilesError(error, 'EFBIG')) return `Too large: ${output}.`;
      rmSync(local, { recursive: true, force: true });
    }
  return `Not there: ${output}.`;
}
/** Far more than any task asks for. An output is carried over through memory, of many attempts at a time. */
const MAX_OUTPUT_BYTES = 50_000_000;

const LEFT_RUNNING = 98;
const DOUBTS: Readonly<Record<number, string>> = { [LEFT_RUNNING]: 'Something the verifier ran was still running at its end.' };

/** In one shell: what runs now and did not before is left over. Its own listing starts no process. */
const createVerifierCommand = (root: string, tests: string, logs: string): string => `
root=${quoteShellWord(root)}; cd "$root/result" || exit 97
export VERIFIER_LOGS="$root/${logs}" PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
before=" $(echo /proc/[0-9]*) "
bash --norc "$root/${tests}/test.sh" </dev/null 2>&1
code=$?
for process in /proc/[0-9]*; do
  case $before in *" $process "*) continue ;; esac
  read -r _ _ state _ 2>/dev/null <"$process/stat" || continue
  [ "$state" = Z ] || { echo "left running: $(tr '\\0' ' ' <"$process/cmdline" 2>/dev/null)"; exit ${LEFT_RUNNING}; }
done
exit $code`;

const cutLogName = (output: string, secret: string): string => output.replaceAll(`-${secret}`, '');

/** Whether the tests that ran are the tests there were. */
async function findChange(original: string, fresh: RewardContext, tests: string, folder: string): Promise<string | undefined> {
  const [before, after] = [readTree(original), join(folder, 'tests')];
  try {
    // The texts are longer than the files by a third.
    const maxBytes = before.values().reduce((sum, { length }) => sum + length, 0);
    await fresh.downloadDir(tests, after, maxBytes);
  } catch (error) {
    if (isFilesError(error, 'EFBIG')) return 'The files of the verifier grew while it ran.';
    throw error;
  }
  const now = readTree(after);
  const changed = [...new Set([...before.keys(), ...now.keys()])].find((name) => before.get(name) !== now.get(name));
  return changed === undefined ? undefined : `The verifier's file ${changed} was changed while it ran.`;
}

const readTree = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path): [string, string] => [path.slice(folder.length + 1), readFileSync(path, 'base64')]),
  );
