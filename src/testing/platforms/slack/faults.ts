import type { JsonObject } from '../../../base/json-types.ts';

/** How a request goes wrong. */
export type SlackFault =
  /** Done, and never answered. */
  | { readonly type: 'withhold' }
  /** The connection ends, before or after the request is done. */
  | { readonly type: 'cut'; readonly performed: boolean }
  /** Taken, never done, never answered. */
  | { readonly type: 'swallow' }
  | { readonly type: 'delay'; readonly ms: number }
  /** 429 (with `Retry-After`) or a 5xx; not done. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: number }
  /** Refused by name, as in `{ ok: false, error: 'is_archived' }`. */
  | { readonly type: 'error'; readonly error: string };

/** Which requests it hits; without a field, all. `upload`, `download` and `respond` are methods too. */
export interface SlackFaultRule {
  readonly method?: string;
  readonly channel?: string;
  readonly token?: string;
  /** How often; without it, until it is disposed. */
  readonly times?: number;
  readonly fault: SlackFault;
}

export interface SlackFaults {
  add(rule: SlackFaultRule): Disposable;
  /** The first rule that fits, counted down. */
  take(request: { readonly method: string; readonly token: string; readonly arguments: JsonObject }): SlackFault | undefined;
}

export function createFaults(): SlackFaults {
  const rules = new Map<object, { readonly rule: SlackFaultRule; left: number }>();
  return {
    add: (rule) => {
      const key = {};
      rules.set(key, { rule, left: rule.times ?? Number.POSITIVE_INFINITY });
      return { [Symbol.dispose]: () => void rules.delete(key) };
    },
    take: (request) => {
      for (const state of rules.values()) {
        const { method, channel, token, fault } = state.rule;
        const place = request.arguments['channel'] ?? request.arguments['channel_id'];
        if (state.left <= 0 || !fits(method, request.method) || !fits(channel, place) || !fits(token, request.token)) continue;
        state.left -= 1;
        return fault;
      }
      return undefined;
    },
  };
}

const fits = (wanted: string | undefined, found: unknown) => wanted === undefined || wanted === found;
