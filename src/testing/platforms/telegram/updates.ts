import { systemClock } from '../../../base/clock.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { conflict } from './api-error.ts';

/** One event for one bot, and what became of it. */
export interface TelegramUpdateRecord {
  readonly id: number;
  readonly bot: number;
  readonly kind: string;
  readonly chat?: number;
  readonly message?: number;
  readonly at: number;
  /** The requests that carried it: of a poll the bot's, of a webhook the attempts counted from 1. */
  readonly handedOut: readonly number[];
  /** When an offset behind it, or a webhook's 2xx, said that it was taken. */
  readonly confirmedAt?: number;
}

interface UpdateState extends TelegramUpdateRecord {
  readonly body: JsonObject;
  readonly handedOut: number[];
  confirmedAt?: number;
}

export interface UpdateSource {
  readonly chat?: number;
  readonly message?: number;
}

export interface PollOptions {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly request: number;
  /** The client went away. */
  readonly signal: AbortSignal;
}

export interface WebhookSettings {
  readonly url: string;
  readonly secret?: string;
}

/** Asked for by name only. */
const UNASKED: ReadonlySet<string> = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

/** The updates that wait for one bot, and its one reader: a long poll or a webhook. */
export class UpdateQueue {
  readonly records: UpdateState[] = [];
  allowed: readonly string[] = [];
  webhook: WebhookSettings | undefined;
  webhookFailure: { readonly at: number; readonly message: string } | undefined;
  readonly #bot: number;
  readonly #now: () => number;
  readonly #retryMs: number;
  #nextId: number;
  #taken = 0;
  /** Ends the poll that waits now; `true` because another one came. */
  #endPoll: ((replaced: boolean) => void) | undefined;
  #posting = new AbortController();

  constructor(bot: number, options: { readonly now: () => number; readonly retryMs: number }) {
    this.#bot = bot;
    this.#now = options.now;
    this.#retryMs = options.retryMs;
    this.#nextId = bot * 1000 + 1;
  }

  /** How many wait. They are taken in order, so those that were are the first ones. */
  get pending(): number {
    return this.records.length - this.#taken;
  }

  push(kind: string, content: JsonObject, source: UpdateSource): void {
    if (this.allowed.length === 0 ? UNASKED.has(kind) : !this.allowed.includes(kind)) return;
    const id = this.#nextId++;
    const body = { update_id: id, [kind]: content };
    this.records.push({ id, bot: this.#bot, kind, ...source, at: this.#now(), handedOut: [], body });
    this.#endPoll?.(false);
    this.#wakeWebhook();
  }

  async poll(options: PollOptions): Promise<JsonObject[]> {
    if (this.webhook !== undefined)
      throw conflict("can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first");
    this.#endPoll?.(true);
    this.#confirm(options.offset);
    if (this.pending === 0 && options.timeoutMs > 0) await this.#wait(options);
    // Nobody is there to take them: they stay for the next one.
    if (options.signal.aborted) return [];
    const given = this.records.slice(this.#taken, this.#taken + options.limit);
    for (const { handedOut } of given) handedOut.push(options.request);
    return given.map(({ body }) => body);
  }

  setWebhook(webhook: WebhookSettings | undefined): void {
    this.#posting.abort();
    this.#posting = new AbortController();
    this.webhook = webhook;
    this.webhookFailure = undefined;
    if (webhook !== undefined) this.#endPoll?.(true);
    void this.#post(this.#posting.signal);
  }

  drop(): void {
    this.#confirmUntil(this.records.length);
  }

  close(): void {
    this.#posting.abort();
    this.#endPoll?.(false);
  }

  /** A negative offset counts from the end and forgets all before. */
  #confirm(offset: number): void {
    const first = this.records[0]?.id ?? 0;
    this.#confirmUntil(offset < 0 ? this.records.length + offset : Math.min(offset - first, this.records.length));
  }
  #confirmUntil(end: number): void {
    const at = this.#now();
    for (; this.#taken < end; this.#taken += 1) {
      const update = this.records[this.#taken];
      if (update !== undefined) update.confirmedAt = at;
    }
  }

  async #wait({ timeoutMs, signal }: PollOptions): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const leave = () => resolve(false);
    signal.addEventListener('abort', leave, { once: true });
    this.#endPoll = resolve;
    const replaced = await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    if (this.#endPoll === resolve) this.#endPoll = undefined;
    if (replaced) throw conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
  }

  #wakeWebhook = (): void => undefined;

  /** One after another, each again and again until it is taken. */
  async #post(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.webhook !== undefined) {
      const update = this.records[this.#taken];
      if (update === undefined) await this.#nextPush(signal);
      else if (await this.#deliver(update, this.webhook, signal)) this.#confirmUntil(this.#taken + 1);
      else await systemClock.sleep(this.#retryMs, signal);
    }
  }

  async #deliver(update: UpdateState, { url, secret }: WebhookSettings, signal: AbortSignal): Promise<boolean> {
    update.handedOut.push(update.handedOut.length + 1);
    const headers = { 'content-type': 'application/json', ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }) };
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update.body), signal });
      await answer.arrayBuffer();
      if (answer.ok) return true;
      this.webhookFailure = { at: this.#now(), message: `Wrong response from the webhook: ${answer.status} ${answer.statusText}` };
    } catch (error) {
      this.webhookFailure = { at: this.#now(), message: error instanceof Error ? error.message : String(error) };
    }
    return false;
  }

  async #nextPush(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeWebhook = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }
}
