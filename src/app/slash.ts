import type { ServiceOpeners } from '../contracts/services/services.ts';
import { builtinRegistry } from '../commands/builtin.ts';
import { runCommand } from '../commands/run.ts';
import { readSlash, type SlashLine } from '../commands/slash.ts';
import { rendererFor } from '../faces/cli/renderers.ts';
import { shellContext, showResult } from '../faces/cli/show.ts';
import { isBelowCommand } from './below-command.ts';
import { openServices } from './services/services.ts';

/** What a message of `chat -q` asks for. In a script's message only whole names count, and what is none goes to the model. */
export const readMessage = (line: string, sessionId?: string): SlashLine =>
  readSlash(line, { registry: builtinRegistry(), place: 'terminal', exact: true, ...(sessionId !== undefined && { sessionId }) });

/** Runs the command a message names, shows what came of it and gives the exit code. */
export async function runMessage(
  { command, values }: Extract<SlashLine, { type: 'command' }>,
  json: boolean,
  given: Partial<ServiceOpeners> = {},
): Promise<number> {
  await using services = openServices(process.env, given);
  const renderer = await rendererFor(command.name);
  const context = { ...shellContext(renderer, json, () => builtinRegistry().at('terminal')), place: 'terminal' as const };
  const result = await runCommand(command, values, context, { services: services.openers, startedByAgent: isBelowCommand });
  return showResult(result, renderer, json);
}
