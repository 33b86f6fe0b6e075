import { homeAt, type Home } from '../base/home.ts';
import { currentEpoch } from '../agent/request.ts';
import type { Ports } from '../contracts/ports.ts';
import type { Provider } from '../contracts/provider.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import type { ChatFlags } from '../faces/cli/verbs.ts';
import type { Mcp } from '../parts/mcp/open.ts';
import { redactingProvider } from '../parts/safety/secrets/provider.ts';
import { redactingStore } from '../parts/safety/secrets/store.ts';
import { openSqliteStore } from '../parts/store/sqlite/store.ts';
import { assemble, type Assembly, type RoutedAgent } from './assemble.ts';
import { loadConfig, type Config, type Env } from './config.ts';
import { connectionTo, SCRIPTED } from './demo/connection.ts';
import { openMcpTools } from './mcp.ts';
import { connect, routeFor, type Connection } from './models.ts';
import { forTools, redactingAgent, secretsOf } from './redaction.ts';
import { openSafety } from './safety.ts';
import { environment } from './secrets.ts';
import { makeHome, storeNotice } from './store.ts';

/** Everything one command needs, opened from one home. The only place where parts meet. */
export interface Workshop extends AsyncDisposable {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly store: SessionStore;
  /** `platform` says where the session is held: work nobody watches is kept in a sandbox where there is one. */
  agent(flags: ChatFlags, earlier: Session | undefined, cwd: string, ports?: Ports, platform?: string): Promise<RoutedAgent>;
  /** The same agent with a model that says what it is told. */
  scripted(provider: Provider, cwd: string): Promise<RoutedAgent>;
  begin(runtime: Runtime, source: string, cwd: string, words: string): Promise<Session>;
}

export async function openWorkshop(processEnv: Env): Promise<Workshop> {
  const home = homeAt(processEnv);
  makeHome(home);
  const env = environment(home.env, processEnv);
  const config = await loadConfig(home.config, env);
  const secrets = secretsOf(processEnv);
  const store = redactingStore(
    await openSqliteStore({ path: home.store, durability: config.settings['database.durability'], notice: storeNotice }),
    secrets,
  );
  const opened = new AsyncDisposableStack();
  opened.use(store);
  let servers: Promise<Mcp> | undefined;
  const openServers = async (cwd: string): Promise<Mcp> => {
    const { settings } = config;
    const discoverySeconds = settings.mcp_discovery_timeout;
    const { learn, redactAll: redact } = secrets;
    const mcp = await openMcpTools({ home, env, cwd, settings, discoverySeconds, safety: openSafety(home), learn, redact });
    for (const words of mcp.notices) storeNotice(words);
    return opened.use(mcp);
  };
  const guarded = (connection: Connection): Connection => ({ ...connection, provider: redactingProvider(connection.provider, secrets) });
  const furnish = async (ask: Omit<Assembly, 'home' | 'env' | 'config' | 'store' | 'secrets' | 'guard' | 'mcp'>): Promise<RoutedAgent> => {
    const { agent, terminal } = await assemble({
      home,
      env,
      config,
      store,
      ...ask,
      mcp: await (servers ??= openServers(ask.cwd)),
      guard: guarded,
      connection: guarded(ask.connection),
      secrets: forTools(secrets, config.settings['security.redact_secrets']),
    });
    opened.use(terminal);
    opened.defer(() => agent.close());
    return redactingAgent(agent, secrets);
  };
  return {
    home,
    env,
    config,
    store,
    agent: async (flags, earlier, cwd, ports = {}, platform = 'cli') => {
      const kept = earlier === undefined ? undefined : currentEpoch(await store.entries(earlier.id));
      if (earlier !== undefined) {
        const { survivorsOf, tellOfEnds } = await import('./processes.ts');
        await tellOfEnds(earlier.id, survivorsOf({ home, config, secrets }), (item) => store.post(item));
      }
      const runtime = await routeFor({ flags, config, env, kept, store });
      return furnish({ connection: connect({ flags, config, env, store, runtime }), runtime, flags, cwd, kept, ports, platform });
    },
    scripted: (provider, cwd) =>
      furnish({ connection: connectionTo(provider), runtime: SCRIPTED, flags: {}, cwd, kept: undefined, ports: {} }),
    begin: ({ model, provider }, source, cwd, words) =>
      store.create({ source, cwd, model, provider, title: titleOf(secrets.redact(words)) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The first words of the first message, until somebody gives a better title. */
const TITLE_LENGTH = 48;
const titleOf = (words: string): string => words.replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH).trim().toWellFormed();
