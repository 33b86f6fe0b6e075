import { join } from 'node:path';
import { breathe } from '../base/breathe.ts';
import { toErrorMessage } from '../base/errors.ts';
import type { ModelSelection } from '../contracts/host.ts';
import type { ServiceOptions } from '../contracts/services/services.ts';
import type { Session } from '../contracts/session-store.ts';
import type { FaceBackend, StartFacts } from '../faces/tui/face/deps.ts';
import { resolveRoute } from '../parts/providers/connect.ts';
import { CACHE_SEEN_MS, describeCaching } from '../parts/providers/caching.ts';
import type { AppHost } from './host/host.ts';
import { createAttachmentSource } from './host/attachments.ts';
import { createOfferedModels } from '../parts/providers/offered-models.ts';
import { openBackground, withCommands } from './open-host.ts';
import { snapshotRegistries } from './tools/registries.ts';

/** What stands behind the terminal UI, on a host that is open. */
export function createFaceBackend(opened: AppHost): FaceBackend {
  const background = openBackground(opened);
  const host = withCommands(opened, background);
  return {
    host,
    settings: opened.config.settings,
    isReady: async () => (await import('./services/models.ts')).isModelReady({ ...opened.env, HERMES_HOME: opened.home.root }),
    readSkin: (name) => readSkin(join(opened.home.root, 'skins', `${name}.yaml`)),
    listSkins: () => listSkins(join(opened.home.root, 'skins')),
    countBackground: async (sessionId) => {
      const { createProcessService } = await import('./services/processes.ts');
      const all = await (await createProcessService(createServiceOptions(opened), async () => opened.store)).list();
      const processes = all.filter((one) => one.sessionId === sessionId && one.state === 'running').length;
      return processes + (await background()).list().filter(({ done }) => !done).length;
    },
    attachments: (cwd) =>
      createAttachmentSource({ cwd, home: opened.home, env: opened.env, settings: opened.config.settings, notice: () => {} }),
    describe: (selection, cwd, stored) => describeStart(opened, selection, cwd, stored),
    listModels: createOfferedModels({
      first: 'provider',
      withModels: async (use) => {
        const { createModelService } = await import('./services/models.ts');
        return use(await createModelService(createServiceOptions(opened)));
      },
    }),
  };
}

const createServiceOptions = ({ env, home, registries }: AppHost): ServiceOptions => ({
  processEnv: { ...env, HERMES_HOME: home.root },
  notice: () => {},
  registered: snapshotRegistries(registries),
});

async function describeStart(host: AppHost, selection: ModelSelection, cwd: string, kept: Session | undefined): Promise<StartFacts> {
  const { config, env, home, store, registries } = host;
  const registered = snapshotRegistries(registries);
  const runtime = await resolveRoute({ selection, config, env, store, notice: () => {}, kept, providers: registered.providers });
  await breathe();
  const { previewSession } = await import('./host/preview.ts');
  const preview = await previewSession({
    home,
    config,
    env,
    registered,
    notice: () => {},
    cwd,
    runtime,
    platform: 'tui',
    contextFiles: true,
  });
  await breathe();
  const { createSkillService } = await import('./services/skills.ts');
  const skills = await createSkillService(createServiceOptions(host));
  await breathe();
  const { rows } = await skills.survey();
  return {
    model: runtime.model,
    provider: runtime.provider,
    window: runtime.limits.window,
    caching: describeCaching(runtime, {
      ttl: config.settings['prompt_caching.cache_ttl'],
      profile: registered.providers.get(runtime.provider),
      calls: await store.calls({ since: Date.now() - CACHE_SEEN_MS }),
    }),
    tools: preview.callable.tools.length,
    skills: rows.filter(({ hidden }) => hidden === undefined).length,
    backend: preview.backend,
  };
}

async function listSkins(folder: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .toSorted();
}

async function readSkin(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { readFile } = await import('node:fs/promises');
  try {
    const { parse } = await import('yaml');
    const value: unknown = parse(await readFile(path, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`the theme ${path} cannot be read: ${toErrorMessage(error)}`, { cause: error });
  }
}
