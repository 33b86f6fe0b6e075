import { messageOf } from '../../base/errors.ts';
import { homeAt, type Home } from '../../base/home.ts';
import type { Env } from '../../base/env.ts';
import type { CheckupService, Finding } from '../../contracts/services/insight.ts';
import { tell } from '../../parts/config/config.ts';
import { environment } from '../../parts/config/environment.ts';
import { configOf, readConfig, type Config } from '../config.ts';
import { storeNotice } from '../host/store.ts';
import { lookAtFirstRequest, lookAtPrompt } from './first-request.ts';
import { lookAtHome, lookAtNode, lookAtParts } from './machine.ts';
import { lookAtHost, lookAtKeys, lookAtLocal, lookAtRoute } from './route.ts';
import { lookAtCommandEnvironment, lookAtSecrets } from './secrets.ts';
import { lookAtStore } from './store.ts';

export const checkupService = (processEnv: Env): CheckupService => ({ look: () => checkup(processEnv) });

async function checkup(processEnv: Env): Promise<Finding[]> {
  const home = homeAt(processEnv);
  const env = readEnvironment(home, processEnv);
  const settings = await readSettings(home, env.value);
  return [
    lookAtNode(process.version, process.execPath),
    lookAtHome(home),
    ...env.findings,
    settings.finding,
    await lookAtStore(home),
    lookAtKeys(env.value),
    lookAtSecrets(home, processEnv),
    lookAtCommandEnvironment(settings.config, env.value),
    ...(await lookAtModel(home, settings.config, env.value)),
    ...(await lookAtParts()),
  ];
}

function readEnvironment(home: Home, processEnv: Env): { readonly value: Env; readonly findings: readonly Finding[] } {
  try {
    return { value: environment(home.env, processEnv), findings: [] };
  } catch (error) {
    return { value: processEnv, findings: [{ name: 'secrets', ok: false, words: messageOf(error) }] };
  }
}

/** With a broken file the rest is looked at as far as the file can be read. */
async function readSettings(home: Home, env: Env): Promise<{ readonly finding: Finding; readonly config: Config }> {
  const reading = await readConfig(home.config, env);
  const { sources, problems } = reading;
  const [problem, ...more] = problems;
  const changed = Object.keys(sources).length;
  const finding: Finding =
    problem === undefined
      ? { name: 'settings', ok: true, words: changed === 0 ? 'all defaults' : `${changed} differ from their defaults (hermes config get)` }
      : {
          name: 'settings',
          ok: false,
          words: tell(home.config, problem),
          ...(more.length > 0 && { cure: `And ${more.length} more: hermes config check` }),
        };
  return { finding, config: configOf(reading) };
}

/** The route, whether its host is there, and how much the first request weighs on it. */
async function lookAtModel(home: Home, config: Config, env: Env): Promise<Finding[]> {
  const { finding, runtime } = await lookAtRoute(config, env);
  const host = runtime === undefined ? [] : [await lookAtHost(runtime)];
  const scene = { home, config, env, cwd: process.cwd(), notice: storeNotice };
  const weighed = await sessionFinding('first request', () => lookAtFirstRequest(scene, runtime));
  return [finding, ...host, await lookAtLocal(env), weighed, await sessionFinding('prompt files', () => lookAtPrompt(scene))];
}

/** Settings that name no real toolset end here: that is a finding too. */
const sessionFinding = (name: string, look: () => Promise<Finding>): Promise<Finding> =>
  look().catch((error: unknown) => ({ name, ok: false, words: messageOf(error), cure: 'hermes tools list shows what there is.' }));
