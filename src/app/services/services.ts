import { homeAt } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import { forwardLines } from '../../base/notice-board.ts';
import type { ServiceOpeners, ServiceOptions } from '../../contracts/services/services.ts';
import type { AttributionService } from '../../contracts/services/insight.ts';
import type { Session } from '../../contracts/session-store.ts';

/** What commands may ask for, each opened with the first that needs it; closing this closes what was opened. */
export interface OpenServices extends AsyncDisposable {
  readonly openers: ServiceOpeners;
}

/** `given` are services somebody has open already: the store of a host, the session a slash command was typed in. */
export function openServices(options: ServiceOptions, given: Partial<ServiceOpeners> = {}): OpenServices {
  const { processEnv, notice } = options;
  const opened = new AsyncDisposableStack();
  const store = given.store ?? lazy(async () => opened.use(await (await import('../host/store.ts')).openStore(options)));
  const openers: ServiceOpeners = {
    store,
    storeCare: lazy(async () => {
      const { repairSqliteStore } = await import('../../parts/store/sqlite/store.ts');
      return { repair: () => repairSqliteStore({ path: homeAt(processEnv).store }) };
    }),
    openSession: lazy(async () => {
      const { openHost } = await import('../host/host.ts');
      const host = opened.use(await openHost({ env: processEnv, home: homeAt(processEnv) }));
      opened.use(forwardLines(host.notices, ({ text }) => notice(text)));
      return (session: Session) => host.openSession({ session });
    }),
    attribution: lazy(async (): Promise<AttributionService> => {
      const { answeredBefore, explainCall } = await import('../../agent/attribution.ts');
      return {
        explain: (call, calls, entries) => {
          const previous = answeredBefore(calls, call);
          return { call, previous, finding: explainCall(previous, call, entries) };
        },
      };
    }),
    replay: lazy(async () => (await import('./insight.ts')).replayService(await store())),
    checkup: lazy(async () => (await import('./checkup.ts')).checkupService(options)),
    configuration: lazy(async () => (await import('./configuration.ts')).configurationService(processEnv)),
    memory: lazy(async () => (await import('./memory.ts')).memoryService(options)),
    skills: lazy(async () => (await import('./skills.ts')).skillService(options)),
    tools: lazy(async () => (await import('./tools.ts')).toolService(options)),
    mcp: lazy(async () => (await import('./mcp.ts')).mcpService(options)),
    approvals: lazy(async () => (await import('./approvals.ts')).approvalService(options, store)),
    processes: lazy(async () => (await import('./processes.ts')).processService(options)),
    checkpoints: lazy(async () => (await import('./undo.ts')).checkpointService(options, store)),
    trash: lazy(async () => (await import('./undo.ts')).trashService(options)),
    prompt: lazy(async () => (await import('./prompt.ts')).promptService(options)),
    ...given,
  };
  return { openers, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
