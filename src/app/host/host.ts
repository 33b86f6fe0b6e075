import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openReservations } from '../../agent/budget-reservations.ts';
import { createStops } from '../../agent/inbox.ts';
import { createTellingStore } from '../../agent/telling-store.ts';
import { breathe } from '../../base/breathe.ts';
import { createBoundedPool } from '../../base/bounded-pool.ts';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { createNoticeBoard } from '../../base/notice-board.ts';
import type { ObserveCommit } from '../../contracts/commits.ts';
import type { Host, HostOptions, Notice, PostedMessage } from '../../contracts/host.ts';
import type { Registries, RegistrySnapshot } from '../../contracts/registries.ts';
import type { JobService } from '../../contracts/services/jobs.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { describeEnvLines, mergeEnvironment } from '../../parts/config/environment.ts';
import { collectHooks } from '../../parts/hooks/collect.ts';
import { openHookTelling } from '../../parts/hooks/tell-hooks.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import type { ModelConnection } from '../../parts/providers/connect.ts';
import { httpSse } from '../../parts/providers/transports/http-sse.ts';
import { createRedactingProvider } from '../../parts/safety/secrets/provider.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { createRedactingStore } from '../../parts/safety/secrets/store.ts';
import { describeFormerStore, openHomeStore } from '../../parts/store/home-store.ts';
import { withRecentLog } from '../../parts/store/recent-log.ts';
import { hasPlugins } from '../../plugins/index-file.ts';
import { loadConfig, withGivenSettings, type Config } from '../config/config.ts';
import { followPlugins } from '../../plugins/follow-plugins.ts';
import { openHomeParts } from '../tools/home-parts.ts';
import { createRegistries, isSameSnapshot, snapshotRegistries } from '../tools/registries.ts';
import type { SharedParts } from '../tools/home-parts.ts';
import { openMcpTools } from './mcp.ts';
import { openHomeMemory } from './memory.ts';
import { openMemoryModels } from './side-models.ts';
import { withToolMasking, loadSharedSecrets } from './redaction.ts';
import type { HostServices } from './session-start.ts';
import { openSession } from './session.ts';
import { makeHome } from './store.ts';

/** A host, and what of it the program's own commands read. */
/** Commands are laid around it in `app/open-host.ts`: they stand on services, and those on hosts. */
export interface AppHost extends Omit<Host, 'commands'>, Pick<SharedParts, 'home' | 'env' | 'config'>, Pick<OpenedParts, 'reloadServers'> {
  /** Tells the owner something between turns. */
  tell(notice: Notice): void;
  /** Aborted when the host closes. */
  readonly closed: AbortSignal;
  /** Looks on at what all sessions make durable, until it is given back. */
  observe(observer: ObserveCommit): Disposable;
}

/** A terminal costs processes and memory even when it is idle; a person seldom goes on with more chats than this in a quarter of an hour. */
const MAX_OPEN_SESSIONS = 50;

export interface AppHostOptions extends HostOptions {
  /** Opens the scheduled jobs of its home, for the tool. */
  readonly openJobs?: (parts: SharedParts) => Promise<JobService>;
}

