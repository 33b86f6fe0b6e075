import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { isUsageError } from '../../base/errors.ts';
import type { Home } from '../../base/home.ts';
import { formatWhole } from '../../base/screen/figures.ts';
import { isSecretName } from '../../base/secret-names.ts';
import type { ScanText } from '../../contracts/scan.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { readConfigText, readIfThere } from '../../parts/config/config.ts';
import { withVariable } from '../../parts/config/env-file.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readValue } from '../../parts/config/read-value.ts';
import { listDeclaredSettings } from '../../parts/config/setting-rows.ts';
import { writeWhole } from '../../parts/config/write-whole.ts';
import { changeMemory } from '../../parts/memory/change-memory.ts';
import { previewAdditions } from '../../parts/memory/preview-additions.ts';
import { parseEntries } from '../../parts/memory/entries.ts';
import { resolveLimitSetting, resolveMemoryFolder, resolveStoreFileName, type MemoryPlace } from '../../parts/memory/stores.ts';
import { listSkillFolders } from '../../parts/migrate/foreign/files.ts';
import type {
  ConfigTarget,
  JobTarget,
  MemoryTargetPort,
  MigrationTarget,
  SkillTarget,
  VariableTarget,
} from '../../parts/migrate/take/target.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { inspect } from '../../parts/skills/install/inspect.ts';
import { installSkills, previewInstall } from '../../parts/skills/install/install.ts';
import { openSkills, resolveUserSkillsDir } from '../../parts/skills/open.ts';
import { collectSettingFields, FIELDS, readConfig, toAppConfig } from '../config/config.ts';
import { loadSharedSecrets } from '../host/redaction.ts';

/** Our home as it is. Nothing of it is made or changed by looking: a home that is not there yet stays so. */
export async function createMigrationTarget(
  options: ServiceOptions,
  home: Home,
  given: Pick<MigrationTarget, 'shared' | 'store' | 'known'>,
): Promise<MigrationTarget> {
  const scan = await openSafety(home, options.notice).scan();
  return {
    ...given,
    root: home.root,
    scan,
    config: await createConfigTarget(options, home),
    variables: createVariableTarget(options, home),
    memory: createMemoryTarget(options, home),
    skills: createSkillTarget(options, home, scan),
    jobs: createJobTarget(options, home, scan, given),
  };
}

function createJobTarget(
  { processEnv, registered }: ServiceOptions,
  home: Home,
  scan: ScanText,
  { store, known }: Pick<MigrationTarget, 'store' | 'known'>,
): JobTarget {
  return {
    isKnown: async ({ name, request }) =>
      ((await known?.jobs.find(name)) ?? []).some(({ definition }) => definition.name === name && definition.prompt === request.prompt),
    add: async ({ request, chat }) => {
      const [{ createHomeJobs }, { readHomeAccounts }] = await Promise.all([import('../cron/open.ts'), import('../gateway/platforms.ts')]);
      const env = mergeEnvironment(home.env, processEnv);
      // With the settings of this moment: they may have been taken over just now.
      const { settings } = toAppConfig(await readConfig(home.config, env, registered));
      const jobs = createHomeJobs({
        store: await store(),
        root: home.root,
        settings,
        registered,
        readAccounts: () => readHomeAccounts(settings, env),
        scan: async () => scan,
        openRunner: () => Promise.reject(new Error('nothing is run while jobs are taken over')),
      });
      try {
        await jobs.add({ ...request, isPaused: true }, { by: 'program', ...(chat !== undefined && { chat }) });
        return undefined;
      } catch (error) {
        if (isUsageError(error)) return error.message;
        throw error;
      }
    },
  };
}

async function createConfigTarget({ registered }: ServiceOptions, home: Home): Promise<ConfigTarget> {
  const fields = collectSettingFields(registered);
  const [{ withSetting }, { withoutSetting }] = await Promise.all([
    import('../../parts/config/yaml-edit.ts'),
    import('../../parts/config/yaml-remove.ts'),
  ]);
  const text = readIfThere(home.config);
  return {
    path: relative(home.root, home.config),
    ...(text !== undefined && { text }),
    read: async (file) => {
      // Without an environment: what names a variable still names it afterwards.
      const { placed, problems, warnings } = await readConfigText(fields, file, {});
      return {
        values: new Map([...placed].map(([key, { value }]) => [key, value])),
        problems: problems.map(({ key, words, cure }) => ({ key, words: `${words}. ${cure}` })),
        ignored: warnings.filter(({ ignored }) => ignored === true).length,
      };
    },
    refuse: (key, value) => {
      const field = fields.get(key);
      if (field === undefined) return `there is no setting ${key}`;
      const read = readValue(field, value);
      return read.ok ? undefined : `${key} ${read.words}`;
    },
    withSetting,
    withoutSetting: (file, key) => withoutSetting(file, key) ?? file,
    write: (next) => writeWhole(home.config, next),
  };
}

