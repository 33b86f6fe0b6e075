import type { Json, JsonObject } from '../../../base/json-types.ts';
import { refusals } from './errors.ts';
import type { DiscordAttachment, DiscordChannelKind, DiscordUser } from './wire.ts';

/** A bot account: who it is, what it logs in with, and whether its page grants the privileged intents. */
export interface DiscordBot {
  readonly id: string;
  readonly token: string;
  readonly user: DiscordUser;
  readonly isPrivileged: boolean;
}

export interface DiscordGuild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** Everybody in it, bots included. */
  readonly members: ReadonlySet<string>;
}

export interface DiscordChannel {
  readonly id: string;
  readonly kind: DiscordChannelKind;
  readonly name: string;
  readonly topic?: string;
  readonly guildId?: string;
  readonly parentId?: string;
  /** Of a direct channel: the bot and the person. Of a thread: who joined it. */
  readonly members: Set<string>;
  /** Bots that may not see it. */
  readonly hiddenFrom: ReadonlySet<string>;
  readonly ownerId?: string;
  /** In order, deleted ones too. */
  readonly messages: DiscordMessage[];
  archived: boolean;
  isDeleted: boolean;
}

/** What a message said, since when, and the number of the request that made it so (none for a person). */
export interface DiscordVersion {
  readonly content: string;
  readonly at: number;
  readonly request?: number;
}

export interface DiscordMessage {
  readonly id: string;
  readonly channelId: string;
  readonly author: DiscordUser;
  readonly nonce?: string;
  readonly type: number;
  readonly reference?: string;
  /** What it forwards, as it was then. */
  readonly forwarded?: DiscordMessage;
  /** Only this person sees it. */
  readonly ephemeralFor?: string;
  readonly interactionId?: string;
  readonly versions: DiscordVersion[];
  readonly attachments: DiscordAttachment[];
  /** Emoji → who put it there. */
  readonly reactions: Map<string, Set<string>>;
  mentions: readonly string[];
  mentionsEveryone: boolean;
  components: Json;
  embeds: Json;
  flags: number;
  deletedAt?: number;
}

/** Everything Discord keeps. */
export interface DiscordWorld {
  readonly origin: string;
  readonly nextId: () => string;
  readonly bots: Map<string, DiscordBot>;
  readonly users: Map<string, DiscordUser>;
  /** People who take no direct messages from bots. */
  readonly closedDms: Set<string>;
  readonly guilds: Map<string, DiscordGuild>;
  readonly channels: Map<string, DiscordChannel>;
  readonly messages: Map<string, DiscordMessage>;
  /** By path. */
  readonly files: Map<string, Buffer>;
  /** `bot` or `bot/guild` → its commands. */
  readonly commands: Map<string, JsonObject[]>;
}

export function createWorld(origin: string): DiscordWorld {
  return {
    origin,
    nextId: createSnowflakes(),
    bots: new Map(),
    users: new Map(),
    closedDms: new Set(),
    guilds: new Map(),
    channels: new Map(),
    messages: new Map(),
    files: new Map(),
    commands: new Map(),
  };
}

const DISCORD_EPOCH = Date.UTC(2015, 0, 1);

/** Ids that grow with time, as Discord's do; two made in the same millisecond still differ and keep their order. */
function createSnowflakes(): () => string {
  let last = 0n;
  return () => {
    const now = BigInt(Date.now() - DISCORD_EPOCH) << 22n;
    last = now > last ? now : last + 1n;
    return String(last);
  };
}

export const timeOf = (id: string): string => new Date(Number(BigInt(id) >> 22n) + DISCORD_EPOCH).toISOString();

export function addUser(world: DiscordWorld, name: string, bot = false): DiscordUser {
  const user: DiscordUser = { id: world.nextId(), username: name, global_name: name, discriminator: '0', avatar: null, bot };
  world.users.set(user.id, user);
  return user;
}

export interface DiscordChannelOptions {
  readonly kind: DiscordChannelKind;
  readonly name?: string;
  readonly topic?: string;
  readonly guildId?: string;
  readonly parentId?: string;
  readonly members?: readonly string[];
  readonly hiddenFrom?: readonly string[];
  readonly ownerId?: string;
  /** A thread made from a message has the message's id. */
  readonly id?: string;
}

export function addChannel(world: DiscordWorld, given: DiscordChannelOptions): DiscordChannel {
  const { id = world.nextId(), name = '', members = [], hiddenFrom = [], ...rest } = given;
  const sets = { members: new Set(members), hiddenFrom: new Set(hiddenFrom) };
  const channel: DiscordChannel = { ...rest, ...sets, id, name, messages: [], archived: false, isDeleted: false };
  world.channels.set(id, channel);
  return channel;
}

/** The direct channel of a bot and a person: there is one, and it is made when first asked for. */
export function directChannel(world: DiscordWorld, botId: string, userId: string): DiscordChannel {
  const known = [...world.channels.values()].find(({ kind, members }) => kind === 'dm' && members.has(botId) && members.has(userId));
  return known ?? addChannel(world, { kind: 'dm', members: [botId, userId] });
}

export function canSee(world: DiscordWorld, botId: string, channel: DiscordChannel): boolean {
  if (channel.kind === 'dm') return channel.members.has(botId);
  const parent = channel.parentId === undefined ? undefined : world.channels.get(channel.parentId);
  const isHidden = channel.hiddenFrom.has(botId) || parent?.hiddenFrom.has(botId) === true;
  return !isHidden && world.guilds.get(channel.guildId ?? '')?.members.has(botId) === true;
}

/** The channel a bot names, when it exists and the bot may see it. */
export function channelFor(world: DiscordWorld, botId: string, id: string): DiscordChannel {
  const channel = world.channels.get(id);
  if (channel === undefined || channel.isDeleted) throw refusals.unknownChannel();
  if (!canSee(world, botId, channel)) throw refusals.missingAccess();
  return channel;
}

export function guildFor(world: DiscordWorld, botId: string, id: string): DiscordGuild {
  const guild = world.guilds.get(id);
  if (guild === undefined) throw refusals.unknownGuild();
  if (!guild.members.has(botId)) throw refusals.missingAccess();
  return guild;
}
