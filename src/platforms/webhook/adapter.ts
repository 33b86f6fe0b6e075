import { toErrorMessage } from '../../base/errors.ts';
import { toOneLine } from '../../base/printable.ts';
import { takeStart } from '../../base/text.ts';
import type {
  AdapterOptions,
  ConnectOptions,
  ConnectResult,
  DownloadResult,
  OutboundMessage,
  PlatformAdapter,
  SendResult,
} from '../../contracts/platform-adapter.ts';
import { WebhookConnection } from './connection.ts';
import type { WebhookEntries } from './entries.ts';
import { createPaceBook, type PaceBook } from './pace.ts';
import { answerWebhook, type ReceiveDeps } from './receive.ts';
import { createSealBook } from './seals.ts';
import { postMessage } from './sending.ts';
import { readSettings, type WebhookAccountSettings } from './settings.ts';
import { followEntries } from './subscriptions.ts';

/** Beyond that the session has all of it. */
const MAX_LOGGED = 4_000;
/** Refusals of one route are told this often: anybody can cause them. */
const TOLD_MS = 60_000;

export class WebhookAdapter implements PlatformAdapter {
  readonly #options: AdapterOptions;
  readonly #settings: WebhookAccountSettings;
  readonly #entries: () => WebhookEntries;
  readonly #seals = createSealBook();
  readonly #pace: PaceBook;
  #connection: WebhookConnection | undefined;

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#settings = readSettings(options.settings).settings;
    this.#pace = createPaceBook(this.#settings.perMinute);
    this.#entries = followEntries(this.#settings, options.folder, options.log);
  }

  async connect({ cursors, signal }: ConnectOptions): Promise<ConnectResult> {
    await this.#connection?.[Symbol.asyncDispose]();
    const { listen, records, log } = this.#options;
    if (listen === undefined || records === undefined)
      return { type: 'failed', kind: 'refused', why: 'Webhooks need a gateway that listens.' };
    this.#seals.learn(cursors);
    this.#pace.learn(cursors);
    const refused = createRefusalTeller(log);
    const deps = { records, seals: this.#seals, pace: this.#pace, now: Date.now, entries: this.#entries, refused };
    const answer = (request: Parameters<typeof answerWebhook>[0], hand: ReceiveDeps['hand']) => answerWebhook(request, { ...deps, hand });
    try {
      this.#connection = await WebhookConnection.open({ settings: this.#settings, listen, answer, signal });
      return { type: 'connected', connection: this.#connection };
    } catch (error) {
      return { type: 'failed', kind: 'broken', why: toErrorMessage(error) };
    }
  }

  /** To a target by its name; what goes to the chat of a delivery is for the log. */
  async send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const { chatId, content, key } = message;
    if (chatId.includes(':')) {
      const words = content.type === 'media' ? `${content.caption ?? ''} [file: ${content.media.name}]` : content.markdown;
      this.#options.log(`webhook ${toOneLine(chatId)}: ${takeStart(toOneLine(words), MAX_LOGGED)}`);
      return { type: 'sent', messageId: key };
    }
    const target = this.#entries().targets.get(chatId);
    if (target === undefined)
      return { type: 'refused', why: `no webhook to send to is called "${chatId}". hermes webhook list shows them` };
    const { post } = this.#options;
    return post === undefined
      ? { type: 'refused', why: 'nothing can be sent from here' }
      : postMessage(target, message, { post, now: Date.now, signal });
  }

  async download(): Promise<DownloadResult> {
    return { type: 'failed', why: 'a webhook brings no files', retry: false };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.[Symbol.asyncDispose]();
  }
}

function createRefusalTeller(log: AdapterOptions['log']): ReceiveDeps['refused'] {
  const told = new Map<string, number>();
  return (route) => {
    const now = performance.now();
    if (now - (told.get(route) ?? Number.NEGATIVE_INFINITY) < TOLD_MS) return;
    told.set(route, now);
    log(`webhook ${route}: a request with a missing, wrong or old signature was refused. Others are not told for a minute.`);
  };
}
