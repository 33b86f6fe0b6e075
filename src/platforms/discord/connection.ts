import { readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { ConnectionEnd, Cursor, EventBatch, PlatformConnection, PlatformIdentity } from '../../contracts/platform-adapter.ts';
import { planCatchUp, readMissed, START_SCOPE, startCursor } from './catch-up.ts';
import { listAt } from './channels.ts';
import { isNewer } from './codec.ts';
import { decodeAll, type DecodeOptions, type RawDispatch } from './decode.ts';
import { openPrivateChats, toPersonCursor } from './private-chats.ts';
import { noteSession, type ResumePoint } from './resume-point.ts';
import type { DiscordRest } from './rest.ts';
import { DiscordSocket } from './socket.ts';

const MAX_RESUMES = 3;
const MAX_BATCH = 100;
/** After a fresh login Discord describes each guild; one that is down is not waited for. */
const GUILDS_MS = 5_000;

export interface DiscordConnectionDeps extends Omit<DecodeOptions, 'signal'> {
  readonly rest: DiscordRest;
  readonly cursors: readonly Cursor[];
  /** Who may write in private. */
  readonly people: readonly string[];
  readonly unreachable: Set<string>;
  /** A command or a press came: Discord wants to hear of it in three seconds. */
  readonly onInteraction: (data: Json) => void;
}

interface PendingDispatch extends RawDispatch {
  readonly seq: number;
}

const EVENTS: ReadonlySet<string> = new Set(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'INTERACTION_CREATE']);

export class DiscordConnection implements PlatformConnection {
  readonly ended: Promise<ConnectionEnd>;
  readonly #deps: DiscordConnectionDeps;
  readonly #socket: DiscordSocket;
  readonly #stop = new AbortController();
  readonly #decoding: DecodeOptions;
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
  /** What was missed before the login is not all kept: neither this process nor the next may go on as if it were. */
  #isBehind: boolean;

  constructor(url: string, from: ResumePoint | undefined, deps: DiscordConnectionDeps) {
    this.#deps = deps;
    this.#decoding = { ...deps, signal: this.#stop.signal };
    this.#from = from;
    this.#isBehind = from === undefined || from.isBehind === true;
    this.#account = from?.account ?? { id: '', name: '' };
    if (from !== undefined) deps.channels.selfId = from.account.id;
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
    // Which channels there are is told once, after the login: who did not hear it to its end cannot read what was missed in them.
    if (this.#session === '' || (this.#isBehind && this.#missingGuilds.size > 0)) return undefined;
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
    const behind = this.#isBehind ? ({ isBehind: true } as const) : {};
    return { session: this.#session, seq, url: this.#resumeUrl, account: this.#account, tries, ...behind };
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
    const isBehind = this.#isBehind;
    if (this.#from === undefined) await waitAtMost(this.#guilds.promise, GUILDS_MS);
    if (!cursors.some(({ scope }) => scope === START_SCOPE)) yield [{ type: 'cursor', cursor: startCursor(rest) }];
    const { signal } = this.#stop;
    try {
      const opened = isBehind ? await openPrivateChats(this.#deps.people, { ...this.#deps, signal }) : new Map<string, string>();
      const found = [...opened].map(([userId, channelId]) => toPersonCursor(userId, channelId));
      if (found.length > 0) yield found.map((cursor) => ({ type: 'cursor', cursor }));
      const options = { rest, channels, gate: settings.listens, cursors: [...cursors, ...found], signal };
      for await (const { channelId, messages } of readMissed(planCatchUp(options, isBehind), options)) {
        const batch = await decodeAll(
          messages.map((data) => ({ type: 'MESSAGE_CREATE', data })),
          this.#decoding,
        );
        const last = readStringAt(messages.at(-1), 'id');
        if (last !== undefined) this.#caughtUp.set(channelId, last);
        if (batch.length > 0) yield batch;
      }
      // Whoever asks on has kept it all. Before that the session is not written down: a new process knows no channels, and logs in afresh.
      this.#isBehind = false;
      yield [noteSession(this.#pointAt(this.#keptSeq(), 0))];
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
      const batch = await decodeAll(
        taken.filter((event) => !this.#isCaughtUp(event)),
        this.#decoding,
      ).catch((error: unknown) => this.#fail(error));
      if (batch === undefined) return;
      this.#given = taken.length;
      if (batch.length > 0) yield [...batch, noteSession(this.#pointAt(taken.at(-1)?.seq ?? 0, 0))];
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
}

const withQuery = (url: string): string => `${url.replace(/\/?(?:\?.*)?$/, '')}/?v=10&encoding=json`;
