import type { Json } from '../../../../src/base/json-types.ts';
import type {
  ConnectionEnd,
  ConnectOptions,
  ConnectResult,
  EventBatch,
  PlatformAdapter,
  PlatformConnection,
} from '../../../../src/contracts/platform-adapter.ts';
import type { AdapterHandle, LinkClock } from '../../../../src/faces/gateway/link/contract.ts';

/** What becomes of the next attempt to connect. */
export type ConnectFate =
  | 'works'
  /** Never answers, and does not hear that it is aborted. */
  | 'hangs'
  /** Connected, says the adapter; nothing ever comes. */
  | 'black_holed'
  /** Fetching what was missed never ends, while frames arrive. */
  | 'stuck_catching_up'
  | ConnectionEnd;

export interface Socket {
  readonly adapter: number;
  /** Nothing comes by it any more, and nothing says so. */
  isDeaf: boolean;
  /** Closing it never ends. */
  hangsAtClose: boolean;
  /** It closes once it is aborted. */
  readonly abort: () => void;
  readonly end: (end: ConnectionEnd) => void;
}

/** A chat service and the adapter to it, in this process, by a clock that stands still. It is the judge: what it counts is what is. */
export class ScriptedService {
  /** Fates of the next attempts, in order; afterwards they work. */
  readonly fates: ConnectFate[] = [];
  readonly connects: { readonly at: number; readonly resume: Json | undefined; readonly cursor: string | undefined }[] = [];
  readonly sockets = new Set<Socket>();
  readonly sent: string[] = [];
  readonly said: string[] = [];
  mostSockets = 0;
  starts = 0;
  /** New sockets refuse to close. */
  hangsAtClose = false;
  /** What a connection that is closed leaves to go on from. */
  resumeAtClose: Json | undefined;
  /** Nothing that is asked of the adapter is answered. */
  isSilent = false;
  #wake = Promise.withResolvers<void>();
  #crash: (why: string) => void = () => {};
  readonly clock: LinkClock;
  readonly pollMs: number;

  constructor(clock: LinkClock, pollMs = 25_000) {
    this.clock = clock;
    this.pollMs = pollMs;
  }

  say(text: string): void {
    this.said.push(text);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
  deafen(): void {
    for (const socket of this.sockets) socket.isDeaf = true;
  }
  drop(end: ConnectionEnd): void {
    for (const socket of this.sockets) socket.end(end);
  }
  /** The worker dies. */
  crash(why: string): void {
    this.#crash(why);
  }

  readonly openAdapter = async (): Promise<AdapterHandle> => {
    const number = ++this.starts;
    this.isSilent = false;
    const failed = Promise.withResolvers<string>();
    const die = (why: string) => {
      for (const socket of this.sockets) if (socket.adapter === number) this.sockets.delete(socket);
      failed.resolve(why);
    };
    this.#crash = die;
    return { adapter: this.#adapter(number), failed: failed.promise, terminate: async () => die('It was terminated.') };
  };

  #adapter(number: number): PlatformAdapter {
    const forever = new Promise<never>(() => {});
    return {
      connect: async (options) => (this.isSilent ? forever : this.#connect(number, options)),
      send: async ({ content }) => {
        if (this.isSilent) return forever;
        if (content.type === 'text') this.sent.push(content.markdown);
        return { type: 'sent', messageId: String(this.sent.length) };
      },
      download: async () => ({ type: 'done', bytes: 0 }),
      [Symbol.asyncDispose]: async () => (this.isSilent ? forever : undefined),
    };
  }

  async #connect(adapter: number, { resume, cursors, signal }: ConnectOptions): Promise<ConnectResult> {
    this.connects.push({ at: this.clock.steady(), resume, cursor: cursors[0]?.value });
    const fate = this.fates.shift() ?? 'works';
    if (fate === 'hangs') return new Promise(() => {});
    if (typeof fate === 'object') return { type: 'failed', ...fate };
    return { type: 'connected', connection: this.#openSocket(adapter, fate, Number(cursors[0]?.value ?? 0), signal) };
  }

  #openSocket(adapter: number, fate: ConnectFate, from: number, signal: AbortSignal): PlatformConnection {
    const ended = Promise.withResolvers<ConnectionEnd>();
    const over = new AbortController();
    const end = (why: ConnectionEnd) => {
      this.sockets.delete(socket);
      ended.resolve(why);
      over.abort();
    };
    const socket: Socket = {
      adapter,
      isDeaf: fate === 'black_holed',
      hangsAtClose: this.hangsAtClose,
      abort: () => end({ kind: 'closed', why: 'Aborted.' }),
      end,
    };
    if (!socket.hangsAtClose) signal.addEventListener('abort', socket.abort, { once: true });
    this.sockets.add(socket);
    this.mostSockets = Math.max(this.mostSockets, this.sockets.size);
    const heard = { at: fate === 'black_holed' ? -Infinity : this.clock.steady() };
    const position = { at: from };
    return {
      account: { id: '1', name: 'scripted' },
      catchUp: () => (fate === 'stuck_catching_up' ? this.#frames(socket, heard, over.signal) : this.#missed(position)),
      events: () => this.#polls(socket, position, heard, over.signal),
      progress: () => heard.at,
      ended: ended.promise,
      [Symbol.asyncDispose]: async () => {
        if (socket.hangsAtClose) return new Promise<never>(() => {});
        end({ kind: 'closed', why: 'Closed.', ...(this.resumeAtClose !== undefined && { resume: this.resumeAtClose }) });
      },
    };
  }

  async *#missed(position: { at: number }): AsyncGenerator<EventBatch> {
    while (position.at < this.said.length) yield [this.#event(position.at++)];
  }
  async *#frames(socket: Socket, heard: { at: number }, over: AbortSignal): AsyncGenerator<EventBatch> {
    while (!over.aborted) {
      await this.clock.sleep(this.pollMs, over);
      if (!socket.isDeaf) heard.at = this.clock.steady();
    }
    yield [];
  }
  async *#polls(socket: Socket, position: { at: number }, heard: { at: number }, over: AbortSignal): AsyncGenerator<EventBatch> {
    while (!over.aborted) {
      if (position.at >= this.said.length) {
        const enough = new AbortController();
        await Promise.race([this.#wake.promise, this.clock.sleep(this.pollMs, AbortSignal.any([over, enough.signal]))]);
        enough.abort();
      }
      if (over.aborted) return;
      if (socket.isDeaf) return void (await new Promise((resolve) => over.addEventListener('abort', resolve)));
      heard.at = this.clock.steady();
      if (position.at < this.said.length) yield [this.#event(position.at++)];
    }
  }
  #event(index: number): EventBatch[number] {
    return {
      type: 'message',
      key: String(index),
      messageId: String(index),
      chat: { chatId: 'c', type: 'private' },
      sender: { id: 'p', isBot: false },
      sentAt: 0,
      text: this.said[index] ?? '',
      isAddressed: true,
      media: [],
      cursor: { scope: 'updates', value: String(index + 1) },
    };
  }
}
