import { ImapFlow } from 'imapflow';
import { MailFailure, toMailFailure } from './failures.ts';
import type { EmailSettings } from './settings.ts';

const CONNECT_MS = 20_000;
const CALL_MS = 30_000;

/** One connection to the mail server: calls that end, and how it ended. */
export class ImapLine {
  readonly client: ImapFlow;
  /** Why it is over. Never rejects. */
  readonly ended: Promise<MailFailure>;
  readonly #over = Promise.withResolvers<MailFailure>();
  /** Calls that wait for an answer. */
  readonly #waiting = new Set<(failure: MailFailure) => void>();
  #heardAt = performance.now();

  constructor(settings: EmailSettings, signal: AbortSignal) {
    this.client = createClient(settings);
    this.ended = this.#over.promise;
    this.client.on('error', (error: unknown) => this.#end(toMailFailure(error)));
    this.client.on('close', () => this.#end(new MailFailure('broken', 'The mail server closed the connection.')));
    const stop = (): void => this.close();
    signal.addEventListener('abort', stop, { once: true });
    void this.ended.then(() => signal.removeEventListener('abort', stop));
  }

  async connect(): Promise<void> {
    await this.call(() => this.client.connect(), 2 * CONNECT_MS);
  }

  /** An answer of the server. Without one in time, or when the connection ends, it is a `MailFailure`, and the connection is over. */
  async call<Value>(run: () => Promise<Value>, ms = CALL_MS): Promise<Value> {
    const value = await this.wait(run, ms);
    this.hear();
    return value;
  }

  /** The same for what may come true without a word of the server. */
  async wait<Value>(run: () => Promise<Value>, ms: number): Promise<Value> {
    const failed = Promise.withResolvers<never>();
    const late = setTimeout(() => this.#end(new MailFailure('broken', `The mail server did not answer for ${ms / 1_000} s.`)), ms);
    this.#waiting.add(failed.reject);
    try {
      return await Promise.race([run(), failed.promise]);
    } catch (error) {
      throw toMailFailure(error);
    } finally {
      clearTimeout(late);
      this.#waiting.delete(failed.reject);
    }
  }

  /** Something came from the server. */
  hear(): void {
    this.#heardAt = performance.now();
  }
  heardAt(): number {
    return this.#heardAt;
  }
  close(): void {
    this.#end(new MailFailure('closed', 'It was closed.'));
  }

  #end(failure: MailFailure): void {
    this.#over.resolve(failure);
    this.client.close();
    for (const fail of this.#waiting) fail(failure);
  }
}

const createClient = ({ imap, user, password }: EmailSettings): ImapFlow =>
  new ImapFlow({
    host: imap.host,
    port: imap.port,
    secure: imap.security === 'tls',
    ...(imap.security !== 'tls' && { doSTARTTLS: imap.security === 'starttls' }),
    auth: { user, pass: password },
    tls: { rejectUnauthorized: !imap.allowsSelfSigned },
    logger: false,
    // Sent only to servers that say they want it.
    clientInfo: { name: 'hermes' },
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    maxLiteralSize: 16 * 1024 * 1024,
    maxResponseSize: 32 * 1024 * 1024,
    maxLineLength: 16 * 1024 * 1024,
  });
