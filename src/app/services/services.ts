import { version } from '../../base/version.ts';
import { resolveHome } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { forwardLines } from '../../base/notice-board.ts';
import type { CommandHooks } from './command-hooks.ts';
import type { HostOptions } from '../../contracts/host.ts';
import type { Registries } from '../../contracts/registries.ts';
import type { ServiceOpeners, ServiceOptions } from '../../contracts/services/services.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import { hasPlugins } from '../../plugins/index-file.ts';

/** What commands may ask for, each opened with the first that needs it; closing this closes what was opened. */
export interface OpenServices extends AsyncDisposable {
  readonly openers: ServiceOpeners;
  /** Whether a setting is on. */
  isOn(setting: string): Promise<boolean>;
}

export interface OpenServicesOptions extends Omit<ServiceOptions, 'registered'>, Pick<HostOptions, 'register'> {
  /** Those of a host that is open; new ones, filled by `register`, when left out. */
  readonly registries?: Registries;
}

/** Commands of plugins say themselves what does not run. */
const silent = (): void => {};

/** `given` are services somebody has open already: the store of a host, the session a slash command was typed in. */
export function openServices(options: OpenServicesOptions, given: Partial<ServiceOpeners> = {}): OpenServices {
  const { processEnv, notice, register } = options;
  const opened = new AsyncDisposableStack();
  const store = given.store ?? lazy(async () => opened.use(await (await import('../host/store.ts')).openStore(options)));
  let hooks: CommandHooks | undefined;
  const here = lazy(async (tell: ServiceOptions['notice'] = notice): Promise<ServiceOptions> => {
    const { createRegistries, snapshotRegistries } = await import('../tools/registries.ts');
    const registries = options.registries ?? createRegistries();
    if (options.registries === undefined) {
      await register?.(registries);
      if (hasPlugins(resolveHome(processEnv).root)) await addPlugins(registries, { ...options, notice: tell }, await store(), opened);
    }
    const { openCommandHooks } = await import('./command-hooks.ts');
    if (options.tellHooks === undefined) hooks = openCommandHooks(options, registries, store);
    const tellHooks = options.tellHooks ?? hooks?.tell;
    return { processEnv, notice, registered: snapshotRegistries(registries), ...(tellHooks !== undefined && { tellHooks }) };
  });
  const openers: ServiceOpeners = {
    store,
    storeCare: lazy(async () => {
      const { repairHomeStore } = await import('../../parts/store/home-store.ts');
      return { repair: () => repairHomeStore(resolveHome(processEnv)) };
    }),
    openSession: lazy(() => createSessionOpener(options, opened)),
    attribution: lazy(async () => (await import('../../agent/attribution.ts')).createAttributionService()),
    replay: lazy(async () => (await import('./insight.ts')).createReplayService(await store(), await here())),
    checkup: lazy(async () => (await import('./checkup.ts')).createCheckupService(await here())),
    configuration: lazy(async () => (await import('./configuration.ts')).createConfigurationService(await here())),
    models: lazy(async () => (await import('./models.ts')).createModelService(await here())),
    memory: lazy(async () => (await import('./memory.ts')).createMemoryService(await here(), store)),
    memoryProvider: lazy(async () =>
      (await import('./memory-provider.ts')).createMemoryProviderService(await here(), { store, configuration: openers.configuration }),
    ),
    migration: lazy(async () => (await import('./migration.ts')).createMigrationService(await here(), store)),
    skills: lazy(async () => (await import('./skills.ts')).createSkillService(await here())),
    tools: lazy(async () => (await import('./tools.ts')).createToolService(await here())),
    mcp: lazy(async () => (await import('./mcp.ts')).createMcpService(await here())),
    approvals: lazy(async () => (await import('./approvals.ts')).createApprovalService(await here(), store)),
    trust: lazy(async () => (await import('./trust.ts')).createTrustService(await here())),
    pairing: lazy(async () =>
      (await import('../../faces/gateway/access/pairing-service.ts')).createPairingService((await store()).gateway, {
        hasOwner: async (account) => (await import('./account-owners.ts')).hasOwner(account, await here(), await store()),
      }),
    ),
    gateway: lazy(async () => (await import('./gateway.ts')).createGatewayService(await here(), store)),
    hooks: lazy(async () => (await import('./hooks.ts')).openHookService(await here(), await store())),
    plugins: lazy(async () =>
      (await import('../plugins/plugin-service.ts')).createPluginService(await here(silent), {
        store,
        configuration: openers.configuration,
      }),
    ),
    pluginFolders: lazy(async () => (await import('../plugins/plugin-folders.ts')).openPluginFolders(processEnv, await openers.plugins())),
    jobs: lazy(async () => opened.use(await (await import('./jobs.ts')).openJobService(await here(), await store(), register))),
    sends: lazy(async () => (await import('./sends.ts')).createSendService(await here(), await store())),
    webhooks: lazy(async () =>
      (await import('./webhooks.ts')).createWebhookService(await here(), { store, configuration: openers.configuration }),
    ),
    processes: lazy(async () => (await import('./processes.ts')).createProcessService(await here(), store)),
    checkpoints: lazy(async () => (await import('./undo.ts')).createCheckpointService(await here(), store)),
    trash: lazy(async () => (await import('./undo.ts')).createTrashService(await here())),
    prompt: lazy(async () => (await import('./prompt.ts')).createPromptService(await here())),
    program: async () => ({ version }),
    profiles: lazy(async () => (await import('./profiles.ts')).createProfileService(await here())),
    providerHomes: lazy(async () => (await import('./provider-homes.ts')).createProviderHomeService(await here())),
    backups: lazy(async () => (await import('./backups.ts')).createBackupService(await here())),
    batches: lazy(async () => (await import('./batches.ts')).createBatchService(await here())),
    environments: lazy(async () => (await import('./environments.ts')).createEnvironmentService(await here())),
    updates: lazy(async () => (await import('./updates.ts')).createUpdateService(await here(), await openers.gateway())),
    personalities: lazy(async () => (await import('./personality.ts')).createPersonalityService(await here(), await store())),
    ...given,
  };
  return {
    openers,
    isOn: async (setting) => {
      const { settings } = await (await openers.configuration()).standing();
      return settings.some(({ key, value }) => key === setting && value === true);
    },
    [Symbol.asyncDispose]: async () => {
      // They read the store, which may have been opened after them.
      await hooks?.[Symbol.asyncDispose]();
      await opened.disposeAsync();
    },
  };
}

