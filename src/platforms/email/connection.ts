import type { ConnectionEnd, EventBatch, PlatformConnection, PlatformIdentity } from '../../contracts/platform-adapter.ts';
import { advance, isReceived, isStale, oldestNew, writeCursor, type FolderPosition, type Unfinished } from './cursor.ts';
import { MailFailure, toEnd } from './failures.ts';
import type { OpenFolder } from './mailbox.ts';
import { arrivedAt, readMail, toBatch, type LookedMail, type MailReceiveDeps } from './receive.ts';

export interface EmailConnectionDeps extends MailReceiveDeps {
  readonly folder: OpenFolder;
  /** Absent only at the very first start. */
  readonly position: FolderPosition | undefined;
  /** Mails that were begun and not read to their end, by number: one that never can be is passed over. */
  readonly troubles: Map<number, Unfinished>;
  readonly log: (words: string) => void;
}

const MAX_BATCH = 20;
/**
 * How often a mail is begun before it is passed over, and for how long at least: a stop or an update leaves no word of why it
 * came, and a server that hangs for a while must cost no mail, however often somebody starts the gateway again meanwhile.
 */
const MAX_TROUBLES = 5;
const MIN_TROUBLED_MS = 15 * 60_000;

/** One connection to a folder. Nothing is marked as read there: how far was received is kept by us. */
export class EmailConnection implements PlatformConnection {
  readonly account: PlatformIdentity;
  readonly ended: Promise<ConnectionEnd>;
  readonly #deps: EmailConnectionDeps;
  readonly #over = new AbortController();
  #position: FolderPosition;

  constructor(deps: EmailConnectionDeps) {
    const { folder, position, settings } = deps;
    this.#deps = deps;
    this.account = { id: settings.address, name: settings.address };
    this.#position = position ?? { validity: folder.validity, uid: folder.nextUid - 1, at: Date.now(), recent: [] };
    this.ended = folder.ended.then((failure) => {
      this.#over.abort();
      return toEnd(failure);
    });
  }

  async *catchUp(): AsyncGenerator<EventBatch, void> {
    if (this.#deps.position === undefined) yield [{ type: 'cursor', cursor: writeCursor(this.#position) }];
    yield* this.#untilBroken(async function* (this: EmailConnection) {
      if (isStale(this.#position, this.#deps.folder)) yield* this.#findPlaceAgain();
      yield* this.#readNew();
    });
  }

  async *events(): AsyncGenerator<EventBatch, void> {
    yield* this.#untilBroken(async function* (this: EmailConnection) {
      while (!this.#over.signal.aborted) {
        await this.#deps.folder.waitForNews(this.#over.signal);
        yield* this.#readNew();
      }
    });
  }

  progress(): number {
    return this.#deps.folder.heardAt();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deps.folder[Symbol.asyncDispose]();
  }

  /** What breaks the connection ends the stream; how it ended is told by `ended`. */
  async *#untilBroken(read: (this: EmailConnection) => AsyncGenerator<EventBatch, void>): AsyncGenerator<EventBatch, void> {
    try {
      yield* read.call(this);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      await this.#deps.folder[Symbol.asyncDispose]();
    }
  }

  async *#readNew(): AsyncGenerator<EventBatch, void> {
    const { folder, troubles } = this.#deps;
    const uids = await folder.listAfter(this.#position.uid);
    // Somebody may have deleted one meanwhile: nothing is left to read of it.
    for (const uid of troubles.keys()) if (!uids.includes(uid)) troubles.delete(uid);
    for (const some of this.#inPortions(uids)) {
      yield* this.#noteReading(some);
      const { batch, after } = toBatch(await this.#read(some), this.#position);
      const passed = { ...after, uid: Math.max(after.uid, some.at(-1) ?? 0) };
      yield batch.length > 0 ? batch : [{ type: 'cursor', cursor: writeCursor(passed) }];
      this.#position = passed;
      for (const uid of some) troubles.delete(uid);
    }
  }

  /**
   * The server numbers its mails anew. Those that came since the last one are read again; what was received already is known by
   * its key, here or in the store. The new place is kept when all of them are: whoever dies before that begins again.
   */
  async *#findPlaceAgain(): AsyncGenerator<EventBatch, void> {
    const { folder, troubles, log } = this.#deps;
    const before = this.#position;
    log('The mail server has numbered its mails anew. Looking for those that were not received yet.');
    const oldest = oldestNew(before);
    const uids = await folder.listSince(oldest);
    let after: FolderPosition = { ...before, validity: folder.validity, uid: folder.nextUid - 1 };
    for (const some of this.#inPortions(uids)) {
      yield* this.#noteReading(some);
      const mails = await this.#read(some, oldest);
      // What is passed over stays known: whoever dies later comes here again.
      for (const uid of this.#readable(some)) troubles.delete(uid);
      const fresh = mails.filter(({ key }) => !isReceived(after, key));
      after = fresh.reduce(advance, after);
      const events = fresh.flatMap(({ event }) => event ?? []);
      if (events.length > 0) yield events;
    }
    yield [{ type: 'cursor', cursor: writeCursor(after) }];
    this.#position = after;
    troubles.clear();
  }

  /** After trouble one by one, so that it is known at which. */
  *#inPortions(uids: readonly number[]): Generator<readonly number[], void> {
    for (let at = 0; at < uids.length;) {
      const some = uids.slice(at, at + (this.#deps.troubles.size > 0 ? 1 : MAX_BATCH));
      at += some.length;
      yield some;
    }
  }

  *#noteReading(uids: readonly number[]): Generator<EventBatch, void> {
    const { folder, troubles } = this.#deps;
    const begun = this.#readable(uids).map((uid) => [uid, this.#onceMore(uid)] as const);
    if (begun.length === 0) return;
    const reading = { validity: folder.validity, unfinished: new Map([...troubles, ...begun]) };
    yield [{ type: 'cursor', cursor: writeCursor(this.#position, reading) }];
  }

  #onceMore(uid: number): Unfinished {
    const { times, since } = this.#deps.troubles.get(uid) ?? { times: 0, since: Date.now() };
    return { times: times + 1, since };
  }

  #readable(uids: readonly number[]): readonly number[] {
    const { troubles } = this.#deps;
    return uids.filter((uid) => {
      const { times, since } = troubles.get(uid) ?? { times: 0, since: 0 };
      // A clock that was set back since then must not make it for ever.
      return times < MAX_TROUBLES || Math.abs(Date.now() - since) < MIN_TROUBLED_MS;
    });
  }

  async #read(uids: readonly number[], oldest = 0): Promise<readonly LookedMail[]> {
    const { folder, troubles, record } = this.#deps;
    const wanted = this.#readable(uids);
    for (const uid of uids)
      if (!wanted.includes(uid))
        record(
          `Passed over mail number ${uid}: ${troubles.get(uid)?.times} times the connection broke, or the adapter stopped, while it was read.`,
        );
    if (wanted.length === 0) return [];
    try {
      const heads = await folder.readHeads(wanted);
      const mails: LookedMail[] = [];
      for (const head of heads) if (arrivedAt(head) >= oldest) mails.push(await readMail(folder, head, this.#deps));
      return mails;
    } catch (error) {
      // Whoever closes it breaks it at some mail too.
      if (!(error instanceof MailFailure && error.kind === 'closed')) for (const uid of wanted) troubles.set(uid, this.#onceMore(uid));
      throw error;
    }
  }
}
