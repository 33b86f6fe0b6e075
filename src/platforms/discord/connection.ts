import { readPath, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { waitAtMost } from '../../base/waits.ts';
import type {
  ConnectionEnd,
  Cursor,
  CursorNote,
  EventBatch,
  PlatformConnection,
  PlatformEvent,
  PlatformIdentity,
} from '../../contracts/platform-adapter.ts';
import { planCatchUp, readMissed, START_SCOPE, startCursor } from './catch-up.ts';
import { isKnown, listAt, type ChannelBook, type KnownChannel } from './channels.ts';
import { isNewer, readInteraction, readMessage, type DecodeContext } from './codec.ts';
import { readThreadPlan, type ThreadPlan } from './outbound.ts';
import type { DiscordRest } from './rest.ts';
import type { DiscordSettings } from './settings.ts';
import { DiscordSocket } from './socket.ts';

/** What the next connection goes on from. */
export interface ResumePoint {
  readonly session: string;
  readonly seq: number;
  readonly url: string;
  readonly account: PlatformIdentity;
  /** How often it was tried in a row without a connection that held. */
  readonly tries: number;
}
const MAX_RESUMES = 3;
const MAX_BATCH = 100;
/** The scope of the session and how far of it was kept: a new process goes on with it, and so hears of chats that nobody knew. */
export const SESSION_SCOPE = 'session';
/** After a fresh login Discord describes each guild; one that is down is not waited for. */
const GUILDS_MS = 5_000;

export interface DiscordConnectionDeps {
  readonly rest: DiscordRest;
  readonly channels: ChannelBook;
  readonly settings: DiscordSettings;
  readonly cursors: readonly Cursor[];
  /** A command or a press came: Discord wants to hear of it in three seconds. */
  readonly onInteraction: (data: Json) => void;
  /** A message is to be answered in a thread of its own. */
  readonly onThread: (id: string, plan: ThreadPlan) => void;
}

interface PendingDispatch {
  readonly seq: number;
  readonly type: string;
  readonly data: Json;
}

const EVENTS: ReadonlySet<string> = new Set(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'INTERACTION_CREATE']);

