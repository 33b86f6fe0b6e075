import type { Env } from '../../base/env.ts';
import { lazy } from '../../base/lazy.ts';
import { resolveHome } from '../../base/home.ts';
import type { WriteLog } from '../../faces/gateway/contract.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { createInvocableFinder, expandInvocation } from '../../parts/skills/invoke.ts';
import { openSkills } from '../../parts/skills/open.ts';
import type { Settings } from '../config/config.ts';
import type { MessageReaderDeps } from '../../faces/gateway/receive/read-message.ts';

export interface SkillReaderDeps {
  readonly root: string;
  readonly settings: Settings;
  readonly env: Env;
  readonly log: WriteLog;
}

/** Skills that a task is to follow, as if the owner had called each by its name. One that cannot be used is told and left out. */
export function createSkillReader({ root, settings, env, log }: SkillReaderDeps): MessageReaderDeps['readSkills'] {
  const home = resolveHome({ HERMES_HOME: root });
  const find = lazy(async () => {
    const reading = {
      admit: await openSafety(home, log).admit(),
      setup: { home: root, isSet: (name: string) => (env[name] ?? '') !== '' },
    };
    return createInvocableFinder(openSkills(home, { settings }, env), reading, '');
  });
  return async (names) => {
    const called = await Promise.all(names.map(async (name) => ({ name, found: await expandInvocation(`/${name}`, await find()) })));
    return called.flatMap(({ name, found }) => {
      if (found?.ok === true) return found.content.slice(1);
      log(`The skill ${name}, which a webhook is to follow, cannot be used: ${found?.words ?? 'there is none of this name'}`);
      return [];
    });
  };
}
