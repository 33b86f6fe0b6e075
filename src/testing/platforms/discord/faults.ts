import type { JsonObject } from '../../../base/json-types.ts';
import type { DiscordLoggedCall } from './log.ts';

/** What goes wrong with a request. */
export type DiscordCallFault =
  /** Done, but the bot is never told: the connection breaks, or stays open without a word. */
  | { readonly type: 'withhold'; readonly hang?: boolean }
  /** The connection breaks before anything is done. */
  | { readonly type: 'cut' }
  /** Neither done nor answered. */
  | { readonly type: 'swallow' }
  | { readonly type: 'rate_limit'; readonly retryAfter: number; readonly global?: boolean }
  | { readonly type: 'status'; readonly status: number; readonly body?: JsonObject }
  /** Not done: something on the way, such as a proxy, answers with a page of its own. */
  | { readonly type: 'page'; readonly status: number }
  /** Done and answered, later. */
  | { readonly type: 'delay'; readonly ms: number };

/** What goes wrong with a gateway socket at a step of its life. */
export type DiscordSocketFault =
  | { readonly type: 'close'; readonly code: number }
  | { readonly type: 'drop' }
  /** From here on nothing comes from Discord on this socket, though it stays open. */
  | { readonly type: 'silence' }
  | { readonly type: 'invalid_session'; readonly resumable?: boolean };

interface DiscordFaultCount {
  /** Of one bot; without it, of all. */
  readonly token?: string;
  /** How many it hits; without it, all. */
  readonly times?: number;
  /** How many it lets through before. */
  readonly skip?: number;
}

export type DiscordFault = DiscordFaultCount &
  (
    | { readonly at: 'call'; readonly method?: string; readonly path?: RegExp; readonly do: DiscordCallFault }
    | { readonly at: 'connect' | 'identify' | 'resume'; readonly do: DiscordSocketFault }
  );

/** The faults in force, oldest first; each hits until its count is used up or it is disposed. */
export interface DiscordFaults {
  add(fault: DiscordFault): Disposable;
  takeForCall(call: DiscordLoggedCall, token: string): DiscordCallFault | undefined;
  takeForSocket(at: 'connect' | 'identify' | 'resume', token: string | undefined): DiscordSocketFault | undefined;
}

export function createFaults(): DiscordFaults {
  const active: { fault: DiscordFault; seen: number }[] = [];
  const take = <Found>(match: (fault: DiscordFault) => Found | undefined): Found | undefined => {
    for (const entry of active) {
      const found = match(entry.fault);
      if (found === undefined) continue;
      const { skip = 0, times = Number.POSITIVE_INFINITY } = entry.fault;
      entry.seen += 1;
      if (entry.seen > skip && entry.seen <= skip + times) return found;
    }
    return undefined;
  };
  const concerns = (fault: DiscordFault, token: string | undefined) => fault.token === undefined || fault.token === token;
  return {
    add: (fault) => {
      const entry = { fault, seen: 0 };
      active.push(entry);
      return { [Symbol.dispose]: () => void (active.includes(entry) && active.splice(active.indexOf(entry), 1)) };
    },
    takeForCall: ({ method, path }, token) =>
      take((fault) => {
        if (fault.at !== 'call' || !concerns(fault, token)) return undefined;
        if (fault.method !== undefined && fault.method !== method) return undefined;
        return fault.path === undefined || fault.path.test(path) ? fault.do : undefined;
      }),
    takeForSocket: (at, token) => take((fault) => (fault.at === at && concerns(fault, token) ? fault.do : undefined)),
  };
}
