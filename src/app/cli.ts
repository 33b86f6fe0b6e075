import { toErrorMessage, isUsageError } from '../base/errors.ts';
import { refuseAgent } from '../commands/agent-forbidden.ts';
import { chat, type ChatValues } from '../commands/chat.ts';
import type { AcpValues } from '../commands/acp.ts';
import { mcpServe, type McpServeValues } from '../commands/mcp-serve.ts';
import type { DemoValues } from '../commands/demo.ts';
import type { CliOptions } from '../contracts/cli-options.ts';
import type { Host } from '../contracts/host.ts';
import { resolveHome } from '../base/home.ts';
import { selectProfile } from '../base/profile.ts';
import { createProcessStreams, tellError as tell, tellNotice as toStderr, watchOutput } from '../faces/cli/streams.ts';
import type { Registries } from '../contracts/registries.ts';
import { isStoreError } from '../contracts/session-store.ts';
import { isOnTerminal } from '../faces/cli/interactive.ts';
import { parsePlainChat } from '../faces/cli/plain-chat.ts';
import { guardProcess } from '../faces/cli/guard-process.ts';
import { loadSharedSecrets } from './host/redaction.ts';
import { version } from '../base/version.ts';
import { isYolo } from '../parts/safety/approval/yolo.ts';

/** Runs one command line. Gives the exit code; what a person can mend is told in a line or two, never as a stack. */
export async function run(line: readonly string[], options: CliOptions = {}): Promise<number> {
  watchOutput();
  try {
    if (line[0] === '__complete') return await answerShell(line.slice(1));
    const argv = enterProfile(line);
    guardProcess(process, loadSharedSecrets(process.env).redact);
    const words = opensChat(argv) ? ['chat', ...argv] : argv;
    const plain = parsePlainChat(words);
    return plain === undefined ? await runRegistered(words, options) : await runChat(plain, options);
  } catch (error) {
    if (isUsageError(error)) return tell(error.message, 2);
    if (isStoreError(error)) return tell(error.message, 1);
    return tell(`This is a bug in hermes: ${error instanceof Error ? (error.stack ?? error.message) : toErrorMessage(error)}`, 1);
  }
}

/** What a completion script asks while somebody types. */
async function answerShell(asked: readonly string[]): Promise<number> {
  const { answerCompletion } = await import('./shell-completion.ts');
  createProcessStreams().out(await answerCompletion(asked, process.env));
  return 0;
}

/** The profile decides where everything lies. It stands in the environment, so that every program we start is of the same profile. */
function enterProfile(line: readonly string[]): readonly string[] {
  const { argv, home } = selectProfile(line, process.env);
  if (home !== undefined) process.env['HERMES_HOME'] = home;
  return argv;
}

/** `hermes` alone, or with options of `chat` and no command. */
const opensChat = ([first]: readonly string[]): boolean =>
  first === undefined || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first));

/** The way of a plain question: it loads no registry, no parser and no other command. Without one the terminal UI opens. */
async function runChat(values: ChatValues, options: CliOptions): Promise<number> {
  const yolo = isYolo(process.env);
  await refuseAgent(chat, { ...values, yolo: values.yolo === true || yolo }, startedByAgent);
  if (isInteractive(values)) return runTerminal(values, options);
  const { runChatCommand: ask } = await import('../faces/cli/chat.ts');
  return ask(values, {
    openHost: () => openOwnHost(options),
    allowAll: yolo ? 'HERMES_YOLO_MODE' : undefined,
  });
}
/** No message is given: the terminal UI, unless something is left to finish and nobody watches. */
const isInteractive = ({ query, queryFile, json, resume, continue: goesOn }: ChatValues): boolean =>
  query === undefined && queryFile === undefined && json !== true && (isOnTerminal() || (resume === undefined && goesOn !== true));

