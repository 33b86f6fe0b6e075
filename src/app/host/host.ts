import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createStops, postTo, stopFor, type SessionStops } from '../../agent/inbox.ts';
import { breathe } from '../../base/breathe.ts';
import { createBoundedPool } from '../../base/bounded-pool.ts';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { createNoticeBoard } from '../../base/notice-board.ts';
import type { Host, HostOptions, Notice, PostedMessage } from '../../contracts/host.ts';
import type { Registries } from '../../contracts/registries.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { InboxItem, SessionStore } from '../../contracts/session-store.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import type { ModelConnection } from '../../parts/providers/connect.ts';
import { httpSse } from '../../parts/providers/transports/http-sse.ts';
import { createRedactingProvider } from '../../parts/safety/secrets/provider.ts';
import { createRedactingStore } from '../../parts/safety/secrets/store.ts';
import { describeFormerStore, openHomeStore } from '../../parts/store/home-store.ts';
import { withRecentLog } from '../../parts/store/recent-log.ts';
import { loadConfig, type Config } from '../config/config.ts';
import { openHomeParts } from '../tools/home-parts.ts';
import { createRegistries, isSameSnapshot, snapshotRegistries } from '../tools/registries.ts';
import type { SharedParts } from '../tools/home-parts.ts';
import { openMcpTools } from './mcp.ts';
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
}

/** A terminal costs processes and memory even when it is idle; a person seldom goes on with more chats than this in a quarter of an hour. */
const MAX_OPEN_SESSIONS = 50;

export async function openHost({ env = {}, home, maxOpenSessions = MAX_OPEN_SESSIONS, register }: HostOptions = {}): Promise<AppHost> {
  await using opened = new AsyncDisposableStack();
  if (!Number.isInteger(maxOpenSessions) || maxOpenSessions < 1)
    throw new UsageError(`maxOpenSessions is ${maxOpenSessions}, but must be 1 or more. Set a whole number, or leave it out.`);
  const board = createNoticeBoard<Notice>();
  const posts = createNoticeBoard<PostedMessage>();
  opened.defer(() => (board.close(), posts.close()));
  const registries = createRegistries();
  await register?.(registries);
  const parts = await openShared(env, home ?? ownHome(opened), {
    registries,
    notice: (text) => board.tell({ text }),
    posted: posts.tell,
    opened,
  });
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
  const { home: profile, env: variables, config, store } = await parts.shared();
  const closing = opened.move();
  return {
    home: profile,
    env: variables,
    config,
    store,
    registries,
    tell: (notice) => board.tell({ ...notice, text: parts.secrets.redact(notice.text) }),
    closed: closed.signal,
    reloadServers: parts.reloadServers,
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

interface OpenedParts {
  readonly shared: () => Promise<SharedParts>;
  /** All there are; tools may get them less strict. */
  readonly secrets: Secrets;
  readonly mcp: (cwd: string) => Promise<Mcp>;
  /** Reads the settings again: sessions that are opened from now on get the servers they name. Gives their names. */
  readonly reloadServers: () => Promise<readonly string[]>;
}

interface SharedDeps {
  readonly registries: Registries;
  readonly notice: (words: string) => void;
  readonly posted: (message: PostedMessage) => void;
  readonly opened: AsyncDisposableStack;
}

/** What all sessions stand on. They are told no secret and tell none. */
async function openShared(processEnv: Env, home: Home, { registries, notice, posted, opened }: SharedDeps): Promise<OpenedParts> {
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  const registered = snapshotRegistries(registries);
  const config = await loadConfig(home.config, env, notice, registered);
  const secrets = loadSharedSecrets(processEnv, home);
  const { settings } = config;
  // A face may have keys to read meanwhile.
  await breathe();
  const plain = await openHomeStore(home, { durability: settings['database.durability'], notice });
  const beside = await describeFormerStore(home);
  if (beside !== undefined) notice(beside);
  const stops = createStops();
  // A secret that becomes known is taken out of what was read before it was.
  const redacting = withRecentLog(createRedactingStore(plain, secrets), () => secrets.names().length);
  const store = opened.use(tellingStore(redacting, stops, posted));
  const toolSecrets = withToolMasking(secrets, settings['security.redact_secrets']);
  const transport = opened.use(httpSse());
  const guard = (connection: ModelConnection): ModelConnection => ({
    ...connection,
    provider: createRedactingProvider(connection.provider, secrets),
  });
  const open = (given: Pick<SharedParts, 'config' | 'registered'>): SharedParts => ({
    ...openHomeParts({ ...given, home, env, notice, store, secrets: toolSecrets }),
    store,
    stops,
    transport,
    guard,
  });
  const first = open({ config, registered });
  const connections: Mcp[] = [];
  opened.defer(async () => void (await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()))));
  const connect = (named: Config['settings']) =>
    lazy(async (cwd: string): Promise<Mcp> => {
      const { learn, redactAll: redact } = secrets;
      const connected = await openMcpTools({
        ...first,
        cwd,
        settings: named,
        discoverySeconds: named.mcp_discovery_timeout,
        learn,
        redact,
      });
      connections.push(connected);
      for (const words of connected.notices) notice(words);
      return connected;
    });
  let servers = connect(settings);
  return {
    shared: followRegistries(registries, first, open),
    secrets,
    mcp: (cwd) => servers(cwd),
    reloadServers: async () => {
      const { settings: fresh } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
      servers = connect(fresh);
      return Object.keys(fresh.mcp_servers);
    },
  };
}

/** Whatever is posted through it, by a face, a chat, a process that ended or a tool, reaches who runs the session here, and is told. */
const tellingStore = (store: SessionStore, stops: SessionStops, tell: (message: PostedMessage) => void): SessionStore => ({
  ...store,
  post: async (item) => told(await postTo(store, stops, item), tell),
  gateway: {
    ...store.gateway,
    admit: async (taken, admission) => {
      const result = await store.gateway.admit(taken, admission);
      stopFor(stops, result.item);
      told(result.item, tell);
      return result;
    },
  },
});

function told(item: InboxItem, tell: (message: PostedMessage) => void): InboxItem {
  if (item.fate === undefined) tell({ sessionId: item.sessionId, itemId: item.id, mode: item.mode });
  return item;
}

/** What sessions share, opened anew once something was added to the registries or taken from them. */
function followRegistries(
  registries: Registries,
  first: SharedParts,
  open: (given: Pick<SharedParts, 'config' | 'registered'>) => SharedParts,
): () => Promise<SharedParts> {
  let latest = first;
  return async () => {
    const registered = snapshotRegistries(registries);
    if (isSameSnapshot(registered, latest.registered)) return latest;
    const { home, env, notice, config: kept } = latest;
    const hasSettings = isSameSnapshot(registered, latest.registered, ['settings', 'terminals']);
    latest = open({ registered, config: hasSettings ? kept : await loadConfig(home.config, env, notice, registered) });
    return latest;
  };
}
