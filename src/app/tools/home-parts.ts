import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { MemoryProvider } from '../../contracts/memory.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { SkillCatalog } from '../../contracts/skills.ts';
import { openMemoryProvider } from '../../parts/memory/open-provider.ts';
import { openSafety, type Safety } from '../../parts/safety/scan/open.ts';
import { openSkills } from '../../parts/skills/open.ts';
import { NO_STORE } from '../../parts/store/no-store.ts';
import type { Config } from '../config.ts';

/** What is read from one home and shared by all sessions of it. Everything in it is opened when it is first needed. */
export interface HomeParts {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  /** Tells the owner something that belongs to no session. */
  readonly notice: (words: string) => void;
  readonly safety: Safety;
  readonly skills: SkillCatalog;
  /** The log of earlier sessions; refuses where no store is open. */
  readonly log: Pick<SessionStore, 'search' | 'entries' | 'list' | 'find'>;
  /** Leaves a text for a session; absent where no store is open. */
  readonly post?: SessionStore['post'];
  /** The external memory, when one is named and there. */
  readonly memory?: MemoryProvider;
  /** What must not reach the model; absent where nothing runs. */
  readonly secrets?: Secrets;
}

export interface HomePartsOptions extends Pick<HomeParts, 'home' | 'env' | 'config' | 'notice' | 'secrets'> {
  readonly store?: SessionStore;
}

export function openHomeParts({ store, secrets, ...given }: HomePartsOptions): HomeParts {
  const { home, env, config, notice } = given;
  const log = store ?? NO_STORE;
  const memory = openMemoryProvider(config.settings['memory.provider'], log, notice);
  return {
    ...given,
    log,
    safety: openSafety(home, notice),
    skills: openSkills(home, config, env),
    ...(store !== undefined && { post: (item) => store.post(item) }),
    ...(memory !== undefined && { memory }),
    ...(secrets !== undefined && { secrets }),
  };
}
