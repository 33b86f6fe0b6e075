/** A worker whose adapter hears whatever it sends, and does what must not hurt anybody else when it is told to. */
import { createMailbox, type Mailbox } from '../../../../../src/base/mailbox.ts';
import type {
  AdapterOptions,
  ConnectionEnd,
  ConnectOptions,
  ConnectResult,
  EventBatch,
  OutboundMessage,
  PlatformAdapter,
  PlatformKind,
  PlatformTraits,
  SendResult,
} from '../../../../../src/contracts/platform-adapter.ts';
import { serveAdapter } from '../../../../../src/faces/gateway/link/worker/serve-adapter.ts';
import { DEEDS } from './deeds.ts';

const TRAITS: PlatformTraits = {
  maxText: 100,
  unit: 'utf16',
  maxCaption: 0,
  maxUploadBytes: 0,
  maxDownloadBytes: 0,
  canEdit: false,
  canType: false,
  canReact: false,
  hasButtons: false,
  idempotency: 'none',
  rates: [],
};

/** What a message makes the adapter do, before it is sent. */
const ORDERS: Readonly<Record<string, (adapter: EchoAdapter, signal: AbortSignal) => unknown>> = {
  ...DEEDS,
  log: ({ options }) => options.log('a line'),
  'ask the gateway': async ({ options }, signal) => {
    const { records, post, folder } = options;
    const known = await records?.isKnown('e1');
    const count = await records?.count('calls', 1_000);
    const posted = await post?.({ url: 'http://a', headers: {}, body: 'b' }, signal);
    options.log(JSON.stringify({ folder, known, count, posted }));
  },
  print: () => process.stdout.write('a printed line\n'),
  'wait for abort': (_, signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  break: (adapter) => adapter.end({ kind: 'broken', why: 'It broke.', resume: { session: 1 } }),
};

class EchoAdapter implements PlatformAdapter {
  readonly options: AdapterOptions;
  #heard: Mailbox<string> = createMailbox();
  #batches = 0;
  end: (end: ConnectionEnd) => void = () => {};

  constructor(options: AdapterOptions) {
    this.options = options;
  }

  async send({ content }: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const text = content.type === 'text' ? content.markdown : '';
    await ORDERS[text]?.(this, signal);
    this.#heard.push(text);
    return { type: 'sent', messageId: text };
  }
  async connect({ cursors, resume, signal }: ConnectOptions): Promise<ConnectResult> {
    if (this.options.settings.secrets['token'] === 'wrong') return { type: 'failed', kind: 'refused', why: 'The token is not valid.' };
    this.#heard.close();
    this.#heard = createMailbox();
    const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
    const heard = this.#heard;
    this.end = (end) => {
      resolve(end);
      heard.close();
    };
    signal.addEventListener('abort', () => this.end({ kind: 'closed', why: 'Aborted.' }));
    const missed = JSON.stringify({ cursors, resume: resume ?? null });
    const route = await this.options.listen?.({
      path: '/hook',
      maxBytes: 10,
      answer: async ({ body }) => {
        const words = Buffer.from(body).toString('utf8');
        heard.push(words);
        return { status: 200, body: `got ${words}` };
      },
    });
    const connection = {
      account: { id: '7', name: 'echo' },
      catchUp: () => this.#take([missed]),
      events: () => this.#take(heard),
      progress: () => performance.now() - Number(this.options.settings.extra['heard_ago_ms'] ?? 0),
      ended: promise,
      [Symbol.asyncDispose]: async () => {
        this.end({ kind: 'closed', why: 'Closed.' });
        await route?.[Symbol.asyncDispose]();
      },
    };
    return { type: 'connected', connection };
  }
  /** Each batch says how many were asked for before it. */
  async *#take(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<EventBatch, void> {
    for await (const text of texts) {
      const key = String(++this.#batches);
      const chat = { chatId: 'c', type: 'private' } as const;
      yield [
        { type: 'message', key, messageId: key, chat, sender: { id: 'p', isBot: false }, sentAt: 0, text, isAddressed: true, media: [] },
      ];
    }
  }
  async showTyping(): Promise<void> {
    this.#heard.push('typing');
  }
  async download() {
    return { type: 'too_large' } as const;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.end({ kind: 'closed', why: 'Closed.' });
  }
}

const kind: PlatformKind = {
  id: 'echo',
  label: 'Echo',
  traits: TRAITS,
  variables: {},
  check: () => undefined,
  credentials: () => ({}),
  render: (markdown) => markdown,
  open: async (options) => {
    if (options.settings.secrets['token'] === 'none') throw new Error('The settings have no token.');
    return new EchoAdapter(options);
  },
};
void serveAdapter(async () => kind);
