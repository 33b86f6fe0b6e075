import type { SessionStops } from '../../agent/inbox.ts';
import type { Json } from '../../base/json-types.ts';
import type { PlanAnswer } from '../../contracts/host.ts';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { MemoryProvider } from '../../contracts/memory.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { ProcessStore } from '../../contracts/process-store.ts';
import type { QuestionStore } from '../../contracts/question-store.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { SkillCatalog } from '../../contracts/skills.ts';
import { openMemoryProvider } from '../../parts/memory/open-provider.ts';
import { openSafety, type Safety } from '../../parts/safety/scan/open.ts';
import { openSkills } from '../../parts/skills/open.ts';
import { NO_STORE } from '../../parts/store/no-store.ts';
import type { ChildLimits } from '../../parts/tools/child-limits.ts';
import type { Ports, ReadSecret } from '../../contracts/ports.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { ToolHooks } from '../../contracts/hooks.ts';
import type { Sampling, Transport } from '../../contracts/provider.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { KeptShell } from '../../parts/terminals/shell/kept-shell.ts';
import type { ModelConnection } from '../../parts/providers/connect.ts';
import type { Config } from '../config/config.ts';
import { createRegistries, snapshotRegistries } from './registries.ts';

/** What is read from one home and shared by all sessions of it. Everything in it is opened when it is first needed. */
export interface HomeParts {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  /** What the host's registries held when these were opened. */
  readonly registered: RegistrySnapshot;
  /** Tells the owner something that belongs to no session. */
  readonly notice: (words: string) => void;
  readonly safety: Safety;
  readonly skills: SkillCatalog;
  /** The log of earlier sessions; refuses where no store is open. */
  readonly log: Pick<SessionStore, 'search' | 'entries' | 'list' | 'find' | 'fact'>;
  /** Leaves a text for a session; absent where no store is open. */
  readonly post?: SessionStore['post'];
  /** Keeps questions to the owner; absent where no store is open. */
  readonly questions?: QuestionStore;
  /** Keeps background processes; absent where no store is open. */
  readonly processes?: ProcessStore;
  /** The external memory, when one is named and there. */
  readonly memory?: MemoryProvider;
  /** What must not reach the model; absent where nothing runs. */
  readonly secrets?: Secrets;
}

export interface HomePartsOptions extends Pick<HomeParts, 'home' | 'env' | 'config' | 'notice' | 'secrets'> {
  readonly store?: SessionStore;
  /** What we bring along and nothing else when left out. */
  readonly registered?: RegistrySnapshot;
}

export function openHomeParts({
  store,
  secrets,
  registered = snapshotRegistries(createRegistries()),
  ...given
}: HomePartsOptions): HomeParts {
  const { home, env, config, notice } = given;
  const log = store ?? NO_STORE;
  const memory = openMemoryProvider(config.settings['memory.provider'], registered.memoryProviders, log, notice);
  return {
    ...given,
    registered,
    log,
    safety: openSafety(home, notice),
    skills: openSkills(home, config, env),
    ...(store !== undefined && { post: (item) => store.post(item), questions: store.questions, processes: store.processes }),
    ...(memory !== undefined && { memory }),
    ...(secrets !== undefined && { secrets }),
  };
}

/** What a session was asked to be, with every default filled in. */
export interface SessionPlan {
  readonly platform: string;
  /** The folder it works in. */
  readonly cwd: string;
  readonly sessionId: string;
  /** Sessions of one task share a container. */
  readonly terminalTask: string;
  /** The prompt of a session that goes on. */
  readonly epoch: PromptEpoch | undefined;
  readonly toolsets?: readonly string[];
  readonly maxSteps?: number;
  readonly contextFiles: boolean;
  /** No section of the system prompt but the caller's own. */
  readonly prompt?: false;
  readonly sampling?: Sampling;
  /** Who allowed everything above the floor in advance, at this moment. */
  readonly allowAll?: string | undefined;
  readonly ports: Ports;
  /** How its face reads a secret. */
  readonly readSecret?: ReadSecret;
  readonly systemMessage?: string;
  readonly planAnswer?: PlanAnswer;
  readonly maxCrashes?: number;
  readonly replyTo?: Json;
  /** Absent: what is remembered stands in the prompt. */
  readonly memory?: false;
  /** What its shell held when its terminal was last closed; absent for one that is opened once. */
  readonly shell?: KeptShell;
  /** Set for an agent that works for another. */
  readonly child?: ChildLimits;
  /** Tells the owner something that belongs to this session. */
  readonly notice: (words: string) => void;
}

/** Where model calls of a session go. */
export interface ModelRoute {
  readonly runtime: Runtime;
  readonly connection: ModelConnection;
}

/** What all sessions of a host share. */
export interface SharedParts extends HomeParts {
  readonly store: SessionStore;
  /** How messages stop what runs in sessions of this host. */
  readonly stops: SessionStops;
  /** The lines to providers. */
  readonly transport: Transport;
  /** Keeps secrets out of what goes to any model. */
  readonly guard: (connection: ModelConnection) => ModelConnection;
  /** What plugins hung around tool calls; children have them too. */
  readonly hooks?: ToolHooks;
}
