/**
 * Watches for programs that answer every answer of ours and hide what they are. A person needs a while to read and write: who
 * answers many times in a row within minutes gets no more answers until there was a pause.
 */
export interface ReplyChains {
  /** We have written to somebody. */
  sent(address: string): void;
  /** Somebody wrote; says whether they may still be answered. */
  received(address: string): boolean;
}

/** An answer within this time may be a program's. */
const QUICK_MS = 10 * 60_000;
const MAX_PEOPLE = 1_000;

interface ChainState {
  /** When we wrote last. */
  readonly sentAt: number;
  /** They have not written since. */
  readonly isTheirTurn: boolean;
  /** Quick answers in a row. */
  readonly quick: number;
}

export function createReplyChains(most: number, now: () => number): ReplyChains {
  const chains = new Map<string, ChainState>();
  const put = (address: string, state: ChainState): void => {
    chains.delete(address);
    chains.set(address, state);
    const [oldest] = chains.keys();
    if (chains.size > MAX_PEOPLE && oldest !== undefined) chains.delete(oldest);
  };
  return {
    sent: (address) => put(address, { sentAt: now(), isTheirTurn: true, quick: chains.get(address)?.quick ?? 0 }),
    received: (address) => {
      const chain = chains.get(address);
      if (chain === undefined) return true;
      const isQuick = now() - chain.sentAt < QUICK_MS;
      const quick = isQuick ? chain.quick + Number(chain.isTheirTurn) : 0;
      put(address, { ...chain, isTheirTurn: false, quick });
      return quick <= most;
    },
  };
}