function createVariableTarget({ processEnv, registered }: ServiceOptions, home: Home): VariableTarget {
  const settings = listDeclaredSettings(collectSettingFields(registered));
  return {
    path: relative(home.root, home.env),
    values: new Map(Object.entries(parseEnv(readIfThere(home.env) ?? '')).map(([name, value]) => [name, value ?? ''])),
    refuse: (name, value) => {
      const setting = settings.find(({ env }) => env === name);
      const read = setting === undefined ? undefined : readValue(setting.field, value);
      return read?.ok === false ? `it names the setting ${setting?.key ?? ''}, which ${read.words}` : undefined;
    },
    add: (name, value) => {
      writeWhole(home.env, withVariable(readIfThere(home.env) ?? '', name, value), 0o600);
      // Sessions that are taken after it must not hold it.
      if (isSecretName(name)) loadSharedSecrets(processEnv).learn(name, value);
    },
  };
}

function createMemoryTarget({ notice, registered }: ServiceOptions, home: Home): MemoryTargetPort {
  const safety = openSafety(home, notice);
  /** With the settings of this moment: they may have been taken over just now. */
  const readPlace = async (): Promise<Omit<MemoryPlace, 'scan' | 'admit'>> => ({
    home: home.root,
    settings: toAppConfig(await readConfig(home.config, {}, registered)).settings,
  });
  const pathOf = (target: 'memory' | 'user') => join(resolveMemoryFolder(home.root), resolveStoreFileName(target));
  return {
    pathOf: (target) => relative(home.root, pathOf(target)),
    preview: async (target, entries, config) => {
      const setting = resolveLimitSetting(target);
      const { placed } = await readConfigText(collectSettingFields(registered), config, {});
      const limit = Number(placed.get(setting)?.value ?? FIELDS.get(setting)?.default);
      const ours = parseEntries(readIfThere(pathOf(target)) ?? '');
      const noRoom = {
        state: 'left',
        why: `there is no room: ${setting} is ${formatWhole(limit)} characters. Raise it and run this again`,
      } as const;
      return previewAdditions(ours, entries, limit).map((preview) => {
        if (preview.did === 'refused') return { state: 'left', why: preview.words.split('\n')[0] ?? '' };
        return preview.did === 'no_room' ? noRoom : { state: preview.did === 'added' ? 'take' : 'present' };
      });
    },
    add: async (target, content) => {
      const place = { ...(await readPlace()), scan: await safety.scan(), admit: await safety.admit() };
      const result = await changeMemory(place, target, [{ action: 'add', content }], {});
      return result.ok ? undefined : (result.words.split('\n')[0] ?? '');
    },
  };
}

function createSkillTarget({ processEnv, registered }: ServiceOptions, home: Home, scan: ScanText): SkillTarget {
  const userDir = resolveUserSkillsDir(home);
  const readOptions = async (category: string | undefined) => {
    const config = toAppConfig(await readConfig(home.config, {}, registered));
    const catalog = openSkills(home, config, mergeEnvironment(home.env, processEnv), { traceless: true });
    // What the owner kept there is the owner's: a minor finding is told and does not keep it out.
    return { catalog, userDir, scan, cwd: home.root, force: true, category: category?.split('/')[0] };
  };
  return {
    inspect: (folder) =>
      inspect(folder, scan).findings.map(({ file, line, threat, excerpt }) => `${file} line ${line}: ${threat} (${excerpt})`),
    preview: async ({ folder, category, name }) => {
      if (listSkillFolders(userDir, SKILL_LEVELS).some((path) => path.at(-1) === name)) return { state: 'present' };
      if (inspect(folder, scan).findings.some(({ severe }) => severe))
        return { state: 'left', why: 'the scan found something severe in it' };
      const plan = await previewInstall(folder, await readOptions(category));
      if (typeof plan === 'string') return { state: 'left', why: plan };
      return { state: plan.replaces === undefined ? 'take' : 'present' };
    },
    install: async ({ folder, category, name }) => {
      const [row] = await installSkills(folder, { ...(await readOptions(category)), confirm: async () => true });
      return row?.did === 'installed' ? undefined : (row?.words ?? `${name} could not be read`);
    },
  };
}

/** Category, subcategory, skill. */
const SKILL_LEVELS = 3;
