import type { Env } from '../../base/env.ts';
import type { AccountRef, GatewayStore } from '../../contracts/gateway-store.ts';
import type { AccountRecords, AdapterOptions } from '../../contracts/platform-adapter.ts';
import type { WriteLog } from '../../faces/gateway/contract.ts';
import { openReach, type ReachOptions } from '../../parts/safety/urls/reach.ts';

/** What the gateway knows of an account, for its adapter. */
export const createRecords = ({ platform, account }: AccountRef, store: Pick<GatewayStore, 'arrivals' | 'count'>): AccountRecords => ({
  isKnown: async (eventKey) => (await store.arrivals({ event: { platform, account, eventKey } })).length > 0,
  count: (what, windowMs) => store.count(`${platform}:${account}:${what}`, windowMs),
});

export interface OutboundPostDeps {
  readonly settings: ReachOptions['settings'];
  /** The profile's folder. */
  readonly root: string;
  readonly env: Env;
  readonly log: WriteLog;
}
/** A receiver that has not answered by then is asked again later. */
const POST_MS = 20_000;
const MAX_ANSWER_BYTES = 16_384;

/** Posts to addresses of the owner's settings, by the same judgement as tools: the address itself is the owner's to choose, what it leads on to is not. */
export const createPost =
  ({ settings, root, env, log }: OutboundPostDeps): NonNullable<AdapterOptions['post']> =>
  async (request, signal) => {
    const reach = openReach({ settings, home: root, owned: [request.url], env, notice: log });
    const limits = { timeoutMs: POST_MS, maxBytes: MAX_ANSWER_BYTES };
    const answer = await reach.fetch({ ...request, method: 'POST', followRedirects: false, signal, ...limits });
    return answer.ok
      ? { type: 'answered', status: answer.status, headers: answer.headers }
      : { type: 'failed', why: answer.reason, wasTried: !answer.refused };
  };
