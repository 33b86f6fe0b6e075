import { version } from '../../base/version.ts';
import { resolveHome } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { forwardLines } from '../../base/notice-board.ts';
import type { HostOptions } from '../../contracts/host.ts';
import type { Registries } from '../../contracts/registries.ts';
import type { ServiceOpeners, ServiceOptions } from '../../contracts/services/services.ts';
import type { AttributionService } from '../../contracts/services/insight.ts';
import type { Session } from '../../contracts/session-store.ts';

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

/** `given` are services somebody has open already: the store of a host, the session a slash command was typed in. */
export function openServices(options: OpenServicesOptions, given: Partial<ServiceOpeners> = {}): OpenServices {
  const { processEnv, notice, register } = options;
  const opened = new AsyncDisposableStack();
  const here = lazy(async (): Promise<ServiceOptions> => {
    const { createRegistries, snapshotRegistries } = await import('../tools/registries.ts');
    const registries = options.registries ?? createRegistries();
    if (options.registries === undefined) await register?.(registries);
    return { processEnv, notice, registered: snapshotRegistries(registries) };
  });
  const store = given.store ?? lazy(async () => opened.use(await (await import('../host/store.ts')).openStore(options)));
  const openers: ServiceOpeners = {
    store,
    storeCare: lazy(async () => {
      const { repairHomeStore } = await import('../../parts/store/home-store.ts');
      return { repair: () => repairHomeStore(resolveHome(processEnv)) };
    }),
    openSession: lazy(async () => {
      const { openHost } = await import('../host/host.ts');
      const host = opened.use(
        await openHost({ env: processEnv, home: resolveHome(processEnv), ...(register !== undefined && { register }) }),
      );
      opened.use(forwardLines(host.notices, ({ text }) => notice(text)));
      return (session: Session) => host.openSession({ session });
    }),
    attribution: lazy(async (): Promise<AttributionService> => {
      const { findPreviousAnsweredCall, explainCall } = await import('../../agent/attribution.ts');
      return {
        explain: (call, calls, entries) => {
          const previous = findPreviousAnsweredCall(calls, call);
          return { call, previous, finding: explainCall(previous, call, entries) };
        },
      };
    }),
    replay: lazy(async () => (await import('./insight.ts')).createReplayService(await store(), await here())),
    checkup: lazy(async () => (await import('./checkup.ts')).createCheckupService(await here())),
    configuration: lazy(async () => (await import('./configuration.ts')).createConfigurationService(await here())),
    models: lazy(async () => (await import('./models.ts')).createModelService(await here())),
    memory: lazy(async () => (await import('./memory.ts')).createMemoryService(await here())),
    migration: lazy(async () => (await import('./migration.ts')).createMigrationService(await here(), store)),
    skills: lazy(async () => (await import('./skills.ts')).createSkillService(await here())),
    tools: lazy(async () => (await import('./tools.ts')).createToolService(await here())),
    mcp: lazy(async () => (await import('./mcp.ts')).createMcpService(await here())),
    approvals: lazy(async () => (await import('./approvals.ts')).createApprovalService(await here(), store)),
    pairing: lazy(async () => (await import('../../faces/gateway/pairing-service.ts')).createPairingService((await store()).gateway)),
    gateway: lazy(async () => (await import('./gateway.ts')).createGatewayService(await here(), store)),
    hooks: lazy(async () => (await import('../../parts/hooks/hook-service.ts')).createHookService(processEnv, await store())),
    sends: lazy(async () => (await import('./sends.ts')).createSendService(await here(), await store())),
    processes: lazy(async () => (await import('./processes.ts')).createProcessService(await here(), store)),
    checkpoints: lazy(async () => (await import('./undo.ts')).createCheckpointService(await here(), store)),
    trash: lazy(async () => (await import('./undo.ts')).createTrashService(await here())),
    prompt: lazy(async () => (await import('./prompt.ts')).createPromptService(await here())),
    program: async () => ({ version }),
    profiles: lazy(async () => (await import('./profiles.ts')).createProfileService(await here())),
    personalities: lazy(async () => (await import('./personality.ts')).createPersonalityService(await here(), await store())),
    ...given,
  };
  return {
    openers,
    isOn: async (setting) => {
      const { settings } = await (await openers.configuration()).standing();
      return settings.some(({ key, value }) => key === setting && value === true);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