export class DiscordConnection implements PlatformConnection {
  readonly ended: Promise<ConnectionEnd>;
  readonly #deps: DiscordConnectionDeps;
  readonly #socket: DiscordSocket;
  readonly #stop = new AbortController();
  /** Received and not yet known to be committed, oldest first. */
  readonly #open: PendingDispatch[] = [];
  readonly #caughtUp = new Map<string, string>();
  readonly #guilds = Promise.withResolvers<void>();
  readonly #missingGuilds = new Set<string>();
  readonly #from: ResumePoint | undefined;
  #given = 0;
  #lastSeq: number;
  #session: string;
  #resumeUrl: string;
  #account: PlatformIdentity;
  #wake = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(url: string, from: ResumePoint | undefined, deps: DiscordConnectionDeps) {
    this.#deps = deps;
    this.#from = from;
    this.#account = from?.account ?? { id: '', name: '' };
    deps.channels.selfId = this.#account.id;
    this.#lastSeq = from?.seq ?? 0;
    [this.#session, this.#resumeUrl] = [from?.session ?? '', from?.url ?? url];
    this.#socket = new DiscordSocket({
      url: withQuery(from?.url ?? url),
      token: deps.settings.token,
      ...(from !== undefined && { resume: from }),
      onDispatch: (type, data, seq) => this.#receive(type, data, seq),
    });
    this.ended = this.#socket.ended.then(({ resumes, ...end }) => {
      this.#hasEnded = true;
      this.#guilds.resolve();
      this.#wake.resolve();
      const resume = resumes ? this.#resumePoint() : undefined;
      return { ...end, ...(resume !== undefined && { resume: { ...resume, account: { ...resume.account } } }) };
    });
  }

  get account(): PlatformIdentity {
    return this.#account;
  }

  /** Whether the login succeeded. */
  async login(): Promise<boolean> {
    return (await this.#socket.ready) !== undefined;
  }

  progress(): number {
    return this.#socket.receivedAt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake.resolve();
    await this.#socket[Symbol.asyncDispose]();
  }

  #resumePoint(): ResumePoint | undefined {
    if (this.#session === '') return undefined;
    const tries = this.#socket.beats > 0 ? 0 : (this.#from?.tries ?? -1) + 1;
    // A session that broke again and again before its first heartbeat is given up.
    if (tries >= MAX_RESUMES) return undefined;
    return this.#pointAt(this.#keptSeq(), tries);
  }

  /** The last event before the first that is not known to be committed. */
  #keptSeq(): number {
    const first = this.#open[0];
    return first === undefined ? this.#lastSeq : first.seq - 1;
  }

  #pointAt(seq: number, tries: number): ResumePoint {
    return { session: this.#session, seq, url: this.#resumeUrl, account: this.#account, tries };
  }

  #noteSession(seq: number): CursorNote {
    return { type: 'cursor', cursor: { scope: SESSION_SCOPE, value: JSON.stringify(this.#pointAt(seq, 0)) } };
  }

  #receive(type: string, data: Json, seq: number): void {
    this.#lastSeq = seq;
    if (type === 'READY') this.#begin(data);
    this.#deps.channels.note(type, data);
    if (type === 'GUILD_CREATE') this.#seeGuild(readStringAt(data, 'id') ?? '');
    if (type === 'INTERACTION_CREATE') this.#deps.onInteraction(data);
    if (type === 'MESSAGE_CREATE' && readStringAt(data, 'author', 'id') === this.#account.id)
      this.#deps.channels.join(readStringAt(data, 'channel_id') ?? '');
    if (!EVENTS.has(type)) return;
    // Only in private has a message no guild, and then there is nothing more to know.
    const channelId = readStringAt(data, 'channel_id') ?? '';
    if (readStringAt(data, 'guild_id') === undefined && this.#deps.channels.get(channelId) === undefined)
      this.#deps.channels.add({ id: channelId, type: 1 });
    this.#open.push({ seq, type, data });
    this.#wake.resolve();
  }

  #begin(data: Json): void {
    const id = readStringAt(data, 'user', 'id') ?? '';
    this.#account = { id, name: readStringAt(data, 'user', 'username') ?? '' };
    this.#session = readStringAt(data, 'session_id') ?? '';
    this.#resumeUrl = readStringAt(data, 'resume_gateway_url') ?? this.#resumeUrl;
    this.#deps.channels.selfId = id;
    for (const guild of listAt(data, 'guilds')) this.#missingGuilds.add(readStringAt(guild, 'id') ?? '');
    if (this.#missingGuilds.size === 0) this.#guilds.resolve();
  }

  #seeGuild(id: string): void {
    this.#missingGuilds.delete(id);
    if (this.#missingGuilds.size === 0) this.#guilds.resolve();
  }

  async *catchUp(): AsyncGenerator<EventBatch, void> {
    const { rest, channels, settings, cursors } = this.#deps;
    const isFresh = this.#from === undefined;
    if (isFresh) await waitAtMost(this.#guilds.promise, GUILDS_MS);
    const isFirst = !cursors.some(({ scope }) => scope === START_SCOPE);
    yield [...(isFirst ? [{ type: 'cursor', cursor: startCursor(rest) } as const] : []), this.#noteSession(this.#keptSeq())];
    const options = { rest, channels, gate: settings.listens, cursors, signal: this.#stop.signal };
    try {
      for await (const { channelId, messages } of readMissed(planCatchUp(options, isFresh), options)) {
        const batch = await this.#decodeAll(messages.map((data) => ({ type: 'MESSAGE_CREATE', data })));
        const last = readStringAt(messages.at(-1), 'id');
        if (last !== undefined) this.#caughtUp.set(channelId, last);
        if (batch.length > 0) yield batch;
      }
    } catch (error) {
      // What comes now must not overtake what was missed: the next connection tries again.
      this.#fail(error);
    }
  }

  async *events(): AsyncGenerator<EventBatch, void> {
    for (;;) {
      // Whoever asks for the next batch has committed the last one.
      this.#open.splice(0, this.#given);
      this.#given = 0;
      if (this.#stop.signal.aborted) return;
      if (this.#open.length === 0) {
        if (this.#hasEnded) return;
        await this.#wake.promise;
        this.#wake = Promise.withResolvers<void>();
        if (this.#hasEnded) this.#wake.resolve();
        continue;
      }
      const taken = this.#open.slice(0, MAX_BATCH);
      const batch = await this.#decodeAll(taken.filter((event) => !this.#isCaughtUp(event))).catch((error: unknown) => this.#fail(error));
      if (batch === undefined) return;
      this.#given = taken.length;
      if (batch.length > 0) yield [...batch, this.#noteSession(taken.at(-1)?.seq ?? 0)];
    }
  }

  #fail(error: unknown): undefined {
    if (this.#stop.signal.aborted) return;
    this.#socket.fail(`Discord could not be asked: ${error instanceof Error ? error.message : String(error)}`);
    this.#stop.abort();
  }

  #isCaughtUp({ type, data }: PendingDispatch): boolean {
    const last = this.#caughtUp.get(readStringAt(data, 'channel_id') ?? '');
    return type === 'MESSAGE_CREATE' && last !== undefined && !isNewer(readStringAt(data, 'id') ?? '0', last);
  }

  async #decodeAll(events: readonly Pick<PendingDispatch, 'type' | 'data'>[]): Promise<PlatformEvent[]> {
    const decoded: PlatformEvent[] = [];
    for (const event of events) {
      const found = await this.#decode(event);
      if (found !== undefined) decoded.push(found);
    }
    return decoded;
  }

  async #decode({ type, data }: Pick<PendingDispatch, 'type' | 'data'>): Promise<PlatformEvent | undefined> {
    const { settings } = this.#deps;
    const channel = await this.#channelOf(data);
    if (channel === undefined) return undefined;
    const context: DecodeContext = {
      selfId: this.#account.id,
      ownRoles: this.#deps.channels.ownRoles,
      channel,
      gate: settings.listens,
      startsThreads: settings.startsThreads,
    };
    if (type === 'INTERACTION_CREATE') return readInteraction(data, context);
    const message = readMessage(data, context, type === 'MESSAGE_UPDATE');
    const plan = readThreadPlan(message?.handle);
    if (message !== undefined && plan !== undefined) this.#deps.onThread(message.messageId, plan);
    return message;
  }

  /** Where an event happened. What an event does not tell is asked for; one that cannot be asked for now ends the connection. */
  async #channelOf(data: Json): Promise<KnownChannel | undefined> {
    const { channels } = this.#deps;
    const id = readStringAt(data, 'channel_id') ?? '';
    const told = readPath(data, 'channel');
    const found = (told === undefined ? undefined : channels.add(told)) ?? (await channels.find(id, this.#stop.signal));
    if (isKnown(found)) return found;
    if (found.type === 'refused') return undefined;
    throw new Error('why' in found ? found.why : 'too many calls');
  }
}

const withQuery = (url: string): string => `${url.replace(/\/?(?:\?.*)?$/, '')}/?v=10&encoding=json`;