export async function openHost({
  env = {},
  home,
  settings: given,
  maxOpenSessions = MAX_OPEN_SESSIONS,
  register,
  openJobs,
}: AppHostOptions = {}): Promise<AppHost> {
  await using opened = new AsyncDisposableStack();
  if (!Number.isInteger(maxOpenSessions) || maxOpenSessions < 1)
    throw new UsageError(`maxOpenSessions is ${maxOpenSessions}, but must be 1 or more. Set a whole number, or leave it out.`);
  const board = createNoticeBoard<Notice>();
  const posts = createNoticeBoard<PostedMessage>();
  opened.defer(() => (board.close(), posts.close()));
  const observers = new Set<ObserveCommit>();
  const registries = createRegistries();
  await register?.(registries);
  const parts = await openShared(env, home ?? ownHome(opened), {
    registries,
    given,
    notice: (text) => board.tell({ text }),
    posted: posts.tell,
    observers,
    opened,
    openJobs,
  });
  const { home: profile, env: variables, config, store } = await parts.shared();
  if (config.settings['telemetry.otlp_endpoint'] !== '') {
    const { openTraces } = await import('../../parts/telemetry/open-traces.ts');
    const traces = openTraces(config.settings, variables, store, (text) => board.tell({ text }));
    if (traces !== undefined) observers.add(opened.use(traces).observe);
  }
  const closed = new AbortController();
  const services: HostServices = {
    shared: parts.shared,
    secrets: parts.secrets,
    pool: createBoundedPool(maxOpenSessions),
    board,
    mcp: parts.mcp,
    sessions: new Set(),
    opening: new Set(),
    closed: closed.signal,
  };
  opened.defer(async () => void (await Promise.allSettled([...services.sessions].map((session) => session[Symbol.asyncDispose]()))));
  opened.defer(async () => {
    closed.abort();
    await Promise.allSettled(services.opening);
  });
  const closing = opened.move();
  return {
    home: profile,
    env: variables,
    config,
    store,
    registries,
    hooks: parts.hooks,
    tell: (notice) => board.tell({ ...notice, text: parts.secrets.redact(notice.text) }),
    closed: closed.signal,
    reloadServers: parts.reloadServers,
    observe: (observer) => {
      observers.add(observer);
      return { [Symbol.dispose]: () => void observers.delete(observer) };
    },
    cwd: resolve(config.settings['terminal.cwd']),
    openSession: (options = {}) => openSession(services, options),
    notices: (signal) => board.listen(signal),
    posted: (signal) => posts.listen(signal),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** A profile that lasts as long as the host. */
function ownHome(opened: AsyncDisposableStack): Home {
  const root = mkdtempSync(join(tmpdir(), 'hermes-host-'));
  opened.defer(() => rmSync(root, { recursive: true, force: true }));
  return resolveHome({ HERMES_HOME: root });
}

interface OpenedParts extends Pick<Host, 'hooks'> {
  readonly shared: () => Promise<SharedParts>;
  /** All there are; tools may get them less strict. */
  readonly secrets: Secrets;
  readonly mcp: (cwd: string) => Promise<Mcp>;
  /** Reads the settings again: sessions that are opened from now on get the servers they name. Gives their names. */
  readonly reloadServers: () => Promise<readonly string[]>;
}

interface SharedDeps {
  readonly registries: Registries;
  readonly given: HostOptions['settings'];
  readonly notice: (words: string) => void;
  readonly posted: (message: PostedMessage) => void;
  readonly observers: Set<ObserveCommit>;
  readonly opened: AsyncDisposableStack;
  readonly openJobs: AppHostOptions['openJobs'];
}

/** What all sessions stand on. They are told no secret and tell none. */
async function openShared(
  processEnv: Env,
  home: Home,
  { registries, given, notice, posted, observers, opened, openJobs }: SharedDeps,
): Promise<OpenedParts> {
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  for (const words of describeEnvLines(home.env)) notice(words);
  const registered = snapshotRegistries(registries);
  const load: LoadSettings = async (tables, variables = env) =>
    withGivenSettings(await loadConfig(home.config, variables, notice, tables), given, tables);
  const config = await load(await expectPlugins(registered, home));
  const secrets = loadSharedSecrets(processEnv, home);
  const { settings } = config;
  // A face may have keys to read meanwhile.
  await breathe();
  const plain = await openHomeStore(home, { durability: settings['database.durability'], notice });
  const beside = await describeFormerStore(home);
  if (beside !== undefined) notice(beside);
  const [stops, allowances] = [createStops(), openReservations()];
  // A secret that becomes known is taken out of what was read before it was.
  const redacting = withRecentLog(createRedactingStore(plain, secrets), () => secrets.names().length);
  const store = opened.use(createTellingStore(redacting, { stops, posted, observers }));
  // Before those who tell hooks, so that these find the plugins alive to the end.
  const plugins = opened.use(
    await followPlugins(store, async () =>
      (await import('../plugins/open-plugins.ts')).openPlugins({ registries, store, home, env, settings, notice }),
    ),
  );
  const toolSecrets = withToolMasking(secrets, settings['security.redact_secrets']);
  const transport = opened.use(httpSse(env));
  const guard = (connection: ModelConnection): ModelConnection => ({
    ...connection,
    provider: createRedactingProvider(connection.provider, secrets),
  });
  if (Object.keys(settings.hooks).length > 0) {
    const { openOwnerHooks } = await import('./owner-hooks.ts');
    opened.use(openOwnerHooks(registries, { home, env, settings, store, notice }));
  }
  const current = () => collectHooks(registries.hooks.entries());
  const telling = opened.use(openHookTelling({ store, hooks: current, notice, redact: secrets.redactAll }));
  observers.add(telling.observe);
  const memory = await openHomeMemory({
    home,
    env,
    config,
    registered,
    providers: () => registries.memoryProviders.entries(),
    store,
    log: store,
    notice,
    safety: openSafety(home, notice),
    redactAll: secrets.redactAll,
    ...openMemoryModels({ config, env, store, transport, guard, notice, registered, secrets }),
  });
  if (memory !== undefined) observers.add(opened.use(memory).observe);
  const open = (read: Pick<SharedParts, 'config' | 'registered'>): SharedParts => {
    const parts: SharedParts = {
      ...openHomeParts({ ...read, home, env, notice, store, secrets: toolSecrets, tellHooks: telling.tell, ...(memory && { memory }) }),
      store,
      stops,
      allowances,
      transport,
      guard,
    };
    return openJobs === undefined ? parts : { ...parts, openJobs: lazy(() => openJobs(parts)) };
  };
  const standing = snapshotRegistries(registries);
  const hasSameSettings = isSameSnapshot(standing, registered, CONFIGURING);
  const first = open({ registered: standing, config: hasSameSettings ? config : await load(standing) });
  const connect = createServerConnector(first, secrets, opened);
  let servers = connect(settings);
  return {
    hooks: { tell: telling.tell, current },
    shared: followRegistries(registries, first, { open, load, refresh: plugins.refresh }),
    secrets,
    mcp: (cwd) => servers(cwd),
    reloadServers: async () => {
      const { settings: fresh } = await load(registered, mergeEnvironment(home.env, processEnv));
      servers = connect(fresh);
      return Object.keys(fresh.mcp_servers);
    },
  };
}

/** The owner's servers as settings name them, connected for the first session that asks; closed with the host. */
function createServerConnector(first: SharedParts, { learn, redactAll: redact }: Secrets, opened: AsyncDisposableStack) {
  const connections: Mcp[] = [];
  opened.defer(async () => void (await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()))));
  return (settings: Config['settings']) =>
    lazy(async (cwd: string): Promise<Mcp> => {
      const connected = await openMcpTools({ ...first, cwd, settings, discoverySeconds: settings.mcp_discovery_timeout, learn, redact });
      connections.push(connected);
      for (const words of connected.notices) first.notice(words);
      return connected;
    });
}

