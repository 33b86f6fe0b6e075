import type { Environment, EnvironmentTask, ScoredAttempt } from '../../../src/contracts/environment.ts';
import type { SettingValues } from '../../../src/contracts/settings.ts';
import { runRollout } from '../../../src/faces/environments/rollout.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { stageRollouts } from './scene.ts';

export interface PlayedEnvironment<Task extends EnvironmentTask> extends AsyncDisposable {
  readonly tasks: readonly Task[];
  /** One attempt at a task by a player, as a run would make it. */
  play(task: Task, player: Script): Promise<ScoredAttempt>;
}

/** An environment in a host that stays, for players that change. */
export async function stagePlays<Task extends EnvironmentTask>(
  environment: Environment<Task>,
  env: SettingValues,
  toolsets: readonly string[] = ['terminal'],
  hostEnv: Readonly<Record<string, string>> = {},
): Promise<PlayedEnvironment<Task>> {
  let current: Script = [];
  const script: Script = (request, index) =>
    typeof current === 'function' ? current(request, index) : (current[index] ?? { text: 'Done.' });
  const stage = await stageRollouts(environment, script, { flag: { env } }, hostEnv);
  return {
    tasks: stage.deps.environment.evaluation,
    play: async (task, player) => {
      current = player;
      return (await runRollout(stage.deps, { task, attempt: 1, toolsets, signal: new AbortController().signal })).scored;
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
