import { UsageError } from '../base/errors.ts';
import { lazy } from '../base/lazy.ts';
import type { AnyCommand } from '../contracts/command.ts';
import type { CommandLineOptions, CommandLineResult, Host, HostCommands, HostOptions } from '../contracts/host.ts';
import type { BackgroundService } from '../contracts/services/background.ts';
import type { Session } from '../contracts/session-store.ts';
import type { OtherName } from '../commands/complete.ts';
import { openHost as openPlainHost, type AppHost } from './host/host.ts';
import { openServices, type OpenServices } from './services/services.ts';

/** A host with its commands. */
export const openHost = async (options?: HostOptions): Promise<Host> => withCommands(await openPlainHost(options));

/** Lays the commands around a host; they are loaded with the first line that may be one. */
export const withCommands = (host: AppHost, background = openBackground(host)): AppHost & Host =>
  Object.assign(host, { commands: hostCommands(host, background) });

/** The sessions that work in a host's background; nothing is loaded before the first is asked about. */
export const openBackground = (host: AppHost): (() => Promise<BackgroundService>) =>
  lazy(async () => (await import('../agent/background.ts')).createBackground(host));

function hostCommands(host: AppHost, background: () => Promise<BackgroundService>): HostCommands {
  const loaded = lazy(() => import('../commands/builtin.ts'));
  const quick = lazy(async () => readQuick(host));
  const registry = async () => withAdded((await loaded()).createBuiltinRegistry((await quick()).commands), host);
  return {
    list: async (place) => {
      const { toCommandHelp } = await import('../commands/help.ts');
      return (await registry()).at(place).map(toCommandHelp);
    },
    findBare: async (line, place) => {
      if (!isSlash(line)) return undefined;
      const [{ expandAliases }, { toCommandHelp }] = await Promise.all([
        import('../commands/quick-commands.ts'),
        import('../commands/help.ts'),
      ]);
      const words = expandAliases(line, (await quick()).aliases)
        .trim()
        .slice(1)
        .split(/\s+/);
      const found = (await registry()).resolve(words, place);
      return found.type === 'found' && found.taken === words.length ? toCommandHelp(found.command).name : undefined;
    },
    complete: async (line, place) => {
      if (!isSlash(line)) return [];
      const { completeLine } = await import('../commands/complete.ts');
      await using services = openServices({ ...optionsOf(host), notice: () => {} });
      return completeLine(line, (await registry()).at(place), await skillNames(services));
    },
    run: async (line, options) => {
      if (!isSlash(line)) return { type: 'text' };
      const { expandAliases } = await import('../commands/quick-commands.ts');
      return runLine(expandAliases(line, (await quick()).aliases), options, { host, registry: await registry(), background });
    },
  };
}
/** What a program adds may take the place of ours; what a plugin adds may not, so its key is not the bare name. */
function withAdded(registry: LineDeps['registry'], { registries }: AppHost): LineDeps['registry'] {
  const taken = new Set(registry.all().flatMap(({ name, aliases = [], slash = [] }) => [name, ...aliases, ...slash]));
  for (const [key, command] of registries.commands.entries())
    if (!key.startsWith('plugin ') || !taken.has(command.name)) registry.add(command);
  return registry;
}
const isSlash = (line: string): boolean => /^\s*\//.test(line);

/** The profile is the host's own, whatever the environment says. */
const optionsOf = ({ env, home, registries, hooks }: AppHost) => ({
  processEnv: { ...env, HERMES_HOME: home.root },
  registries,
  tellHooks: hooks.tell,
});

/** The owner's own commands. What of them cannot be used is told once. */
async function readQuick(host: AppHost) {
  const [{ readQuickCommands }, { createBuiltinRegistry }, { listSlashNames }] = await Promise.all([
    import('../commands/quick-commands.ts'),
    import('../commands/builtin.ts'),
    import('../commands/registry.ts'),
  ]);
  const taken = createBuiltinRegistry().all().flatMap(listSlashNames);
  const quick = readQuickCommands(host.config.settings.quick_commands, new Set(taken));
  for (const text of quick.problems) host.tell({ text });
  return quick;
}

interface LineDeps {
  readonly host: AppHost;
  readonly background: () => Promise<BackgroundService>;
  readonly registry: ReturnType<typeof import('../commands/builtin.ts').createBuiltinRegistry>;
}

async function runLine(line: string, options: CommandLineOptions, { host, registry, background }: LineDeps): Promise<CommandLineResult> {
  const { by = 'owner', begin, ...how } = options;
  let { session } = options;
  const [{ runSlash }, { isBelowCommand }] = await Promise.all([
    import('../commands/run-slash.ts'),
    import('../parts/terminals/below-command.ts'),
  ]);
  const notices: string[] = [];
  await using opened = new AsyncDisposableStack();
  const services = opened.use(
    openServices(
      { ...optionsOf(host), notice: (words) => void notices.push(words) },
      {
        store: async () => host.store,
        openSession: async () => sessionOpener(() => session, host, opened),
        background: async () => (options.exact === true ? NO_BACKGROUND : background()),
        reload: async () => ({ servers: async () => ({ servers: await host.reloadServers() }) }),
      },
    ),
  );
  const starts = ({ name: command }: AnyCommand): void => {
    const about = { command, args: readTypedArguments(line, command), place: how.place, by };
    host.hooks.tell({ name: 'pre_command', input: { ...about, ...(session !== undefined && { sessionId: session.session.id }) } });
  };
  const outcome = await runSlash(line, {
    ...how,
    registry,
    cwd: session?.session.cwd ?? host.cwd,
    deps: { services: services.openers, isOn: services.isOn, startedByAgent: isBelowCommand, by, starts },
    ...(session !== undefined && { sessionId: session.session.id }),
    nextModel: () => (session !== undefined && 'runtime' in session ? session.runtime : undefined),
    begin: begin && (async () => (session = await begin()).session.id),
    others: options.exact === true ? [] : (await skillNames(services)).map(({ name }) => name),
  });
  return outcome.type === 'done' ? { ...outcome, notices } : outcome;
}

/** What was typed behind the name, of which a command may have more than one word. */
function readTypedArguments(line: string, name: string): string {
  const [, ...typed] = line.trim().split(/\s+/);
  const [, ...more] = name.split(' ');
  return (more.every((word, index) => typed[index] === word) ? typed.slice(more.length) : typed).join(' ');
}

/** A script's process ends with its line: nothing would go on in its background. */
const NO_BACKGROUND: BackgroundService = {
  list: () => [],
  start: () => Promise.reject(new UsageError('/bg works only in a program that stays open: the terminal UI, or a gateway.')),
};

/** The session the line was typed in is that one itself; any other is opened for the command and closed after it. */
const sessionOpener =
  (typedIn: () => CommandLineOptions['session'], host: AppHost, opened: AsyncDisposableStack) =>
  async (stored: Session): Promise<Awaited<ReturnType<AppHost['openSession']>>> => {
    const typed = typedIn();
    if (typed?.session.id !== stored.id) return opened.use(await host.openSession({ session: stored }));
    return 'open' in typed ? opened.use(await typed.open()) : typed;
  };

async function skillNames({ openers }: OpenServices): Promise<readonly OtherName[]> {
  const { rows } = await (await openers.skills()).survey();
  return rows.filter(({ hidden }) => hidden === undefined).map(({ skill }) => ({ name: skill.name, summary: skill.description }));
}