/** Settings may name what plugins bring, which is known once the store is open. */
const expectPlugins = async (registered: RegistrySnapshot, { root }: Home): Promise<RegistrySnapshot> =>
  hasPlugins(root) ? (await import('../../plugins/shell-index.ts')).withPluginTerminals(registered, root) : registered;

/** Reads the settings as they hold in this host, by the variables it was opened with unless others are named. */
type LoadSettings = (tables: RegistrySnapshot, variables?: Env) => Promise<Config>;

/** What decides which settings there are. */
const CONFIGURING = ['settings', 'terminals'] as const;

/** What sessions share, opened anew once something was added to the registries or taken from them. */
function followRegistries(
  registries: Registries,
  first: SharedParts,
  {
    open,
    load,
    refresh,
  }: {
    readonly open: (given: Pick<SharedParts, 'config' | 'registered'>) => SharedParts;
    readonly load: LoadSettings;
    readonly refresh: () => Promise<void>;
  },
): () => Promise<SharedParts> {
  let latest = first;
  return async () => {
    await refresh();
    const registered = snapshotRegistries(registries);
    if (isSameSnapshot(registered, latest.registered)) return latest;
    const { config: kept } = latest;
    const hasSettings = isSameSnapshot(registered, latest.registered, CONFIGURING);
    latest = open({ registered, config: hasSettings ? kept : await load(registered) });
    return latest;
  };
}
