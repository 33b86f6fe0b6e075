/** What goes wrong with a call that a fault meets. */
export type TelegramFaultKind =
  /** It is carried out, and nobody hears of it: the connection is cut, or stays open in silence. */
  | { readonly type: 'withhold'; readonly ending: 'cut' | 'silence' }
  /** It is not carried out: the connection is cut. */
  | { readonly type: 'cut' }
  /** It is not carried out, and the connection stays open in silence. */
  | { readonly type: 'black_hole' }
  | { readonly type: 'rate_limit'; readonly retryAfter: number }
  | { readonly type: 'status'; readonly status: number; readonly description?: string }
  /** It is not carried out: something on the way, such as a proxy, answers with a page of its own. */
  | { readonly type: 'page'; readonly status: number }
  /** It is carried out and answered, late. */
  | { readonly type: 'delay'; readonly ms: number };

/** Which calls it meets. What is not named may be anything. */
export interface TelegramFault {
  readonly fault: TelegramFaultKind;
  /** Methods by name; `send` stands for everything that puts a message into a chat, or changes or removes one; `download` for files. */
  readonly methods?: readonly string[];
  readonly chat?: number;
  readonly token?: string;
  /** How often; without it, until it is taken back. */
  readonly times?: number;
}

export interface FaultedCall {
  readonly method: string;
  readonly token: string;
  readonly chat: string | undefined;
}

/** Disposing it takes the fault back. */
export interface InjectedFault extends Disposable {
  /** How many calls it has met. */
  readonly met: number;
}

export class FaultList {
  readonly #faults = new Set<{ readonly rule: TelegramFault; met: number }>();

  inject(rule: TelegramFault): InjectedFault {
    const entry = { rule, met: 0 };
    this.#faults.add(entry);
    return {
      get met() {
        return entry.met;
      },
      [Symbol.dispose]: () => void this.#faults.delete(entry),
    };
  }

  /** The oldest fault that meets this call. */
  meet(call: FaultedCall): TelegramFaultKind | undefined {
    const entry = [...this.#faults].find(({ rule, met }) => met < (rule.times ?? Infinity) && matches(rule, call));
    if (entry === undefined) return undefined;
    entry.met += 1;
    return entry.rule.fault;
  }
}

const SENDS = /^(?:send(?!chataction)|edit|delete(?:message)$)/i;

const matches = ({ methods, chat, token }: TelegramFault, call: FaultedCall): boolean =>
  (methods === undefined || methods.some((name) => isNamed(name, call.method))) &&
  (chat === undefined || String(chat) === call.chat) &&
  (token === undefined || token === call.token);

const isNamed = (name: string, method: string): boolean =>
  name === 'send' ? SENDS.test(method) : name.toLowerCase() === method.toLowerCase();
