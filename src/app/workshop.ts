import { systemClock } from '../base/clock.ts';
import { homeAt, type Home } from '../base/home.ts';
import { createAgent, type Agent } from '../agent/agent.ts';
import { currentEpoch } from '../agent/request.ts';
import { RECOVERIES } from '../agent/recoveries/table.ts';
import type { Ports } from '../contracts/ports.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { Provider } from '../contracts/provider.ts';
import type { Routes } from '../contracts/routes.ts';
import { isMessage } from '../contracts/entry.ts';
import type { ToolMessage } from '../contracts/message.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import type { ChatFlags } from '../faces/cli/verbs.ts';
import { windowEngine } from '../parts/context/window.ts';
import { promptPipeline } from '../parts/prompt/pipeline.ts';
import { identitySlot } from '../parts/prompt/slots/identity.ts';
import { sceneSlot } from '../parts/prompt/slots/scene.ts';
import { openSqliteStore } from '../parts/store/sqlite/store.ts';
import { loadConfig, type Config, type Env } from './config.ts';
import { connect, routeFor, type Connection } from './models.ts';
import { environment } from './secrets.ts';
import { makeHome, storeNotice } from './store.ts';
import { openToolkit } from './toolkit.ts';

/** The sections of the system prompt. */
export const PROMPT_SLOTS = [identitySlot, sceneSlot] as const;

/** Everything one command needs, opened from one home. The only place where parts meet. */
export interface Workshop extends AsyncDisposable {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly store: SessionStore;
  agent(flags: ChatFlags, earlier: Session | undefined, cwd: string, ports?: Ports): Promise<RoutedAgent>;
  /** The same agent with a model that says what it is told. */
  scripted(provider: Provider, cwd: string): Promise<RoutedAgent>;
  begin(runtime: Runtime, source: string, cwd: string, words: string): Promise<Session>;
}

/** An agent and where its model calls go. */
export type RoutedAgent = Agent & { readonly runtime: Runtime };

const SCRIPTED: Runtime = {
  provider: 'scripted',
  model: 'scripted',
  baseUrl: 'none:',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 200_000 },
};
const NO_ROUTES: Routes = {
  refresh: async () => false,
  rotate: async () => undefined,
  fallback: async () => undefined,
  learnt: async () => ({}),
  learn: async () => {},
};

export async function openWorkshop(processEnv: Env): Promise<Workshop> {
  const home = homeAt(processEnv);
  makeHome(home);
  const env = environment(home.env, processEnv);
  const config = await loadConfig(home.config, env);
  const store = await openSqliteStore({ path: home.store, durability: config.settings['database.durability'], notice: storeNotice });
  const opened = new AsyncDisposableStack();
  opened.use(store);
  const assemble = async (
    connection: Connection,
    runtime: Runtime,
    flags: ChatFlags,
    cwd: string,
    kept: PromptEpoch | undefined,
    ports: Ports = {},
  ): Promise<RoutedAgent> => {
    const { toolkit, terminal } = await openToolkit({
      flags,
      home,
      config,
      env,
      cwd,
      kept,
      recall: (id) => toolResults(store, id),
      ports,
      window: runtime.limits.window,
    });
    opened.use(terminal);
    const settings = flags.maxTurns === undefined ? config.settings : { ...config.settings, 'agent.max_turns': flags.maxTurns };
    const prompt = promptPipeline(PROMPT_SLOTS);
    const deps = {
      ...connection,
      toolkit,
      settings,
      prompt,
      context: windowEngine,
      recoveries: RECOVERIES,
      clock: systemClock,
      random: Math.random,
    };
    return { ...createAgent(store, deps, runtime), runtime };
  };
  return {
    home,
    env,
    config,
    store,
    agent: async (flags, earlier, cwd, ports) => {
      const kept = earlier === undefined ? undefined : currentEpoch(await store.entries(earlier.id));
      const runtime = await routeFor({ flags, config, env, kept, store });
      return assemble(connect({ flags, config, env, store, runtime }), runtime, flags, cwd, kept, ports);
    },
    scripted: (provider, cwd) => assemble({ provider, routes: NO_ROUTES, price: () => undefined }, SCRIPTED, {}, cwd, undefined),
    begin: (runtime, source, cwd, words) =>
      store.create({ source, cwd, model: runtime.model, provider: runtime.provider, title: titleOf(words) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The first words of the first message, until somebody gives a better title. */
const TITLE_LENGTH = 48;
const titleOf = (words: string): string => words.replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH).trim().toWellFormed();

/** What tools answered in a session so far, for tools whose state is in the log. */
const toolResults = async (store: SessionStore, sessionId: string): Promise<ToolMessage[]> =>
  (await store.entries(sessionId)).filter(isMessage).flatMap(({ message }) => (message.role === 'tool' ? [message] : []));
