import type { Env } from '../base/env.ts';
import { resolveHome } from '../base/home.ts';
import type { CliOptions } from '../contracts/cli-options.ts';
import type { Host } from '../contracts/host.ts';
import type { AppHost } from './host/host.ts';
import { isYolo } from '../parts/safety/approval/yolo.ts';

/** One command line: its environment, with the profile in it, and what the program around it brings along. */
export interface Invocation {
  readonly env: Env;
  readonly options: CliOptions;
}

/** The host of the profile the command line is for. */
export async function openOwnHost({ env, options: { commands = [], register } }: Invocation): Promise<AppHost & Host> {
  const [{ openHost }, { withCommands }] = await Promise.all([import('./host/host.ts'), import('./open-host.ts')]);
  const host = withCommands(await openHost({ env, home: resolveHome(env), ...(register !== undefined && { register }) }));
  for (const command of commands) host.registries.commands.add(command.name, command);
  return host;
}

/** Who allowed everything above the floor in advance: the environment, or nobody. */
export const allowedByEnv = ({ env }: Invocation): string | undefined => (isYolo(env) ? 'HERMES_YOLO_MODE' : undefined);

export const startedByAgent = async (): Promise<boolean> => (await import('../parts/terminals/below-command.ts')).isBelowCommand();

export const hasTerminal = async (): Promise<boolean> => (await import('../parts/terminals/below-command.ts')).hasTerminal();
