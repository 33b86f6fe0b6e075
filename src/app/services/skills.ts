import { resolveHome } from '../../base/home.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ScanText } from '../../contracts/scan.ts';
import type { SkillService } from '../../contracts/services/skills.ts';
import type { SkillContext } from '../../contracts/skills.ts';
import { createAllowList } from '../../parts/safety/scan/allow-list.ts';
import { checkSkills } from '../../parts/skills/check.ts';
import { toSystemName } from '../../parts/skills/catalog/conditions.ts';
import { installSkills, removeSkill } from '../../parts/skills/install/install.ts';
import { parsePlatformDisabled } from '../../parts/skills/settings.ts';
import { openFile } from '../../parts/skills/view/open.ts';
import { openForOwner, surveyForOwner } from '../../parts/skills/survey-for-owner.ts';
import { loadConfig } from '../config/config.ts';
import { previewSession } from '../host/preview.ts';
import { allowListPath, openSafety } from '../../parts/safety/scan/open.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { openSkills, resolveUserSkillsDir } from '../../parts/skills/open.ts';
import { makeHome } from '../host/store.ts';

export async function createSkillService(options: ServiceOptions): Promise<SkillService> {
  const here = await open(options);
  const { catalog, userDir, reading, scan } = here;
  const tell = (skill: string, action: 'installed' | 'deleted'): void =>
    options.tellHooks?.({ name: 'on_skill_lifecycle', input: { by: 'owner', skill, action } });
  return {
    survey: async () => surveyForOwner({ catalog, userDir, context: await contextOf(here), standing: standingOf(here) }),
    view: async (name) => {
      const found = await openForOwner(name, catalog, reading);
      return found.ok ? { ok: true, value: found.opened } : found;
    },
    file: async (name, path) => {
      const found = await openForOwner(name, catalog, reading);
      const read = found.ok ? openFile(found.opened.skill, path, reading.admit) : found;
      return read.ok ? { ok: true, value: read.opened.text } : read;
    },
    install: async (source, wanted) => {
      const rows = await installSkills(source, { catalog, userDir, scan, ...wanted });
      for (const row of rows) if (row.did === 'installed') tell(row.plan.name, 'installed');
      return rows;
    },
    remove: async (name) => {
      const removed = await removeSkill(name, { userDir, catalog });
      if (removed.ok) tell(name, 'deleted');
      return removed.ok ? { ok: true, value: removed.trash } : removed;
    },
    check: () => checkSkills({ catalog, userDir, scan: unlessAllowed(here), setup: reading.setup, cwd: process.cwd() }),
  };
}

type OpenedSkills = Awaited<ReturnType<typeof open>>;

async function open({ processEnv, notice, registered }: ServiceOptions) {
  const home = resolveHome(processEnv);
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  const config = await loadConfig(home.config, env, notice, registered);
  const safety = openSafety(home, notice);
  const setup = { home: home.root, isSet: (name: string) => (env[name] ?? '') !== '' };
  const reading = { admit: await safety.admit(), setup };
  return {
    home,
    env,
    config,
    notice,
    registered,
    catalog: openSkills(home, config, env),
    userDir: resolveUserSkillsDir(home),
    scan: await safety.scan(),
    reading,
  };
}

const standingOf = ({ config: { settings } }: OpenedSkills) => ({
  os: toSystemName(process.platform),
  disabled: settings['skills.disabled'],
  platformDisabled: parsePlatformDisabled(settings['skills.platform_disabled']),
});

/** What skills may know of a plain terminal session here: the tools it can really call. */
async function contextOf({ home, env, config, notice, registered }: OpenedSkills): Promise<SkillContext> {
  const { callable } = await previewSession({ home, env, config, notice, registered, cwd: process.cwd(), contextFiles: false });
  return { ...callable, platform: 'cli' };
}

function unlessAllowed({ home, scan }: OpenedSkills): ScanText {
  const allowed = createAllowList(allowListPath(home));
  return (text, kind) => (allowed.has(sha256(text)) ? [] : scan(text, kind));
}
