import { toErrorMessage, isUsageError } from '../base/errors.ts';
import type { Env } from '../base/env.ts';
import { resolveHome } from '../base/home.ts';
import { selectProfile } from '../base/profile.ts';
import { describeSystemTrouble } from '../base/system-trouble.ts';
import { version } from '../base/version.ts';
import { refuseAgent } from '../commands/agent-forbidden.ts';
import { chat, type ChatValues } from '../commands/chat.ts';
import type { CommandRegistry } from '../commands/registry.ts';
import type { AnyCommand, CommandValues } from '../contracts/command.ts';
import type { CliOptions } from '../contracts/cli-options.ts';
import type { Registries } from '../contracts/registries.ts';
import { isStoreError } from '../contracts/session-store.ts';
import { guardProcess } from '../faces/cli/guard-process.ts';
import { isOnTerminal, refuseWithoutTerminal } from '../faces/cli/interactive.ts';
import { parsePlainChat } from '../faces/cli/plain-chat.ts';
import { createProcessStreams, tellError as tell, tellNotice as toStderr, watchOutput } from '../faces/cli/streams.ts';
import { hasPlugins } from '../plugins/index-file.ts';
import { loadSharedSecrets } from './host/redaction.ts';
import { allowedByEnv, hasTerminal, openOwnHost, startedByAgent, type Invocation } from './invocation.ts';

/** Runs one command line. Gives the exit code; what a person can mend is told in a line or two, never as a stack. */
export async function run(line: readonly string[], options: CliOptions = {}): Promise<number> {
  watchOutput();
  try {
    if (line[0] === '__complete') return await answerShell(line.slice(1), process.env);
    const { argv, home } = selectProfile(line, process.env);
    // The profile decides where everything lies, and every program we start is of the same profile.
    const env = home === undefined ? process.env : { ...process.env, HERMES_HOME: home };
    guardProcess(process, loadSharedSecrets(env).redact);
    if (argv.length === 0 && !isOnTerminal()) return refuseWithoutTerminal();
    const words = opensChat(argv) ? ['chat', ...argv] : argv;
    const plain = parsePlainChat(words);
    const invocation = { env, options };
    return plain === undefined ? await runRegistered(words, invocation) : await runChat(plain, invocation);
  } catch (error) {
    for (const cause of listCauses(error)) {
      if (isUsageError(cause)) return tell(cause.message, 2);
      if (isStoreError(cause)) return tell(cause.message, 1);
      const trouble = describeSystemTrouble(cause);
      if (trouble !== undefined) return tell(trouble, 1);
    }
    return tell(`This is a bug in hermes: ${error instanceof Error ? (error.stack ?? error.message) : toErrorMessage(error)}`, 1);
  }
}

/** What went wrong first, then what went wrong when it was cleaned up: of these the runtime makes one error that says nothing. */
const listCauses = (error: unknown): readonly unknown[] =>
  error instanceof SuppressedError ? [...listCauses(error.suppressed), ...listCauses(error.error)] : [error];

/** What a completion script asks while somebody types. */
async function answerShell(asked: readonly string[], env: Env): Promise<number> {
  const { answerCompletion } = await import('./shell-completion.ts');
  createProcessStreams().out(await answerCompletion(asked, env));
  return 0;
}

/** `hermes` alone, or with options of `chat` and no command. */
const opensChat = ([first]: readonly string[]): boolean =>
  first === undefined || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first));

/** The way of a plain question: it loads no registry, no parser and no other command. Without one the terminal UI opens. */
async function runChat(values: ChatValues, invocation: Invocation): Promise<number> {
  const allowAll = allowedByEnv(invocation);
  await refuseAgent(chat, { ...values, yolo: values.yolo === true || allowAll !== undefined }, startedByAgent);
  if (isInteractive(values)) {
    const { runInTerminal } = await import('./terminal-start.ts');
    return runInTerminal(values, invocation, { allowAll, setUp: () => runRegistered(['setup'], invocation) });
  }
  const { runChatCommand: ask } = await import('../faces/cli/chat.ts');
  return ask(values, { openHost: () => openOwnHost(invocation), root: resolveHome(invocation.env).root, allowAll });
}
/** No message is given, and somebody is there to type one. */
const isInteractive = ({ query, queryFile, json }: ChatValues): boolean =>
  query === undefined && queryFile === undefined && json !== true && isOnTerminal();

async function runRegistered(argv: readonly string[], invocation: Invocation): Promise<number> {
  const { createBuiltinRegistry } = await import('../commands/builtin.ts');
  const { runProgram } = await import('../faces/cli/program.ts');
  const { openServices } = await import('./services/services.ts');
  const { env, options } = invocation;
  const registries = await ownRegistries(options);
  const added = [...(registries?.commands.entries().values() ?? []), ...(options.commands ?? [])];
  const known = createBuiltinRegistry(added);
  const [name = ''] = argv;
  // A word nobody knows may be a memory provider; and help shows the commands of the one in use among the others.
  const asksAll = ['help', '--help', '-h'].includes(name) || known.resolve([name], 'shell').type === 'unknown';
  const providers = asksAll ? await import('./provider-commands.ts') : undefined;
  const memory = await providers?.findProviderInUse(env, registries);
  const explain = (word: string): string | undefined => providers?.explainUnusedProvider(word, memory?.name ?? '', registries);
  const registry = memory === undefined || memory.commands.length === 0 ? known : createBuiltinRegistry([...added, ...memory.commands]);
  await using opened = new AsyncDisposableStack();
  await addPluginCommands(invocation, registry, opened, memory?.name);
  await using services = openServices({ processEnv: env, notice: toStderr, ...options, ...(registries && { registries }) });
  const deps = { services: services.openers, isOn: services.isOn, startedByAgent, hasTerminal, commands: () => registry.at('shell') };
  const { expandDottedOptions } = await import('../faces/cli/dotted-options.ts');
  const runOne = async (command: AnyCommand, values: CommandValues, json: boolean): Promise<number> => {
    if (command === chat) return runChat(values, invocation);
    const { RUN_BY_FACE } = await import('./run-by-face.ts');
    const own = RUN_BY_FACE.get(command.name);
    if (own !== undefined) return own(values, json, { ...invocation, setUp: () => runRegistered(['setup'], invocation) });
    return (await import('../faces/cli/show.ts')).runAndShow(command, values, json, deps);
  };
  return await runProgram(expandDottedOptions(argv), registry, { version, run: runOne, explain });
}

/** Commands of enabled plugins. No name of ours is theirs, and a home without plugins is not looked at further. */
async function addPluginCommands(
  { env }: Invocation,
  registry: CommandRegistry,
  opened: AsyncDisposableStack,
  memory: string | undefined,
): Promise<void> {
  const { root } = resolveHome(env);
  if (!hasPlugins(root)) return;
  const { listShellCommands } = await import('../plugins/shell-index.ts');
  const taken = new Set(registry.all().map(({ name }) => name.split(' ')[0]));
  const commands = listShellCommands(root, memory, async (name) =>
    opened.use(await (await import('./plugins/shell-plugins.ts')).openEnabledPlugin(name, env, toStderr)),
  );
  for (const command of commands) if (!taken.has(command.name.split(' ')[0])) registry.add(command);
}

/** What a program of somebody else's brings along. Ours alone need no registries before a service asks for them. */
async function ownRegistries({ register }: CliOptions): Promise<Registries | undefined> {
  if (register === undefined) return undefined;
  const registries = (await import('./tools/registries.ts')).createRegistries();
  await register(registries);
  return registries;
}