/** Opens stored sessions for commands that need one, on a host that closes with the services. */
async function createSessionOpener({ processEnv, notice, register }: OpenServicesOptions, opened: AsyncDisposableStack) {
  const { openHost } = await import('../host/host.ts');
  const host = opened.use(await openHost({ env: processEnv, home: resolveHome(processEnv), ...(register !== undefined && { register }) }));
  opened.use(forwardLines(host.notices, ({ text }) => notice(text)));
  return (session: Session) => host.openSession({ session });
}

/** What enabled plugins bring stands in the lists as for a session. None of their code runs for it. */
async function addPlugins(
  registries: Registries,
  { processEnv, notice }: Pick<ServiceOptions, 'processEnv' | 'notice'>,
  store: SessionStore,
  opened: AsyncDisposableStack,
): Promise<void> {
  const [{ followPlugins }, { snapshotRegistries }, { loadConfig }, { mergeEnvironment }] = await Promise.all([
    import('../../plugins/follow-plugins.ts'),
    import('../tools/registries.ts'),
    import('../config/config.ts'),
    import('../../parts/config/environment.ts'),
  ]);
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { withPluginTerminals } = await import('../../plugins/shell-index.ts');
  const tables = withPluginTerminals(snapshotRegistries(registries), home.root);
  // What is wrong with the file is told by whoever reads it for itself.
  const config = await loadConfig(home.config, env, () => {}, tables).catch(() => undefined);
  if (config !== undefined)
    opened.use(
      await followPlugins(store, async () =>
        (await import('../plugins/open-plugins.ts')).openPlugins({ registries, store, home, env, settings: config.settings, notice }),
      ),
    );
}
