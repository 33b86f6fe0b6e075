import { homeAt, type Home } from '../base/home.ts';
import { currentEpoch } from '../agent/request.ts';
import type { Ports } from '../contracts/ports.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { Provider } from '../contracts/provider.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import type { ChatFlags } from '../faces/cli/verbs.ts';
import type { Mcp } from '../parts/mcp/open.ts';
import { redactingProvider } from '../parts/safety/secrets/provider.ts';
import { redactingStore } from '../parts/safety/secrets/store.ts';
import { openSqliteStore } from '../parts/store/sqlite/store.ts';
import { assemble, type Assembly, type RoutedAgent } from './assemble.ts';
import { loadConfig, type Config, type Env } from './config.ts';
import { connectionTo, SCRIPTED } from './demo/connection.ts';
import { NO_SERVERS, openMcpTools } from './mcp.ts';
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
  /** The same agent with a model that says what it is told, and without the owner's servers: nothing of it leaves the machine. */
  scripted(provider: Provider, cwd: string): Promise<RoutedAgent>;
  begin(runtime: Runtime, source: string, cwd: string, words: string): Promise<Session>;
}

export async function openWorkshop(processEnv: Env): Promise<Workshop> {
  const ground = await openGround(processEnv);
  const { home, env, config, store, secrets, opened } = ground;
  const furnish = furnisher(ground);
  return {
    home,
    env,
    config,
    store,
    agent: async (flags, earlier, cwd, ports = {}, platform = 'cli') => {
      const kept = earlier === undefined ? undefined : await takenUp(earlier, ground);
      const runtime = await routeFor({ flags, config, env, kept, store });
      return furnish({ connection: connect({ flags, config, env, store, runtime }), runtime, flags, cwd, kept, ports, platform });
    },
    scripted: (provider, cwd) =>
      furnish({ connection: connectionTo(provider), runtime: SCRIPTED, flags: {}, cwd, kept: undefined, ports: {}, mcp: NO_SERVERS }),
    begin: ({ model, provider }, source, cwd, words) =>
      store.create({ source, cwd, model, provider, title: titleOf(secrets.redact(words)) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** What all agents of one command stand on. */
interface Ground {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly store: SessionStore;
  readonly secrets: Secrets;
  /** Closed with the workshop, the last opened first. */
  readonly opened: AsyncDisposableStack;
}

async function openGround(processEnv: Env): Promise<Ground> {
  const home = homeAt(processEnv);
  makeHome(home);
  const env = environment(home.env, processEnv);
  const config = await loadConfig(home.config, env);
  const secrets = secretsOf(processEnv);
  const durability = config.settings['database.durability'];
  const store = redactingStore(await openSqliteStore({ path: home.store, durability, notice: storeNotice }), secrets);
  const opened = new AsyncDisposableStack();
  opened.use(store);
  return { home, env, config, store, secrets, opened };
}

/** A session that goes on: first it is told which of its processes ended while nobody was there. */
async function takenUp({ id }: Session, { home, env, config, store, secrets }: Ground): Promise<PromptEpoch | undefined> {
  const { survivorsOf, tellOfEnds } = await import('./processes.ts');
  await tellOfEnds(id, survivorsOf({ home, env, config, secrets }), (item) => store.post(item));
  return currentEpoch(await store.entries(id));
}

type Asked = Omit<Assembly, 'home' | 'env' | 'config' | 'store' | 'secrets' | 'guard'>;

/** Makes agents that are told no secret and tell none. They share the owner's MCP servers, unless they bring their own. */
function furnisher(ground: Ground): (asked: Asked) => Promise<RoutedAgent> {
  const { config, secrets, opened } = ground;
  const guard = (connection: Connection): Connection => ({ ...connection, provider: redactingProvider(connection.provider, secrets) });
  const forThem = forTools(secrets, config.settings['security.redact_secrets']);
  let servers: Promise<Mcp> | undefined;
  return async (asked) => {
    const mcp = asked.mcp ?? (await (servers ??= openServers(ground, asked.cwd)));
    const { agent, terminal } = await assemble({ ...ground, ...asked, mcp, guard, connection: guard(asked.connection), secrets: forThem });
    opened.use(terminal);
    opened.defer(() => agent.close());
    return redactingAgent(agent, secrets);
  };
}

async function openServers({ home, env, config: { settings }, secrets, opened }: Ground, cwd: string): Promise<Mcp> {
  const { learn, redactAll: redact } = secrets;
  const discoverySeconds = settings.mcp_discovery_timeout;
  const mcp = await openMcpTools({ home, env, cwd, settings, discoverySeconds, safety: openSafety(home), learn, redact });
  for (const words of mcp.notices) storeNotice(words);
  return opened.use(mcp);
}

/** The first words of the first message, until somebody gives a better title. */
const TITLE_LENGTH = 48;
const titleOf = (words: string): string => words.replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH).trim().toWellFormed();
