import type { Env } from '../../base/env.ts';
import { isUsageError, UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import type { ModelService } from '../../contracts/services/models.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { formatConfigProblem } from '../../parts/config/config.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { isModelNamed, resolveRoute } from '../../parts/providers/connect.ts';
import { createModelTrial } from '../../parts/providers/try-route.ts';
import { readConfig, toAppConfig } from '../config/config.ts';

export async function createModelService({ processEnv, registered }: ServiceOptions): Promise<ModelService> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const reading = await readConfig(home.config, env, registered);
  const broken = reading.problems.find(({ key }) => key === '' || key.startsWith('model.'));
  if (broken !== undefined) throw new UsageError(`${formatConfigProblem(home.config, broken)} To fix it: hermes doctor --fix`);
  return createModelTrial({ config: toAppConfig(reading), env, processEnv, providers: registered.providers });
}

/** Whether a session could begin: something names a model, be it by mistake, or a server on this machine has one. */
export async function isModelReady(processEnv: Env): Promise<boolean> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const reading = await readConfig(home.config, env);
  const config = toAppConfig(reading);
  // What is wrong is told by whoever opens it, in words of its own.
  if (reading.problems.length > 0 || (await unlessMistaken(() => isModelNamed({ config, env }))) !== false) return true;
  return (await unlessMistaken(() => resolveRoute({ selection: {}, config, env, kept: undefined, notice: () => {} }))) !== undefined;
}

/** What the question gives; nothing when it cannot be answered. */
async function unlessMistaken<Result>(ask: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isUsageError(error)) return undefined;
    throw error;
  }
}
