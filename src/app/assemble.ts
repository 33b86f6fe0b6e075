import { systemClock } from '../base/clock.ts';
import type { Home } from '../base/home.ts';
import { createAgent, type Agent } from '../agent/agent.ts';
import { openPurse, type Purse } from '../agent/delegate/purse.ts';
import { sideCalls } from '../agent/side-calls.ts';
import { RECOVERIES } from '../agent/recoveries/table.ts';
import type { ToolHooks } from '../contracts/hooks.ts';
import { isMessage, visibleEntries } from '../contracts/entry.ts';
import type { ToolMessage } from '../contracts/message.ts';
import type { Ports } from '../contracts/ports.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { Terminal } from '../contracts/terminal.ts';
import type { ChatFlags } from '../faces/cli/verbs.ts';
import type { Childhood } from './childhood.ts';
import type { Config, Env } from './config.ts';
import type { Connection } from './models.ts';
import { openEngine } from './context.ts';
import { openMemoryProvider } from './memory-provider.ts';
import { openPrompt } from './prompt.ts';
import { openSafety } from './safety.ts';
import { openSidePorts } from './side-ports.ts';
import type { Mcp } from '../parts/mcp/open.ts';
import { openSkills } from './skills.ts';
import { openSpawn } from './spawn.ts';
import { openSummarisers } from './summarisers.ts';
import { openToolkit } from './toolkit.ts';

/** An agent and where its model calls go. */
export type RoutedAgent = Agent & { readonly runtime: Runtime };

/** What an agent is made from: the opened home, and what this run asks of it. */
export interface Assembly {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly store: SessionStore;
  readonly secrets: Secrets;
  readonly connection: Connection;
  /** Keeps secrets out of what goes to any other model of this run. */
  readonly guard?: (connection: Connection) => Connection;
  readonly runtime: Runtime;
  readonly flags: Pick<ChatFlags, 'toolsets' | 'yolo' | 'maxTurns' | 'ignoreRules'>;
  readonly cwd: string;
  /** The prompt of a resumed session. */
  readonly kept: PromptEpoch | undefined;
  readonly ports: Ports;
  /** Where the session is held; the command line when left out. */
  readonly platform?: string;
  /** What plugins hung around tool calls; children have them too. */
  readonly hooks?: ToolHooks;
  /** The tools of the owner's servers; children share them. */
  readonly mcp?: Mcp;
  /** Set for an agent that works for another. */
  readonly child?: Childhood;
  /** What its family has set aside; an agent of its own has a new one. */
  readonly purse?: Purse;
}

export interface Assembled {
  readonly agent: RoutedAgent;
  readonly terminal: Terminal;
}

/** Joins the parts to an agent. The terminal is the caller's to close. */
export async function assemble(parts: Assembly): Promise<Assembled> {
  const { store, connection, runtime, flags, config, purse = openPurse() } = parts;
  const recall = (sessionId: string) => toolResults(store, sessionId);
  const provider = openMemoryProvider(parts);
  const shared = {
    safety: openSafety(parts.home),
    skills: openSkills(parts.home, config, parts.env),
    ...(provider !== undefined && { provider }),
  };
  const engine = await openEngine({
    home: parts.home,
    config,
    entries: async (sessionId) => visibleEntries(await store.entries(sessionId)),
  });
  const spawn = (tools: readonly string[], kind: string) => openSpawn({ ...parts, purse }, { tools, kind }, assemble);
  const side = sideCalls();
  const ports = { ...parts.ports, ...openSidePorts(parts, side) };
  const { toolkit, terminal } = await openToolkit({
    ...parts,
    ...shared,
    ports,
    engine,
    post: (item) => store.post(item),
    recall,
    spawn,
    window: runtime.limits.window,
  });
  const deps = {
    ...connection,
    toolkit,
    side,
    purse,
    settings: flags.maxTurns === undefined ? config.settings : { ...config.settings, 'agent.max_turns': flags.maxTurns },
    prompt: openPrompt({ ...parts, ...shared }),
    contextFiles: flags.ignoreRules !== true,
    context: engine,
    summarisers: await openSummarisers(parts),
    recoveries: RECOVERIES,
    clock: systemClock,
    random: Math.random,
  };
  return { agent: { ...createAgent(store, deps, runtime), runtime }, terminal };
}

/** What tools answered in a session so far, for tools whose state is in the log. */
const toolResults = async (store: SessionStore, sessionId: string): Promise<ToolMessage[]> =>
  visibleEntries(await store.entries(sessionId))
    .filter(isMessage)
    .flatMap(({ message }) => (message.role === 'tool' ? [message] : []));
