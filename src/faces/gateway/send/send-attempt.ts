import type { Clock } from '../../../base/clock.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import type { ChatTarget, Delivery, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { TellHooks } from '../../../contracts/hooks.ts';
import type { ChatPlace } from '../../../contracts/platform-adapter.ts';
import type { FindAccount, RunningAccount } from '../accounts/account.ts';
import type { WriteLog } from '../contract.ts';
import type { Questions } from '../questions/questions.ts';
import type { SendRates } from './rates.ts';

export interface OutboxDeps {
  readonly store: GatewayStore;
  readonly findAccount: FindAccount;
  readonly rates: SendRates;
  readonly blobs: Pick<Blobs, 'path'>;
  /** A chat goes on at another place; with `isNewId` it is the same one under another id. */
  readonly move: (from: ChatTarget, to: ChatPlace, isNewId: boolean) => Promise<void>;
  /** Questions whose cards cannot be shown are not waited for. */
  readonly questions: Pick<Questions, 'fail'>;
  readonly clock: Clock;
  readonly log: WriteLog;
  /** Tells those who look on what became of a delivery. */
  readonly tellHooks?: TellHooks;
}
export interface SendDeps extends OutboxDeps {
  readonly account: RunningAccount;
}

/** Waits between attempts of which it is known that nothing arrived, or not known what did. */
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000] as const;
export const delayOf = ({ attempts }: Delivery): number => RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 60_000;
