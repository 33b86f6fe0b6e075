import { UsageError } from '../../base/errors.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import { readServers, type ReadServers } from '../../parts/mcp/servers.ts';
import { formatConfigProblem } from '../../parts/config/config.ts';
import { toAppConfig, readConfig } from '../config/config.ts';
import type { Env } from '../../base/env.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import type { Settings } from '../config/config.ts';
import { makeHome } from '../host/store.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';

/** The owner's servers as the settings have them, for the commands that look after them. */
export interface McpSettings extends ReadServers {
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
}

export async function openMcpSettings(processEnv: Env, registered: RegistrySnapshot): Promise<McpSettings> {
  const home = resolveHome(processEnv);
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  const reading = await readConfig(home.config, env, registered);
  const [problem] = reading.problems;
  if (problem !== undefined) throw new UsageError(formatConfigProblem(home.config, problem));
  const { settings } = toAppConfig(reading);
  return { home, env, settings, ...readServers(settings.mcp_servers) };
}

/** Every name that is taken, whether its entry can be used or not. */
export const listServerNames = ({ servers, problems }: ReadServers): readonly string[] => [...servers, ...problems].map(({ name }) => name);

export const createUnknownServerError = (name: string, known: readonly string[]): UsageError =>
  new UsageError(describeUnknownName('MCP server', name, known, 'hermes mcp list shows them.'));
