import { builtinRegistry } from '../commands/builtin.ts';
import { runCommand } from '../commands/run.ts';
import type { CommandRegistry } from '../commands/registry.ts';
import { readSlash, type SlashLine } from '../commands/slash.ts';
import type { AnyCommand } from '../contracts/command.ts';
import type { Host } from '../contracts/host.ts';
import type { ChatCommands, MessageSession } from '../faces/cli/chat.ts';
import { tellNotice } from '../faces/cli/streams.ts';
import { rendererFor } from '../faces/cli/renderers.ts';
import { shellContext, showResult } from '../faces/cli/show.ts';
import { isBelowCommand } from '../parts/terminals/below-command.ts';
import { openServices } from './services/services.ts';

/** Commands in place of a message: ours, and beside them those of the host or, where none is open yet, those of the program. */
export function openSlashCommands(own: readonly AnyCommand[] = []): ChatCommands {
  const commandsOf = (host?: Pick<Host, 'registries'>): CommandRegistry =>
    builtinRegistry(host === undefined ? own : host.registries.commands.entries().values());
  return {
    // In a script's message only whole names count, and what is none goes to the model.
    readMessage: (line, host, sessionId) =>
      readSlash(line, { registry: commandsOf(host), place: 'terminal', exact: true, ...(sessionId !== undefined && { sessionId }) }),
    runMessage: (line, json, session) => runMessage(line, json, () => commandsOf(session?.host).at('terminal'), session),
  };
}

/** Runs the command a message names, shows what came of it and gives the exit code. */
async function runMessage(
  { command, values }: Extract<SlashLine, { type: 'command' }>,
  json: boolean,
  commands: () => readonly AnyCommand[],
  session: MessageSession | undefined,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const given = session && {
    store: async () => session.host.store,
    openSession: async () => async () => opened.use(await session.openSession()),
  };
  const { openers } = opened.use(openServices({ processEnv: process.env, notice: tellNotice }, given));
  const renderer = await rendererFor(command.name);
  const context = { ...shellContext(renderer, json, commands), place: 'terminal' as const };
  const result = await runCommand(command, values, context, { services: openers, startedByAgent: isBelowCommand });
  return showResult(result, renderer, json);
}
