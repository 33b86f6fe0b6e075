import type { Env } from '../base/env.ts';
import { resolveHome } from '../base/home.ts';
import type { CliOptions } from '../contracts/cli-options.ts';
import type { Host } from '../contracts/host.ts';
import type { JobService } from '../contracts/services/jobs.ts';
import type { AppHost } from './host/host.ts';
import type { SharedParts } from './tools/home-parts.ts';
import { isYolo } from '../parts/safety/approval/yolo.ts';

/** One command line: its environment, with the profile in it, and what the program around it brings along. */
export interface Invocation {
  readonly env: Env;
  readonly options: CliOptions;
}

/** The host of the profile the command line is for. */
export async function openOwnHost({ env, options: { commands = [], register } }: Invocation): Promise<AppHost & Host> {
  const [{ openHost }, { withCommands }] = await Promise.all([import('./host/host.ts'), import('./open-host.ts')]);
  const host = withCommands(
    await openHost({ env, home: resolveHome(env), openJobs: openToolJobs, ...(register !== undefined && { register }) }),
  );
  for (const command of commands) host.registries.commands.add(command.name, command);
  return host;
}

/** Jobs for the tool: they are made in a session, and run elsewhere. */
export const openToolJobs = async ({ store, home, env, config, registered, safety }: SharedParts): Promise<JobService> => {
  const [{ createHomeJobs }, { readHomeAccounts }] = await Promise.all([import('./cron/open.ts'), import('./gateway/platforms.ts')]);
  const { settings } = config;
  const readAccounts = () => readHomeAccounts(settings, env, { home, store, notice: () => {} });
  const openRunner = () => Promise.reject(new Error('jobs are not run in the session that makes them'));
  return createHomeJobs({ store, root: home.root, settings, readAccounts, registered, scan: safety.scan, openRunner });
};

/** Who allowed everything above the floor in advance: the environment, or nobody. */
export const allowedByEnv = ({ env }: Invocation): string | undefined => (isYolo(env) ? 'HERMES_YOLO_MODE' : undefined);

export const startedByAgent = async (): Promise<boolean> => (await import('../parts/terminals/below-command.ts')).isBelowCommand();

export const hasTerminal = async (): Promise<boolean> => (await import('../parts/terminals/below-command.ts')).hasTerminal();
