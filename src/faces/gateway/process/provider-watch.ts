import { toErrorMessage } from '../../../base/errors.ts';
import type { ProviderReport } from '../../../contracts/services/gateway.ts';
import type { ModelService } from '../../../contracts/services/models.ts';
import type { WriteLog } from '../contract.ts';

export interface ProviderWatch extends Disposable {
  /** What the last look found; absent before the first one. */
  readonly report: ProviderReport | undefined;
}
export interface ProviderWatchOptions {
  /** Opened anew for each look, since settings, keys and lists may have changed, and open until the look is over. */
  readonly withModels: <Seen>(look: (models: Pick<ModelService, 'current' | 'list'>) => Promise<Seen>) => Promise<Seen>;
  /** 0 means never. */
  readonly everyMs: number;
  readonly now: () => number;
  readonly log: WriteLog;
}
const ANSWER_MS = 15_000;

/** Asks the provider for its list of models now and then, which costs nothing: a key that was revoked or a model that is gone is told before somebody writes. */
export function watchProvider({ withModels, everyMs, now, log }: ProviderWatchOptions): ProviderWatch {
  let report: ProviderReport | undefined;
  const look = async (): Promise<void> => {
    const next = await withModels((models) => askProvider(models, now));
    if (next !== undefined && next.why !== report?.why && (next.why !== undefined || report !== undefined))
      log(next.why === undefined ? `${next.provider} answers again, and offers ${next.model}.` : `${next.provider}: ${next.why}`);
    report = next;
  };
  const tryLook = (): void => void look().catch((error: unknown) => log(`The provider could not be looked at: ${toErrorMessage(error)}`));
  const timer = everyMs === 0 ? undefined : setInterval(tryLook, everyMs).unref();
  if (everyMs !== 0) tryLook();
  return {
    get report() {
      return report;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

async function askProvider(models: Pick<ModelService, 'current' | 'list'>, now: () => number): Promise<ProviderReport | undefined> {
  const current = await models.current();
  if (current === undefined) return undefined;
  const { provider, model, baseUrl } = current;
  const found = await models.list({ provider, baseUrl }, AbortSignal.timeout(ANSWER_MS));
  const facts = { provider, model, checkedAt: new Date(now()).toISOString() };
  if (!found.ok) return { ...facts, ok: false, why: found.words };
  const isOffered = found.models.length === 0 || found.models.some(({ id }) => id === model);
  return isOffered
    ? { ...facts, ok: true, models: found.models.length }
    : { ...facts, ok: false, models: found.models.length, why: `It does not offer ${model} any more. Choose another one: hermes model` };
}
