import { UsageError } from '../../base/errors.ts';
import { homeAt, type Home } from '../../base/home.ts';
import type { Registered } from '../../contracts/registries.ts';
import { readServers, type ReadServers } from '../../parts/mcp/servers.ts';
import { tell } from '../../parts/config/config.ts';
import { configOf, readConfig } from '../config/config.ts';
import type { Env } from '../../base/env.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import type { Settings } from '../config/config.ts';
import { makeHome } from '../host/store.ts';
import { unknownName } from '../../base/unknown-name.ts';

/** The owner's servers as the settings have them, for the commands that look after them. */
export interface McpSettings extends ReadServers {
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
}

export async function openMcpSettings(processEnv: Env, registered: Registered): Promise<McpSettings> {
  const home = homeAt(processEnv);
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  const reading = await readConfig(home.config, env, registered);
  const [problem] = reading.problems;
  if (problem !== undefined) throw new UsageError(tell(home.config, problem));
  const { settings } = configOf(reading);
  return { home, env, settings, ...readServers(settings.mcp_servers) };
}

/** Every name that is taken, whether its entry can be used or not. */
export const serverNames = ({ servers, problems }: ReadServers): readonly string[] => [...servers, ...problems].map(({ name }) => name);

export const unknownServer = (name: string, known: readonly string[]): UsageError =>
  new UsageError(unknownName('MCP server', name, known, 'hermes mcp list shows them.'));
