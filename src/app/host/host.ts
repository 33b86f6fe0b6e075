import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { boundedPool } from '../../base/bounded-pool.ts';
import type { Env } from '../../base/env.ts';
import { homeAt, type Home } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { noticeBoard } from '../../base/notice-board.ts';
import type { Host, HostOptions, Notice } from '../../contracts/host.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import type { ModelConnection } from '../../parts/providers/connect.ts';
import { httpSse } from '../../parts/providers/transports/http-sse.ts';
import { redactingProvider } from '../../parts/safety/secrets/provider.ts';
import { redactingStore } from '../../parts/safety/secrets/store.ts';
import { openSqliteStore } from '../../parts/store/sqlite/store.ts';
import { loadConfig } from '../config/config.ts';
import { openHomeParts } from '../tools/home-parts.ts';
import type { SharedParts } from '../tools/home-parts.ts';
import { openMcpTools } from './mcp.ts';
import { forTools, secretsOf } from './redaction.ts';
import { openSession, type HostServices } from './session.ts';
import { makeHome } from './store.ts';

/** A host, and what of it the program's own commands read. */
export type AppHost = Host & Pick<SharedParts, 'home' | 'env' | 'config'>;

/** A terminal costs processes and memory even when it is idle; a person seldom goes on with more chats than this in a quarter of an hour. */
const MAX_OPEN_SESSIONS = 50;

export async function openHost({ env = {}, home, maxOpenSessions = MAX_OPEN_SESSIONS }: HostOptions = {}): Promise<AppHost> {
  await using opened = new AsyncDisposableStack();
  const board = noticeBoard<Notice>();
  opened.defer(() => board.close());
  const parts = await openShared(env, home ?? ownHome(opened), (text) => board.tell({ text }), opened);
  const services: HostServices = {
    shared: parts.shared,
    secrets: parts.secrets,
    pool: boundedPool(maxOpenSessions),
    board,
    mcp: parts.mcp,
    sessions: new Set(),
  };
  opened.defer(async () => void (await Promise.allSettled([...services.sessions].map((session) => session[Symbol.asyncDispose]()))));
  const closing = opened.move();
  const { store, config } = parts.shared;
  return {
    home: parts.shared.home,
    env: parts.shared.env,
    config,
    store,
    cwd: resolve(config.settings['terminal.cwd']),
    openSession: (options = {}) => openSession(services, options),
    notices: (signal) => board.listen(signal),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** A profile that lasts as long as the host. */
function ownHome(opened: AsyncDisposableStack): Home {
  const root = mkdtempSync(join(tmpdir(), 'hermes-host-'));
  opened.defer(() => rmSync(root, { recursive: true, force: true }));
  return homeAt({ HERMES_HOME: root });
}

interface OpenedParts {
  readonly shared: SharedParts;
  /** All there are; tools may get them less strict. */
  readonly secrets: Secrets;
  readonly mcp: (cwd: string) => Promise<Mcp>;
}

/** What all sessions stand on. They are told no secret and tell none. */
async function openShared(
  processEnv: Env,
  home: Home,
  notice: (words: string) => void,
  opened: AsyncDisposableStack,
): Promise<OpenedParts> {
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  const config = await loadConfig(home.config, env, notice);
  const secrets = secretsOf(processEnv, home);
  const { settings } = config;
  const plain = await openSqliteStore({ path: home.store, durability: settings['database.durability'], notice });
  const store = opened.use(redactingStore(plain, secrets));
  const toolSecrets = forTools(secrets, settings['security.redact_secrets']);
  const parts = openHomeParts({ home, env, config, notice, store, secrets: toolSecrets });
  const guard = (connection: ModelConnection): ModelConnection => ({
    ...connection,
    provider: redactingProvider(connection.provider, secrets),
  });
  let connected: Mcp | undefined;
  opened.defer(async () => connected?.[Symbol.asyncDispose]());
  const servers = lazy(async (cwd: string): Promise<Mcp> => {
    const { learn, redactAll: redact } = secrets;
    connected = await openMcpTools({ ...parts, cwd, settings, discoverySeconds: settings.mcp_discovery_timeout, learn, redact });
    for (const words of connected.notices) notice(words);
    return connected;
  });
  const transport = opened.use(httpSse());
  return { shared: { ...parts, store, transport, guard }, secrets, mcp: servers };
}
