import { UsageError } from '../../base/errors.ts';
import type { AnyCommand, CommandSurface } from '../../contracts/command.ts';
import type { PluginCommandManifest } from '../../contracts/plugin-manifest.ts';
import { toPluginLine, toPluginText } from '../words/plugin-words.ts';
import type { PluginProcess } from '../process/plugin-process.ts';

const COMMAND_MS = 300_000;

/** A command of a plugin as one of ours. The process is asked for when it is given, not before. */
export function wrapCommand(
  plugin: string,
  command: PluginCommandManifest,
  kind: 'commands' | 'cli',
  process: () => Promise<PluginProcess>,
): AnyCommand {
  const isCli = kind === 'cli';
  const name = isCli ? `${plugin} ${command.name}` : command.name;
  const required = Object.entries(command.arguments).flatMap(([key, { required: isNeeded }]) =>
    isNeeded === true ? [key.toUpperCase()] : [],
  );
  const where: readonly CommandSurface[] = isCli ? ['shell'] : ['terminal', 'chat'];
  return {
    name,
    category: 'tools',
    summary: `${command.summary} (plugin ${plugin})`,
    arguments: command.arguments,
    options: command.options,
    where,
    whileBusy: 'run',
    ...(command.ownerOnly && { ownerOnly: true as const }),
    examples: [[isCli ? `hermes ${name}` : `/${name}`, ...required].join(' ')],
    run: async (values, _services, { place, signal }) => {
      try {
        const params = { name: command.name, input: { ...values }, isCli, place };
        const answer = await (await process()).call({ method: 'command', params }, { timeoutMs: COMMAND_MS, signal });
        const text = toPluginText(typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''));
        // Between other lines a person must see whose it is; in a shell they typed the plugin's name.
        return isCli ? text : `plugin ${plugin}: ${text}`;
      } catch (error) {
        throw new UsageError(`The plugin ${plugin} could not do it: ${toPluginLine(error)}`);
      }
    },
    describe: String,
  };
}
