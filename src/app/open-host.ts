import { lazy } from '../base/lazy.ts';
import type { CommandLineOptions, CommandLineResult, Host, HostCommands, HostOptions } from '../contracts/host.ts';
import type { Session } from '../contracts/session-store.ts';
import type { OtherName } from '../commands/complete.ts';
import { openHost as openPlainHost, type AppHost } from './host/host.ts';
import { openServices, type OpenServices } from './services/services.ts';

/** A host with its commands. */
export const openHost = async (options?: HostOptions): Promise<Host> => withCommands(await openPlainHost(options));

/** Lays the commands around a host; they are loaded with the first line that may be one. */
export const withCommands = (host: AppHost): Host => Object.assign(host, { commands: hostCommands(host) });

function hostCommands(host: AppHost): HostCommands {
  const loaded = lazy(() => import('../commands/builtin.ts'));
  const registry = async () => (await loaded()).createBuiltinRegistry(host.registries.commands.entries().values());
  return {
    list: async (place) => {
      const { toCommandHelp } = await import('../commands/help.ts');
      return (await registry()).at(place).map(toCommandHelp);
    },
    complete: async (line, place) => {
      if (!isSlash(line)) return [];
      const { completeLine } = await import('../commands/complete.ts');
      await using services = openServices({ ...optionsOf(host), notice: () => {} });
      return completeLine(line, (await registry()).at(place), await skillNames(services));
    },
    run: async (line, options) => (isSlash(line) ? runLine(line, options, { host, registry: await registry() }) : { type: 'text' }),
  };
}
const isSlash = (line: string): boolean => /^\s*\//.test(line);

/** The profile is the host's own, whatever the environment says. */
const optionsOf = ({ env, home, registries }: AppHost) => ({ processEnv: { ...env, HERMES_HOME: home.root }, registries });

interface LineDeps {
  readonly host: AppHost;
  readonly registry: ReturnType<typeof import('../commands/builtin.ts').createBuiltinRegistry>;
}

async function runLine(line: string, options: CommandLineOptions, { host, registry }: LineDeps): Promise<CommandLineResult> {
  const { session, by = 'owner', ...how } = options;
  const [{ runSlash }, { isBelowCommand }] = await Promise.all([
    import('../commands/run-slash.ts'),
    import('../parts/terminals/below-command.ts'),
  ]);
  const notices: string[] = [];
  await using opened = new AsyncDisposableStack();
  const services = opened.use(
    openServices(
      { ...optionsOf(host), notice: (words) => void notices.push(words) },
      { store: async () => host.store, openSession: async () => sessionOpener(session, host, opened) },
    ),
  );
  const outcome = await runSlash(line, {
    ...how,
    registry,
    cwd: session?.session.cwd ?? host.cwd,
    deps: { services: services.openers, isOn: services.isOn, startedByAgent: isBelowCommand, by },
    ...(session !== undefined && { sessionId: session.session.id }),
    others: options.exact === true ? [] : (await skillNames(services)).map(({ name }) => name),
  });
  return outcome.type === 'done' ? { ...outcome, notices } : outcome;
}

/** The session the line was typed in is that one itself; any other is opened for the command and closed after it. */
const sessionOpener =
  (typed: CommandLineOptions['session'], host: AppHost, opened: AsyncDisposableStack) =>
  async (stored: Session): Promise<Awaited<ReturnType<AppHost['openSession']>>> => {
    if (typed?.session.id !== stored.id) return opened.use(await host.openSession({ session: stored }));
    return 'open' in typed ? opened.use(await typed.open()) : typed;
  };

async function skillNames({ openers }: OpenServices): Promise<readonly OtherName[]> {
  const { rows } = await (await openers.skills()).survey();
  return rows.filter(({ hidden }) => hidden === undefined).map(({ skill }) => ({ name: skill.name, summary: skill.description }));
}
