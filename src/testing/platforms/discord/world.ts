import type { Json, JsonObject } from '../../../base/json-types.ts';
import { refusals } from './errors.ts';
import { CHANNEL_TYPES, type DiscordChannelKind, type DiscordAttachment, type DiscordUser } from './wire.ts';

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

/** A channel as a bot gets it. */
export function channelWire(world: DiscordWorld, channel: DiscordChannel, botId: string): JsonObject {
  const shared = { id: channel.id, type: CHANNEL_TYPES[channel.kind], last_message_id: channel.messages.at(-1)?.id ?? null, flags: 0 };
  if (channel.kind === 'dm') {
    const others = [...channel.members].filter((id) => id !== botId).flatMap((id) => world.users.get(id) ?? []);
    return { ...shared, recipients: others };
  }
  const named = { ...shared, name: channel.name, guild_id: channel.guildId, parent_id: channel.parentId ?? null };
  if (channel.kind !== 'thread') {
    const place = { position: 0, permission_overwrites: [], nsfw: false, rate_limit_per_user: 0, topic: channel.topic ?? null };
    return { ...named, ...place, ...(channel.kind === 'forum' && { available_tags: [], default_reaction_emoji: null }) };
  }
  const thread_metadata = {
    archived: channel.archived,
    locked: false,
    auto_archive_duration: 1440,
    archive_timestamp: timeOf(channel.id),
    create_timestamp: timeOf(channel.id),
  };
  const counts = { message_count: 0, total_message_sent: 0, member_count: channel.members.size, rate_limit_per_user: 0 };
  const member = { id: channel.id, user_id: botId, join_timestamp: timeOf(channel.id), flags: 0 };
  return { ...named, ...counts, owner_id: channel.ownerId, thread_metadata, ...(channel.members.has(botId) && { member }) };
}

export function memberWire(user: DiscordUser): JsonObject {
  return { user, nick: null, avatar: null, roles: [], joined_at: timeOf(user.id), deaf: false, mute: false, flags: 0, pending: false };
}

/** The role that stands for a bot in every guild. */
export const roleOf = (botId: string): string => String(BigInt(botId) + 1_000_000n);

/** What a bot may do here: everything. */
const ALL_PERMISSIONS = String((1n << 50n) - 1n);

export function guildWire(world: DiscordWorld, guild: DiscordGuild, botId: string): JsonObject {
  const inside = [...world.channels.values()].filter((channel) => channel.guildId === guild.id && canSee(world, botId, channel));
  const wires = (isThread: boolean) =>
    inside
      .filter(({ kind, archived }) => (kind === 'thread') === isThread && !archived)
      .map((channel) => channelWire(world, channel, botId));
  const members = [...guild.members].flatMap((id) => world.users.get(id) ?? []).map(memberWire);
  const everyone = { id: guild.id, name: '@everyone', color: 0, colors: { primary_color: 0, secondary_color: null, tertiary_color: null } };
  const role = { ...everyone, hoist: false, position: 0, permissions: ALL_PERMISSIONS, managed: false, mentionable: false, flags: 0 };
  return {
    ...GUILD_DEFAULTS,
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    joined_at: timeOf(guild.id),
    member_count: members.length,
    members,
    roles: [role, { ...role, id: roleOf(botId), name: world.users.get(botId)?.username ?? '', managed: true, tags: { bot_id: botId } }],
    channels: wires(false),
    threads: wires(true),
  };
}

const GUILD_DEFAULTS = {
  icon: null,
  splash: null,
  discovery_splash: null,
  banner: null,
  description: null,
  vanity_url_code: null,
  application_id: null,
  afk_channel_id: null,
  system_channel_id: null,
  rules_channel_id: null,
  public_updates_channel_id: null,
  safety_alerts_channel_id: null,
  afk_timeout: 300,
  system_channel_flags: 0,
  verification_level: 0,
  default_message_notifications: 0,
  explicit_content_filter: 0,
  mfa_level: 0,
  nsfw_level: 0,
  premium_tier: 0,
  premium_subscription_count: 0,
  premium_progress_bar_enabled: false,
  preferred_locale: 'en-US',
  features: [],
  emojis: [],
  stickers: [],
  presences: [],
  voice_states: [],
  stage_instances: [],
  guild_scheduled_events: [],
  soundboard_sounds: [],
  large: false,
  unavailable: false,
} as const;
