import { toErrorMessage } from '../../../base/errors.ts';
import type { AccountReport, GatewayPhase, GatewayReport, ListeningReport, ProviderReport } from '../../../contracts/services/gateway.ts';
import type { WriteLog } from '../contract.ts';
import type { Gateway } from '../runner/contract.ts';
import { writeReport } from './state-file.ts';

/** Keeps the report of a gateway fresh, for whoever asks for its status. */
export interface Reports extends Disposable {
  enter(phase: GatewayPhase): void;
  /** Something changed. */
  update(): void;
}

const BEAT_MS = 5_000;

export interface ReportDeps {
  readonly gateway: () => Pick<Gateway, 'accounts' | 'running'> | undefined;
  readonly listening?: (() => readonly ListeningReport[]) | undefined;
  readonly provider?: (() => ProviderReport | undefined) | undefined;
  readonly log: WriteLog;
}

export function keepReports(root: string, { gateway, listening, provider, log }: ReportDeps): Reports {
  let phase: GatewayPhase = 'starting';
  let isTold = false;
  const update = (): void => {
    try {
      writeReport(root, describe(phase, gateway(), { listening: listening?.() ?? [], provider: provider?.() }));
      isTold = false;
    } catch (error) {
      if (!isTold) log(`The state of the gateway could not be written, so its status cannot be shown: ${toErrorMessage(error)}`);
      isTold = true;
    }
  };
  update();
  const beat = setInterval(update, BEAT_MS).unref();
  return {
    enter: (next) => {
      phase = next;
      update();
    },
    update,
    [Symbol.dispose]: () => clearInterval(beat),
  };
}

const describe = (
  phase: GatewayPhase,
  gateway: Pick<Gateway, 'accounts' | 'running'> | undefined,
  { listening, provider }: Required<Pick<GatewayReport, 'listening'>> & { readonly provider: ProviderReport | undefined },
): GatewayReport => ({
  pid: process.pid,
  at: Date.now(),
  phase,
  turns: gateway?.running ?? 0,
  accounts: gateway?.accounts.map(toAccountReport) ?? [],
  listening,
  ...(provider !== undefined && { provider }),
});

function toAccountReport({ ref, state, isPaused }: Gateway['accounts'][number]): AccountReport {
  const { identity, msSinceProgress, reconnects } = state;
  return {
    ...ref,
    state: isPaused ? 'paused' : state.type,
    ...('why' in state && state.why !== undefined && !isPaused && { why: state.why }),
    ...(identity !== undefined && { name: identity.name }),
    ...(msSinceProgress !== undefined && !isPaused && { msSinceProgress: Math.round(msSinceProgress) }),
    reconnects,
  };
}
