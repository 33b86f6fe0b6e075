import type { JsonObject } from '../../../base/json-types.ts';
import { CHANNEL_TYPES, type DiscordUser } from './wire.ts';
import { canSee, timeOf, type DiscordChannel, type DiscordGuild, type DiscordWorld } from './world.ts';

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
