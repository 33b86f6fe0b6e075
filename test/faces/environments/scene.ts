import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHost } from '../../../src/app/open-host.ts';
import type { Environment, EnvironmentTask } from '../../../src/contracts/environment.ts';
import type { Host } from '../../../src/contracts/host.ts';
import type { LayeredValues } from '../../../src/contracts/services/environments.ts';
import { readRunSettings } from '../../../src/faces/environments/read-settings.ts';
import type { RolloutDeps } from '../../../src/faces/environments/rollout.ts';
import { scriptedProvider, type Script } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { sandboxHere } from '../../../src/parts/terminals/sandbox/probe.ts';

const probe = await sandboxHere();
/** Why rollouts cannot be kept apart from each other here, for `skip`: by the floor they see each other's processes and ports. */
export const noSandbox: string | false = !probe.ok
  ? probe.why
  : probe.tools.tier !== 'bubblewrap' && 'there is no bubblewrap that works here';

export interface RolloutStage<Task extends EnvironmentTask> extends AsyncDisposable {
  readonly host: Host;
  readonly folder: string;
  readonly deps: RolloutDeps<Task>;
}

/** A host of its own, and an environment with a model that says what the script says, anew in each attempt. */
export async function stageRollouts<Task extends EnvironmentTask>(
  environment: Environment<Task>,
  script: Script,
  values: LayeredValues = {},
  hostEnv: Readonly<Record<string, string>> = {},
): Promise<RolloutStage<Task>> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-rollouts-'));
  mkdirSync(join(folder, 'load'));
  const host = await openHost({ env: { PATH: process.env['PATH'], ...hostEnv } });
  const run = readRunSettings({ environment: { env: environment.defaults ?? {} }, ...values }, environment.fields);
  const loaded = await environment.load({
    settings: run.env,
    own: run.own,
    folder: join(folder, 'load'),
    signal: new AbortController().signal,
    downloads: join(folder, 'downloads'),
    notice: () => {},
  });
  return {
    host,
    folder,
    deps: {
      host,
      name: environment.name,
      environment: loaded,
      settings: run.env,
      openModel: () => ({ provider: scriptedRoute(scriptedProvider(script)) }),
      folder: join(folder, 'work'),
      now: Date.now,
    },
    [Symbol.asyncDispose]: async () => {
      await loaded[Symbol.asyncDispose]?.();
      await host[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
