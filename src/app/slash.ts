import { builtinRegistry } from '../commands/builtin.ts';
import { runCommand } from '../commands/run.ts';
import type { CommandRegistry } from '../commands/registry.ts';
import { readSlash, type SlashLine } from '../commands/slash.ts';
import type { Host } from '../contracts/host.ts';
import type { MessageSession } from '../faces/cli/chat.ts';
import { tellNotice } from '../faces/cli/streams.ts';
import { rendererFor } from '../faces/cli/renderers.ts';
import { shellContext, showResult } from '../faces/cli/show.ts';
import { isBelowCommand } from '../parts/terminals/below-command.ts';
import { openServices } from './services/services.ts';

/** What a message of `chat -q` asks for. In a script's message only whole names count, and what is none goes to the model. */
export const readMessage = (line: string, host?: CommandHost, sessionId?: string): SlashLine =>
  readSlash(line, { registry: commandsOf(host), place: 'terminal', exact: true, ...(sessionId !== undefined && { sessionId }) });

type CommandHost = Pick<Host, 'registries'>;
const commandsOf = (host: CommandHost | undefined): CommandRegistry => builtinRegistry(host?.registries.commands.entries().values());

/** Runs the command a message names, shows what came of it and gives the exit code. */
export async function runMessage(
  { command, values }: Extract<SlashLine, { type: 'command' }>,
  json: boolean,
  session?: MessageSession,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const given = session && {
    store: async () => session.host.store,
    openSession: async () => async () => opened.use(await session.openSession()),
  };
  const { openers } = opened.use(openServices({ processEnv: process.env, notice: tellNotice }, given));
  const renderer = await rendererFor(command.name);
  const context = { ...shellContext(renderer, json, () => commandsOf(session?.host).at('terminal')), place: 'terminal' as const };
  const result = await runCommand(command, values, context, { services: openers, startedByAgent: isBelowCommand });
  return showResult(result, renderer, json);
}
