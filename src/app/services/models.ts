import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import type { ModelService } from '../../contracts/services/models.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { formatConfigProblem } from '../../parts/config/config.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { createModelTrial } from '../../parts/providers/try-route.ts';
import { readConfig, toAppConfig } from '../config/config.ts';

export async function createModelService({ processEnv, registered }: ServiceOptions): Promise<ModelService> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const reading = await readConfig(home.config, env, registered);
  const broken = reading.problems.find(({ key }) => key === '' || key.startsWith('model.'));
  if (broken !== undefined) throw new UsageError(formatConfigProblem(home.config, broken));
  return createModelTrial({ config: toAppConfig(reading), env, processEnv, providers: registered.providers });
}
