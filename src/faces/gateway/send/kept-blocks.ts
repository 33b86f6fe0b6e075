import { parseJson, readNumberAt, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import type { Clock } from '../../../base/clock.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import type { SendRates } from './rates.ts';

const KEY = 'gateway sends blocked';
/** Whatever is shorter is over before a gateway is up again. */
const MIN_MS = 5_000;
const MAX_KEPT = 100;

/** A wait that a service asked for, by the clock on the wall. */
interface KeptBlock {
  readonly platform: string;
  readonly account: string;
  /** Of the whole account without it. */
  readonly chatId?: string;
  readonly until: number;
  readonly ms: number;
}
export interface KeptBlockDeps {
  readonly store: Pick<SessionStore, 'fact' | 'learn'>;
  readonly clock: Pick<Clock, 'now'>;
}
export interface KeptRates extends SendRates {
  /** The waits that a process before this one was asked for. */
  recall(): Promise<void>;
}

/** Waits that a service asked for outlive the process: to call sooner would only make them longer. */
export function keepBlocks(rates: SendRates, { store, clock }: KeptBlockDeps): KeptRates {
  let kept: readonly KeptBlock[] = [];
  const note = (block: KeptBlock): void => {
    const others = kept.filter((other) => other.until > clock.now() && !isSamePlace(other, block));
    kept = [...others, block].slice(-MAX_KEPT);
  };
  return {
    take: rates.take,
    block: (target, ms, scope) => {
      rates.block(target, ms, scope);
      if (ms < MIN_MS) return;
      const { platform, account, chatId } = target;
      note({ platform, account, ...(scope === 'chat' && { chatId }), until: clock.now() + ms, ms });
      // Without it only a restart knows less.
      void store.learn(KEY, JSON.stringify(kept)).catch(() => undefined);
    },
    recall: async () => {
      for (const block of readBlocks(await store.fact(KEY))) {
        // A clock that was set back must not make it longer.
        const left = Math.min(block.until - clock.now(), block.ms);
        if (left <= 0) continue;
        note(block);
        rates.block({ chatId: '', ...block }, left, block.chatId === undefined ? 'account' : 'chat');
      }
    },
  };
}

const isSamePlace = (one: KeptBlock, other: KeptBlock): boolean =>
  one.platform === other.platform && one.account === other.account && one.chatId === other.chatId;

function readBlocks(text: string | undefined): readonly KeptBlock[] {
  const listed = parseJson(text ?? '[]');
  return Array.isArray(listed) ? listed.flatMap((block: Json) => readBlock(block) ?? []) : [];
}

function readBlock(block: Json): KeptBlock | undefined {
  const [platform, account, chatId] = [readStringAt(block, 'platform'), readStringAt(block, 'account'), readStringAt(block, 'chatId')];
  const [until, ms] = [readNumberAt(block, 'until'), readNumberAt(block, 'ms')];
  if (platform === undefined || account === undefined || until === undefined || ms === undefined) return undefined;
  return { platform, account, until, ms, ...(chatId !== undefined && { chatId }) };
}
