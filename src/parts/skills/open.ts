import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../base/home.ts';
import { findPackageRoot } from '../../base/install-line.ts';
import type { SkillCatalog } from '../../contracts/skills.ts';
import type { Env } from '../../base/env.ts';
import type { ConfigOf, SliceValues } from '../../contracts/settings.ts';
import { resolveRoots } from './catalog/roots.ts';
import type { skillSettings } from './settings.ts';

/** The skills that come with hermes. */
function bundledSkills(): string | undefined {
  const path = join(findPackageRoot(), 'skills');
  return existsSync(join(path, 'productivity')) ? path : undefined;
}

export const resolveUserSkillsDir = (home: Home): string => join(home.root, 'skills');

type SkillConfig = Pick<ConfigOf<SliceValues<typeof skillSettings>>, 'settings'>;

/**
 * The catalog of this run, opened when it is first asked for: a resumed session may never need it. It keeps what it has read
 * in a file of the home, unless it is to leave no trace.
 */
export function openSkills(
  home: Home,
  config: SkillConfig,
  env: Env,
  { traceless = false }: { readonly traceless?: boolean } = {},
): SkillCatalog {
  let opened: Promise<SkillCatalog> | undefined;
  const catalog = () => (opened ??= open(home, config, env, traceless));
  return {
    all: async () => (await catalog()).all(),
    shown: async (context) => (await catalog()).shown(context),
    find: async (name) => (await catalog()).find(name),
  };
}

/** Every folder skills are read from: the user's, ours, and those the owner named. */
export const listSkillFolders = (home: Home, { settings }: SkillConfig, env: Env): readonly string[] =>
  resolveRoots({
    userDir: resolveUserSkillsDir(home),
    bundledDir: bundledSkills(),
    externalDirs: settings['skills.external_dirs'],
    env,
  }).roots.map(({ path }) => path);

async function open(home: Home, { settings }: SkillConfig, env: Env, traceless: boolean): Promise<SkillCatalog> {
  const { createSkillCatalog, parsePlatformDisabled } = await import('./shelf.ts');
  return createSkillCatalog({
    userDir: resolveUserSkillsDir(home),
    bundledDir: bundledSkills(),
    externalDirs: settings['skills.external_dirs'],
    snapshotFile: traceless ? undefined : join(home.root, '.skills_prompt_snapshot.json'),
    disabled: settings['skills.disabled'],
    platformDisabled: parsePlatformDisabled(settings['skills.platform_disabled']),
    env,
  });
}
