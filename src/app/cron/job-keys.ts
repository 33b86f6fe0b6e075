import type { Env } from '../../base/env.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { CronDeps } from '../../faces/cron/contract.ts';
import { createAllowance } from '../../faces/serve/api/allowance.ts';
import { readApiKeys } from '../../faces/serve/api/keys.ts';
import { isWalledHere } from '../../parts/terminals/sandbox/known.ts';
import { describeUnknownToolset, mergeToolsets } from '../../parts/tools/choose-tools.ts';
import { expand } from '../../parts/tools/toolsets.ts';
import type { Settings } from '../config/config.ts';
import { collectToolChoice } from '../tools/registries.ts';

/** Why a job cannot have toolsets: nobody knows one, or it goes beyond those that it may have at most. */
export const createToolsetCheck =
  (settings: Settings, registered: RegistrySnapshot) =>
  (names: readonly string[], within?: readonly string[]): string | undefined => {
    const sets = mergeToolsets(settings, [], collectToolChoice(registered, 'cron').sets);
    const allowed = within && new Set(expand(within, sets).tools);
    // The tools of an MCP server are known when it is connected; until then its name says whether it may be used.
    const beyond = names.find((name) => {
      const { tools, unknown } = expand([name], sets);
      return allowed !== undefined && !within?.includes(name) && (unknown.length > 0 || tools.some((tool) => !allowed.has(tool)));
    });
    if (beyond !== undefined) return `the API key it belongs to does not have the toolset ${beyond}.`;
    const [unknown] = expand(names, sets).unknown.filter((name) => !Object.hasOwn(settings.mcp_servers, name.replace(/^mcp-/, '')));
    return unknown === undefined ? undefined : describeUnknownToolset(unknown, sets);
  };

export interface JobKeysDeps {
  readonly store: Pick<SessionStore, 'runs'>;
  /** The profile's folder. */
  readonly root: string;
  readonly settings: Settings;
  readonly env: Env;
  readonly registered: RegistrySnapshot;
}

/** What the keys of the API may have done by their jobs. */
export function createJobKeys({ store, root, settings, env, registered }: JobKeysDeps): CronDeps['findKey'] {
  const check = createToolsetCheck(settings, registered);
  return async (wanted) => {
    const isWalled = await isWalledHere(settings['terminal.backend'], root);
    const key = readApiKeys(settings, env, isWalled).keys.find(({ name }) => name === wanted);
    if (key === undefined) return undefined;
    const { toolsets, hasMemory, budget } = key;
    return {
      checkToolsets: (names) => check(names, toolsets),
      hasMemory,
      ...(toolsets !== undefined && { toolsets }),
      ...(budget !== undefined && { allowance: createAllowance(wanted, budget, store.runs) }),
    };
  };
}
