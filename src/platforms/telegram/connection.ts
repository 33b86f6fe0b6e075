import { Handover } from '../../base/handover.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { Json } from '../../base/json-types.ts';
import type { ConnectionEnd, EventBatch, PlatformConnection, PlatformIdentity } from '../../contracts/platform-adapter.ts';
import { followMove } from './addressed.ts';
import type { ApiFailure } from './client.ts';
import { toEvents, type EventContext } from './events.ts';

/** What a way of receiving does with what it hears. */
export interface ReceiveLoop {
  readonly signal: AbortSignal;
  /** Something was heard from Telegram. */
  received(): void;
  /** Updates in order. Resolves when they are committed; `false` when they must come again. */
  hand(updates: readonly Json[]): Promise<boolean>;
}

export interface TelegramConnectionOptions {
  readonly identity: PlatformIdentity;
  readonly context: EventContext;
  readonly signal: AbortSignal;
  readonly log: (words: string) => void;
  /** Telegram calls us: what waits there comes once it gets through. Until then nothing shows that it can. */
  readonly isCalled: boolean;
  /** Receives until it is stopped; gives the end it came to. */
  readonly receive: (loop: ReceiveLoop) => Promise<ConnectionEnd | undefined>;
  readonly onEnd: () => void;
}

const MAX_CLOSE_MS = 4_000;

/** One connection over either way. Telegram itself keeps what was not taken, so there is nothing to catch up. */
export class TelegramConnection implements PlatformConnection {
  readonly account: PlatformIdentity;
  readonly ended: Promise<ConnectionEnd>;
  readonly #handover = new Handover<EventBatch>();
  readonly #stop = new AbortController();
  readonly #context: EventContext;
  readonly #log: (words: string) => void;
  readonly #isCalled: boolean;
  readonly #firstHeard = Promise.withResolvers<void>();
  /** Nothing yet: a login is not a poll. */
  #heardAt = 0;

  constructor(options: TelegramConnectionOptions) {
    this.account = options.identity;
    this.#context = options.context;
    this.#log = options.log;
    this.#isCalled = options.isCalled;
    this.ended = this.#run(options);
  }

  // oxlint-disable-next-line require-yield -- Telegram brings it as it brings what is new
  async *catchUp(): AsyncGenerator<EventBatch, void> {
    if (this.#isCalled) await Promise.race([this.#firstHeard.promise, this.ended]);
  }
  events(): AsyncGenerator<EventBatch, void> {
    return this.#handover.take();
  }
  progress(): number {
    return this.#heardAt;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#handover.close();
    await waitAtMost(this.ended, MAX_CLOSE_MS);
  }

  async #run({ receive, signal, onEnd }: TelegramConnectionOptions): Promise<ConnectionEnd> {
    const stop = this.#stop.signal;
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true, signal: stop });
    if (signal.aborted) this.#stop.abort();
    const received = (): void => {
      this.#heardAt = performance.now();
      this.#firstHeard.resolve();
    };
    try {
      const end = await receive({ signal: stop, received, hand: (updates) => this.#hand(updates) });
      return end === undefined || stop.aborted ? { kind: 'closed', why: 'closed' } : end;
    } catch (error) {
      return { kind: 'broken', why: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#stop.abort();
      this.#handover.close();
      onEnd();
    }
  }

  async #hand(updates: readonly Json[]): Promise<boolean> {
    const batch = updates.flatMap((update) => this.#read(update));
    return batch.length === 0 || (await this.#handover.give(batch));
  }

  /** One that cannot be read must not stop those behind it. */
  #read(update: Json): EventBatch {
    try {
      const events = toEvents(update, this.#context);
      for (const event of events) if (event.type === 'moved') followMove(this.#context.gate, event.chat.chatId, event.to.chatId);
      return events;
    } catch (error) {
      this.#log(`Telegram sent an update that could not be read: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  }
}

/** What an answer that was none means for the connection. */
export function toEnd(failure: ApiFailure): ConnectionEnd {
  const { why } = failure;
  if (failure.type !== 'refused') return { kind: 'broken', why };
  if (failure.code === 401 || failure.code === 404)
    return {
      kind: 'refused',
      why: `Telegram does not know this bot token (${why}). Get the token from @BotFather and set TELEGRAM_BOT_TOKEN.`,
    };
  if (failure.code === 409) return { kind: 'busy', why };
  return { kind: 'broken', why, ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }) };
}
