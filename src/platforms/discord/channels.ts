import { isObject, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { DiscordRest, DiscordResult } from './rest.ts';

/** What is known of a channel. */
export interface KnownChannel {
  readonly id: string;
  readonly type: number;
  readonly name?: string;
  readonly topic?: string;
  readonly parentId?: string;
  readonly guildId?: string;
  readonly lastMessageId?: string;
  /** When we came into its guild: what was said before is not ours to read. */
  readonly joinedAt?: string;
  /** Of a thread: we are in it. */
  readonly isJoined: boolean;
}

const TYPES = { direct: 1, groupDirect: 3, announcement: 5, forum: 15, media: 16 } as const;
const THREAD_TYPES: readonly number[] = [10, 11, 12];

type TypedChannel = Pick<KnownChannel, 'type'>;

export const isDirect = ({ type }: TypedChannel): boolean => type === TYPES.direct || type === TYPES.groupDirect;
export const isThread = ({ type }: TypedChannel): boolean => THREAD_TYPES.includes(type);
/** A channel in which a thread can be started on a message. */
export const takesThreads = ({ type }: TypedChannel): boolean => type === 0 || type === TYPES.announcement;
export const isForum = ({ type }: TypedChannel): boolean => type === TYPES.forum || type === TYPES.media;

/** The channels of one bot, as events tell of them; one that no event told of is asked for. */
export class ChannelBook {
  readonly #rest: DiscordRest;
  readonly #known = new Map<string, KnownChannel>();
  /** The roles that stand for us in guilds; people call us by them too. */
  readonly ownRoles = new Set<string>();
  selfId = '';

  constructor(rest: DiscordRest) {
    this.#rest = rest;
  }

  get(id: string): KnownChannel | undefined {
    return this.#known.get(id);
  }
  list(): readonly KnownChannel[] {
    return [...this.#known.values()];
  }

  /** Takes in whatever an event says of channels. */
  note(type: string, data: Json): void {
    // A fresh login describes everything anew; what it does not name, such as a thread that was archived, is not known any more.
    if (type === 'READY') this.#known.clear();
    else if (type === 'GUILD_CREATE') {
      const guild = { guildId: readStringAt(data, 'id'), joinedAt: readStringAt(data, 'joined_at') };
      for (const role of listAt(data, 'roles'))
        if (readStringAt(role, 'tags', 'bot_id') === this.selfId) this.ownRoles.add(readStringAt(role, 'id') ?? '');
      for (const key of ['channels', 'threads']) for (const channel of listAt(data, key)) this.add(channel, guild);
    } else if (/^(?:CHANNEL|THREAD)_(?:CREATE|UPDATE)$/.test(type)) this.add(data);
    else if (type === 'CHANNEL_DELETE' || type === 'THREAD_DELETE') this.#known.delete(readStringAt(data, 'id') ?? '');
    else if (type === 'THREAD_LIST_SYNC')
      for (const thread of listAt(data, 'threads')) this.add(thread, { guildId: readStringAt(data, 'guild_id') });
    else if (type === 'THREAD_MEMBER_UPDATE') this.join(readStringAt(data, 'id') ?? '');
  }

  join(id: string): void {
    const thread = this.#known.get(id);
    if (thread !== undefined && isThread(thread)) this.#known.set(id, { ...thread, isJoined: true });
  }

  add(data: Json, guild: { readonly guildId?: string | undefined; readonly joinedAt?: string | undefined } = {}): KnownChannel | undefined {
    const [id, type] = [readStringAt(data, 'id'), readNumberAt(data, 'type')];
    if (id === undefined || type === undefined) return undefined;
    const before = this.#known.get(id);
    const optional = {
      name:
        readStringAt(data, 'name') ?? readStringAt(data, 'recipients', 0, 'global_name') ?? readStringAt(data, 'recipients', 0, 'username'),
      topic: readStringAt(data, 'topic'),
      parentId: readStringAt(data, 'parent_id'),
      guildId: readStringAt(data, 'guild_id') ?? guild.guildId ?? before?.guildId,
      joinedAt: guild.joinedAt ?? before?.joinedAt,
      lastMessageId: readStringAt(data, 'last_message_id'),
    };
    const isJoined = isObject(readPath(data, 'member')) || readStringAt(data, 'owner_id') === this.selfId || before?.isJoined === true;
    const channel: KnownChannel = { id, type, isJoined, ...dropUndefined(optional) };
    this.#known.set(id, channel);
    return channel;
  }

  /** The channel, asked for when it is not known; a result when there is none or it could not be asked. */
  async find(id: string, signal: AbortSignal): Promise<KnownChannel | Exclude<DiscordResult, { type: 'ok' }>> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const answer = await this.#rest.call('GET', `/channels/${id}`, { signal });
    if (answer.type !== 'ok') return answer;
    const channel = this.add(answer.body ?? null);
    return channel ?? { type: 'lost', why: 'Discord described a channel in a way that cannot be read' };
  }
}

export const isKnown = (found: KnownChannel | Exclude<DiscordResult, { type: 'ok' }>): found is KnownChannel => 'id' in found;

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = readPath(value, ...path);
  return Array.isArray(found) ? found : [];
}

function dropUndefined<Shape extends Readonly<Record<string, string | undefined>>>(
  shape: Shape,
): { readonly [Key in keyof Shape]?: NonNullable<Shape[Key]> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left has a value
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as {
    readonly [Key in keyof Shape]?: NonNullable<Shape[Key]>;
  };
}
