import type { Env } from '../../base/env.ts';
import { homeAt } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import type { ServiceOpeners } from '../../contracts/services/services.ts';
import type { Session } from '../../contracts/session-store.ts';

/** What commands may ask for, each opened with the first that needs it; closing this closes what was opened. */
export interface OpenServices extends AsyncDisposable {
  readonly openers: ServiceOpeners;
}

/** `given` are services somebody has open already: the store of a host, the session a slash command was typed in. */
export function openServices(processEnv: Env, given: Partial<ServiceOpeners> = {}): OpenServices {
  const opened = new AsyncDisposableStack();
  const store = given.store ?? lazy(async () => opened.use(await (await import('../host/store.ts')).openStore(processEnv)));
  const openers: ServiceOpeners = {
    store,
    storeCare: lazy(async () => {
      const { repairSqliteStore } = await import('../../parts/store/sqlite/store.ts');
      return { repair: () => repairSqliteStore({ path: homeAt(processEnv).store }) };
    }),
    openSession: lazy(async () => {
      const { openHost } = await import('../host/host.ts');
      const host = opened.use(await openHost({ env: processEnv, home: homeAt(processEnv) }));
      const { tellNotices } = await import('../../faces/cli/streams.ts');
      opened.use(tellNotices(host));
      return (session: Session) => host.openSession({ session });
    }),
    attribution: lazy(async () => (await import('./insight.ts')).ATTRIBUTION),
    replay: lazy(async () => (await import('./insight.ts')).replayService(await store())),
    checkup: lazy(async () => (await import('../checkup/checkup.ts')).checkupService(processEnv)),
    configuration: lazy(async () => (await import('./configuration.ts')).configurationService(processEnv)),
    memory: lazy(async () => (await import('./memory.ts')).memoryService(processEnv)),
    skills: lazy(async () => (await import('./skills.ts')).skillService(processEnv)),
    tools: lazy(async () => (await import('./tools.ts')).toolService(processEnv)),
    mcp: lazy(async () => (await import('./mcp.ts')).mcpService(processEnv)),
    approvals: lazy(async () => (await import('./approvals.ts')).approvalService(processEnv, store)),
    checkpoints: lazy(async () => (await import('./undo.ts')).checkpointService(processEnv, store)),
    trash: lazy(async () => (await import('./undo.ts')).trashService(processEnv)),
    prompt: lazy(async () => (await import('./prompt.ts')).promptService(processEnv)),
    ...given,
  };
  return { openers, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