async function runTerminal(values: ChatValues, options: CliOptions): Promise<number> {
  const { runInTerminal } = await import('./terminal-start.ts');
  return runInTerminal(values, options, {
    allowAll: isYolo(process.env) ? 'HERMES_YOLO_MODE' : undefined,
    setUp: () => runRegistered(['setup'], options),
  });
}
/** The host of the profile this process was started for. */
async function openOwnHost({ commands = [], register }: CliOptions = {}): Promise<Host> {
  const [{ openHost }, { withCommands }] = await Promise.all([import('./host/host.ts'), import('./open-host.ts')]);
  const host = withCommands(
    await openHost({ env: process.env, home: resolveHome(process.env), ...(register !== undefined && { register }) }),
  );
  for (const command of commands) host.registries.commands.add(command.name, command);
  return host;
}

async function runDemo(values: DemoValues): Promise<number> {
  const [{ runDemoCommand }, { scriptedProvider }, { scriptedRoute }, { createDemoScript, isGreen }, { writeDemoProject }] =
    await Promise.all([
      import('../faces/cli/demo.ts'),
      import('../testing/scripted-provider.ts'),
      import('../testing/scripted-route.ts'),
      import('../testing/demo/script.ts'),
      import('../testing/demo/project.ts'),
    ]);
  const provider = (pace: Parameters<typeof createDemoScript>[0]) => scriptedRoute(scriptedProvider(createDemoScript(pace)));
  return runDemoCommand(values, {
    openHost: openOwnHost,
    provider,
    layOutProject: writeDemoProject,
    isGreen,
    storePath: resolveHome(process.env).store,
  });
}
/** The service of one editor; `--setup` is what its log-in button runs. */
async function runAcp({ setup }: AcpValues, options: CliOptions): Promise<number> {
  if (setup === true) return runRegistered(['setup'], options);
  const { runAcpCommand } = await import('../faces/serve/acp/command.ts');
  return runAcpCommand({
    openHost: () => openOwnHost(options),
    listModels: async (provider) =>
      (await import('../parts/providers/models.ts'))
        .loadModels()
        .list(provider)
        .map((model) => ({ model, provider })),
    allowAll: isYolo(process.env) ? 'HERMES_YOLO_MODE' : undefined,
  });
}
/** Conversations for an MCP client; what waits for an answer is answered through the same service as `hermes approvals`. */
async function runServe(values: McpServeValues, json: boolean, options: CliOptions): Promise<number> {
  await refuseAgent(mcpServe, values, startedByAgent);
  const [{ runMcpServe }, { openServices }] = await Promise.all([
    import('../faces/serve/mcp/command.ts'),
    import('./services/services.ts'),
  ]);
  await using opened = new AsyncDisposableStack();
  return await runMcpServe(values, json, {
    openHost: () => openOwnHost(options),
    openApprovals: ({ store }) =>
      opened.use(openServices({ processEnv: process.env, notice: toStderr }, { store: async () => store })).openers.approvals(),
    env: process.env,
    home: resolveHome(process.env),
  });
}
const startedByAgent = async (): Promise<boolean> => (await import('../parts/terminals/below-command.ts')).isBelowCommand();

async function runRegistered(argv: readonly string[], options: CliOptions): Promise<number> {
  const { createBuiltinRegistry } = await import('../commands/builtin.ts');
  const { runProgram } = await import('../faces/cli/program.ts');
  const { openServices } = await import('./services/services.ts');
  const registries = await ownRegistries(options);
  const registry = createBuiltinRegistry([...(registries?.commands.entries().values() ?? []), ...(options.commands ?? [])]);
  await using services = openServices({ processEnv: process.env, notice: toStderr, ...options, ...(registries && { registries }) });
  const deps = { services: services.openers, isOn: services.isOn, startedByAgent, commands: () => registry.at('shell') };
  return await runProgram(argv, registry, version, async (command, values, json) => {
    if (command === chat) return runChat(values, options);
    if (command.name === 'demo') return runDemo(values);
    if (command.name === 'acp') return runAcp(values, options);
    if (command === mcpServe) return runServe(values, json, options);
    return (await import('../faces/cli/show.ts')).runAndShow(command, values, json, deps);
  });
}

/** What a program of somebody else's brings along. Ours alone need no registries before a service asks for them. */
async function ownRegistries({ register }: CliOptions): Promise<Registries | undefined> {
  if (register === undefined) return undefined;
  const registries = (await import('./tools/registries.ts')).createRegistries();
  await register(registries);
  return registries;
}
