import type { Home } from '../base/home.ts';
import type { MemoryProvider } from '../contracts/memory.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { SkillCatalog, SkillScene } from '../contracts/skills.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { memoryTool } from '../parts/memory/tool.ts';
import { skillManageTool } from '../parts/skills/tools/skill-manage.ts';
import { skillViewTool } from '../parts/skills/tools/skill-view.ts';
import { skillsListTool } from '../parts/skills/tools/skills-list.ts';
import { replaceIn } from '../parts/tools/builtin/patch/replace.ts';
import { sessionSearchTool } from '../parts/tools/builtin/session-search/tool.ts';
import type { Config, Env } from './config.ts';
import { NO_STORE } from './no-store.ts';
import { openSafety, scanning, type Safety } from './safety.ts';
import type { Settings } from './settings.ts';
import { openSkills, userSkills } from './skills.ts';

/** What the tools need that outlast a session: memory, skills and the log of earlier ones. */
export interface LastingPlaces {
  readonly home: Home;
  readonly env: Env;
  readonly safety: Safety;
  readonly skills: SkillCatalog;
  /** What decides which skills are shown; known once the toolkit stands. */
  readonly scene: () => SkillScene;
  readonly store: Pick<SessionStore, 'search' | 'entries' | 'list' | 'find'>;
  /** Told of every change of the built-in memory. */
  readonly provider?: MemoryProvider;
}

interface Opened extends Partial<Pick<LastingPlaces, 'safety' | 'skills' | 'store' | 'scene' | 'provider'>> {
  readonly home: Home;
  readonly config: Config;
  readonly env: Env;
}
/** What is not opened yet is opened here, when it is needed. */
export const lastingPlaces = ({ home, config, env, safety, skills, store, scene, provider }: Opened): LastingPlaces => ({
  home,
  env,
  safety: safety ?? openSafety(home),
  skills: skills ?? openSkills(home, config, env),
  store: store ?? NO_STORE,
  scene: scene ?? (() => ({ tools: [], toolsets: [], platform: 'cli' })),
  ...(provider !== undefined && { provider }),
});

export function lastingTools(settings: Settings, { home, env, safety, skills, scene, store, provider }: LastingPlaces): readonly AnyTool[] {
  const catalog = skills;
  const userDir = userSkills(home);
  return [
    scanning(safety, ({ scan, admit }) =>
      memoryTool({ home: home.root, settings, scan, admit, wrote: (operation, target) => provider?.wrote?.(operation, target) }),
    ),
    sessionSearchTool({ store }),
    scanning(safety, ({ admit }) => skillsListTool({ catalog, scene, admit })),
    scanning(safety, ({ admit }) =>
      skillViewTool({ catalog, scene, admit, setup: { home: home.root, isSet: (name) => (env[name] ?? '') !== '' } }),
    ),
    scanning(safety, ({ scan }) => skillManageTool({ userDir, catalog, scan, replaceIn: replaced })),
  ];
}

/** The edits of a skill's page are found as those of any file are. */
function replaced(text: string, old: string, fresh: string, all: boolean) {
  const result = replaceIn(text, { old, new: fresh }, { all });
  return result.ok ? { ok: true as const, text: result.text } : { ok: false as const, words: result.why };
}
