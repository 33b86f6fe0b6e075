import type { BudgetReservations } from '../../agent/budget-reservations.ts';
import type { SessionStops } from '../../agent/inbox.ts';
import type { Json } from '../../base/json-types.ts';
import type { MemoryPerson, PlanAnswer } from '../../contracts/host.ts';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { SpendingAllowance } from '../../contracts/ledger.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { ProcessStore } from '../../contracts/process-store.ts';
import type { Session } from '../../contracts/session.ts';
import type { QuestionStore } from '../../contracts/question-store.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { JobService } from '../../contracts/services/jobs.ts';
import type { SkillCatalog } from '../../contracts/skills.ts';
import { collectHooks } from '../../parts/hooks/collect.ts';
import type { HostMemory } from '../../parts/memory/host-memory.ts';
import { openSafety, type Safety } from '../../parts/safety/scan/open.ts';
import { openSkills } from '../../parts/skills/open.ts';
import { NO_STORE } from '../../parts/store/no-store.ts';
import type { ChildLimits } from '../../parts/tools/child-limits.ts';
import type { Ports, ReadSecret } from '../../contracts/ports.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Hooks, TellHooks } from '../../contracts/hooks.ts';
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
  /** What plugins and the owner's programs hung around sessions, turns and calls; children have them too. Absent when there is nothing. */
  readonly hooks?: Hooks;
  /** Tells those who look on of something that no commit tells of; absent where nobody can look on. */
  readonly tellHooks?: TellHooks;
  /** The external memory of the host, when one is named. */
  readonly memory?: HostMemory;
  /** What must not reach the model; absent where nothing runs. */
  readonly secrets?: Secrets;
}

export interface HomePartsOptions extends Pick<HomeParts, 'home' | 'env' | 'config' | 'notice' | 'secrets' | 'tellHooks' | 'memory'> {
  readonly store?: SessionStore;
  /** What we bring along and nothing else when left out. */
  readonly registered?: RegistrySnapshot;
}

export function openHomeParts({
  store,
  secrets,
  memory,
  registered = snapshotRegistries(createRegistries()),
  ...given
}: HomePartsOptions): HomeParts {
  const { home, env, config, notice } = given;
  const log = store ?? NO_STORE;
  const hooks = collectHooks(registered.hooks);
  return {
    ...given,
    registered,
    log,
    safety: openSafety(home, notice),
    skills: openSkills(home, withSkillFolders(config, registered), env),
    ...(store !== undefined && { post: (item) => store.post(item), questions: store.questions, processes: store.processes }),
    ...(hooks !== undefined && { hooks }),
    ...(memory !== undefined && { memory }),
    ...(secrets !== undefined && { secrets }),
  };
}

/** Folders that were added count as those the owner named. */
const withSkillFolders = ({ settings }: Config, { skillFolders }: RegistrySnapshot): Pick<Config, 'settings'> =>
  skillFolders.size === 0
    ? { settings }
    : { settings: { ...settings, 'skills.external_dirs': [...settings['skills.external_dirs'], ...skillFolders.values()] } };

/** What a session was asked to be, with every default filled in. */
export interface SessionPlan {
  readonly platform: string;
  /** The folder it works in. */
  readonly cwd: string;
  readonly sessionId: string;
  /** Sessions of one task share a container. */
  readonly terminalTask: string;
  /** Files that others sent to it. */
  readonly received?: string;
  /** The prompt of a session that goes on. */
  readonly epoch: PromptEpoch | undefined;
  readonly toolsets?: readonly string[];
  readonly maxSteps?: number;
  readonly contextFiles: boolean;
  /** No section of the system prompt but the caller's own. */
  readonly prompt?: false;
  readonly sampling?: Sampling;
  /** The model hears nothing of ours. */
  readonly unaided?: true;
  /** Who allowed everything above the floor in advance, at this moment. */
  readonly allowAll?: string | undefined;
  /** Folders that are trusted for this session, besides those of the owner's list. */
  readonly trusts?: readonly string[];
  readonly ports: Ports;
  /** How its face reads a secret. */
  readonly readSecret?: ReadSecret;
  readonly systemMessage?: string;
  readonly planAnswer?: PlanAnswer;
  readonly maxCrashes?: number;
  readonly holdsOutages?: true;
  readonly allowance?: SpendingAllowance;
  readonly replyTo?: Json;
  /** Absent: what is remembered stands in the prompt. */
  readonly memory?: false;
  /** Who is spoken with, where; absent for the owner in front of it. */
  readonly person?: MemoryPerson;
  /** Others than the owner ask for commands and read what they tell. */
  readonly forGuests?: true;
  /** The session it was made from, or works for. */
  readonly parent?: Session['parent'];
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
  /** What sessions that share an allowance have set aside of it. */
  readonly allowances: BudgetReservations;
  /** The lines to providers. */
  readonly transport: Transport;
  /** Keeps secrets out of what goes to any model. */
  readonly guard: (connection: ModelConnection) => ModelConnection;
  /** Scheduled jobs of the home, for the tool; absent where the program has none. */
  readonly openJobs?: () => Promise<JobService>;
}
