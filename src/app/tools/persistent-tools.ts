import { describeMemoryWrite, type HookSession } from '../../contracts/hook-inputs.ts';
import type { SkillContext } from '../../contracts/skills.ts';
import type { AnyTool } from '../../contracts/tool.ts';
import { memoryTool } from '../../parts/memory/tool.ts';
import type { LoadedSafety } from '../../parts/safety/scan/open.ts';
import { resolveUserSkillsDir } from '../../parts/skills/open.ts';
import { skillManageTool } from '../../parts/skills/tools/skill-manage.ts';
import { skillViewTool } from '../../parts/skills/tools/skill-view.ts';
import { skillsListTool } from '../../parts/skills/tools/skills-list.ts';
import { replaceIn } from '../../parts/tools/builtin/patch/replace.ts';
import { sessionSearchTool } from '../../parts/tools/builtin/session-search/tool.ts';
import { lazyTool } from '../../parts/tools/lazy-tool.ts';
import type { HomeParts } from './home-parts.ts';

/** Tools for what outlasts a session: memory, skills and the log of earlier ones. `skillContext` decides which skills are shown. */
export function createPersistentTools(
  { home, env, config, safety, skills: catalog, log, memory, tellHooks }: HomeParts,
  skillContext: () => SkillContext,
  session?: Pick<HookSession, 'sessionId' | 'platform'>,
): AnyTool[] {
  // The scanner comes with the first call of a tool that scans what it is given.
  const scanning = (make: (loaded: LoadedSafety) => AnyTool): AnyTool =>
    lazyTool(async () => ({ scan: await safety.scan(), admit: await safety.admit() }), make);
  return [
    scanning(({ scan, admit }) =>
      memoryTool({
        home: home.root,
        settings: config.settings,
        asksFirst: config.settings['memory.write_approval'],
        scan,
        admit,
        wrote: (operation, target) => {
          tellHooks?.({ name: 'memory_write', input: describeMemoryWrite(operation, target, 'agent', session) });
          memory?.wrote();
        },
      }),
    ),
    sessionSearchTool({ store: log }),
    scanning(({ admit }) => skillsListTool({ catalog, skillContext, admit })),
    scanning(({ admit }) =>
      skillViewTool({ catalog, skillContext, admit, setup: { home: home.root, isSet: (name) => (env[name] ?? '') !== '' } }),
    ),
    scanning(({ scan }) =>
      skillManageTool({
        userDir: resolveUserSkillsDir(home),
        catalog,
        scan,
        replaceIn: replaced,
        changed: (skill, action) => tellHooks?.({ name: 'on_skill_lifecycle', input: { ...session, by: 'agent', skill, action } }),
      }),
    ),
  ];
}

/** The edits of a skill's page are found as those of any file are. */
function replaced(text: string, old: string, fresh: string, all: boolean) {
  const result = replaceIn(text, { old, new: fresh }, { all });
  return result.ok ? { ok: true as const, text: result.text } : { ok: false as const, words: result.why };
}
