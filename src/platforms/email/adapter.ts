import { setTimeout as sleep } from 'node:timers/promises';
import { readPath, readStringAt } from '../../base/json.ts';
import { waitAtMost, waitUnlessAborted } from '../../base/waits.ts';
import type {
  AdapterOptions,
  ConnectOptions,
  ConnectResult,
  DownloadResult,
  FindSentResult,
  InboundMedia,
  OutboundMessage,
  PlatformAdapter,
  SendResult,
} from '../../contracts/platform-adapter.ts';
import { decodeNames } from './bodies.ts';
import { addressOfChat, toMessageId, type ReplyHandle } from './codec.ts';
import { composeMail, type ComposedMail } from './compose.ts';
import { EmailConnection } from './connection.ts';
import { readCursor, readUnfinished, type Unfinished } from './cursor.ts';
import { downloadPart } from './download.ts';
import { toEnd, toMailFailure } from './failures.ts';
import { parseHeader } from './headers.ts';
import { openFolder, type OpenFolder } from './mailbox.ts';
import { MailReader } from './reader.ts';
import { createRecorder } from './recorder.ts';
import { createReplyChains, type ReplyChains } from './reply-chain.ts';
import { readSettings, type EmailSettings } from './settings.ts';
import { sendMail } from './smtp.ts';
import { isNamed, readThread } from './thread.ts';

/** A copy of what was sent may take a moment to be filed. */
const FILING_MS = 3_000;
const LOOK_MS = 500;
const THREAD_MS = 10_000;
/** So long a mail waits for those before it; then it comes another time. */
const TURN_MS = 10_000;

export class EmailAdapter implements PlatformAdapter {
  readonly #options: AdapterOptions;
  readonly #settings: EmailSettings;
  readonly #reader: MailReader;
  readonly #chains: ReplyChains;
  readonly #record: (words: string) => void;
  readonly #life = new AbortController();
  readonly #filing = new Set<Promise<void>>();
  #connection: EmailConnection | undefined;
  #troubles: Map<number, Unfinished> | undefined;
  /** Mails go out one after the other: of one alone it can be unknown whether it was taken, whoever dies. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#settings = readSettings(options.settings);
    this.#reader = new MailReader(this.#settings);
    this.#chains = createReplyChains(this.#settings.maxQuickReplies, () => performance.now());
    this.#record = createRecorder(options.log, () => performance.now());
  }

  async connect({ cursors, signal }: ConnectOptions): Promise<ConnectResult> {
    await this.#connection?.[Symbol.asyncDispose]();
    const { log } = this.#options;
    const settings = this.#settings;
    try {
      const folder = await openFolder(settings, settings.folder, AbortSignal.any([signal, this.#life.signal]));
      if (settings.rules.serverId === undefined && settings.rules.trusted.size === 0)
        log('Nobody is known by address here: set EMAIL_AUTHSERV_ID or platforms.email.extra.trust_from (docs/email.md).');
      const position = readCursor(cursors);
      const [chains, record] = [this.#chains, this.#record];
      // What is noted there ended an adapter before this one; from now on it is known here.
      const troubles = (this.#troubles ??= readUnfinished(cursors, folder));
      this.#connection = new EmailConnection({ folder, settings, position, chains, record, troubles, log });
      return { type: 'connected', connection: this.#connection };
    } catch (error) {
      return { type: 'failed', ...toEnd(toMailFailure(error)) };
    }
  }

  async send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
    const until = AbortSignal.any([signal, this.#life.signal]);
    const mail = await composeMail(message, await this.#findReply(message, until), this.#settings);
    const before = this.#sending;
    const turn = Promise.withResolvers<void>();
    this.#sending = before.then(() => turn.promise);
    try {
      const isMine = await waitUnlessAborted(waitAtMost(before, TURN_MS), until);
      if (isMine !== true) return { type: 'not_sent', why: 'other mails are being sent' };
      const result = await sendMail(mail, this.#settings, until);
      return result.type === 'sent' ? this.#noteSent(message, mail, result) : result;
    } finally {
      turn.resolve();
    }
  }

  #noteSent(message: OutboundMessage, mail: ComposedMail, result: SendResult): SendResult {
    this.#chains.sent(addressOfChat(message));
    if (this.#settings.savesSent) this.#file(mail);
    return result;
  }

  /** Looks among the copies of what was sent. Where the server keeps none, it is as if it were not there: it goes out again under the same id. */
  async findSent(message: OutboundMessage, since: number, signal: AbortSignal): Promise<FindSentResult> {
    const id = toMessageId(message.key, this.#settings.address);
    const until = AbortSignal.any([signal, this.#life.signal]);
    try {
      for (;;) {
        const path = await this.#reader.use(this.#settings.folder, (folder) => folder.findSentFolder(), until);
        if (path === undefined) return { type: 'absent' };
        const found = await this.#reader.use(path, (folder) => folder.findByMessageId(id), until);
        if (found.length > 0) return { type: 'found', messageId: id };
        if (Date.now() - since > FILING_MS) return { type: 'absent' };
        await sleep(LOOK_MS, undefined, { signal: until });
      }
    } catch (error) {
      return { type: 'unknown', why: toMailFailure(error).message };
    }
  }

  download(media: InboundMedia, to: { readonly path: string; readonly maxBytes: number }, signal: AbortSignal): Promise<DownloadResult> {
    return downloadPart(this.#reader, this.#settings, media, to, AbortSignal.any([signal, this.#life.signal]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What was sent is filed if that takes but a moment.
    await Promise.race([Promise.all(this.#filing), sleep(1_000)]);
    this.#life.abort();
    await this.#connection?.[Symbol.asyncDispose]();
    await this.#reader[Symbol.asyncDispose]();
  }

  /** The mail that is answered: as the event told it, or as it lies in the mailbox. */
  async #findReply({ handle, replyTo, threadId }: OutboundMessage, signal: AbortSignal): Promise<ReplyHandle | undefined> {
    const [subject, references] = [readStringAt(handle, 'subject'), readPath(handle, 'references')];
    if (subject !== undefined && Array.isArray(references)) return { subject, references: references.map(String) };
    const id = replyTo ?? threadId;
    if (id === undefined || !isNamed(id)) return undefined;
    const within = AbortSignal.any([signal, AbortSignal.timeout(THREAD_MS)]);
    const known = await this.#reader.use(this.#settings.folder, (folder) => readReply(folder, id), within).catch(() => undefined);
    return known ?? { subject: '', references: [id] };
  }

  /** Keeps a copy where people look for what was sent. Nothing waits for it. */
  #file({ raw }: ComposedMail): void {
    const filing = this.#reader
      .use(this.#settings.folder, (folder) => folder.keepSent(raw), this.#life.signal)
      .catch((error: unknown) => this.#record(`No copy of a sent mail was kept: ${toMailFailure(error).message}`))
      .finally(() => this.#filing.delete(filing));
    this.#filing.add(filing);
  }
}

async function readReply(folder: OpenFolder, id: string): Promise<ReplyHandle | undefined> {
  const uid = (await folder.findByMessageId(id)).at(-1);
  const [head] = uid === undefined ? [] : await folder.readHeads([uid]);
  if (head === undefined) return undefined;
  const { subject } = await decodeNames(head.header);
  const { references, messageId } = readThread(parseHeader(head.header));
  return { subject, references: [...references, messageId] };
}
