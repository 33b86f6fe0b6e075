import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { DiscordCore } from './core.ts';
import { refusals } from './errors.ts';
import { contentOf, messageWire } from './message-wire.ts';
import { CHANNEL_TYPES, INTENTS, MESSAGE_FLAGS, MESSAGE_TYPES, type DiscordAttachment, type DiscordUser } from './wire.ts';
import { memberWire } from './world-wire.ts';
import { canSee, type DiscordBot, type DiscordChannel, type DiscordMessage, type DiscordWorld } from './world.ts';

export const MAX_CONTENT = 2000;
const MAX_NONCE = 25;

/** A file on its way in. */
export interface DiscordFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly description?: string;
}

export interface DiscordDraft {
  readonly channel: DiscordChannel;
  readonly author: DiscordUser;
  readonly content: string;
  readonly files?: readonly DiscordFile[];
  readonly reference?: string;
  readonly forwarded?: DiscordMessage;
  readonly nonce?: string;
  readonly components?: Json;
  readonly embeds?: Json;
  readonly flags?: number;
  readonly type?: number;
  readonly ephemeralFor?: string;
  readonly interactionId?: string;
  readonly allowedMentions?: JsonObject;
  /** The number of the request that makes it; none for a person's. */
  readonly request?: number;
}

export function createMessage(core: DiscordCore, draft: DiscordDraft): DiscordMessage {
  const { channel, author, request, nonce, reference, forwarded, ephemeralFor, interactionId } = draft;
  const id = core.world.nextId();
  const message: DiscordMessage = {
    id,
    channelId: channel.id,
    author,
    type: draft.type ?? (reference === undefined ? MESSAGE_TYPES.normal : MESSAGE_TYPES.reply),
    versions: [{ content: draft.content, at: Date.now(), ...(request !== undefined && { request }) }],
    attachments: storeFiles(core, channel.id, draft.files ?? []),
    reactions: new Map(),
    ...readMentions(core.world, draft),
    components: draft.components ?? [],
    embeds: draft.embeds ?? [],
    flags: draft.flags ?? 0,
    ...(nonce !== undefined && { nonce }),
    ...(reference !== undefined && { reference }),
    ...(forwarded !== undefined && { forwarded }),
    ...(ephemeralFor !== undefined && { ephemeralFor }),
    ...(interactionId !== undefined && { interactionId }),
  };
  core.world.messages.set(id, message);
  channel.messages.push(message);
  if ((message.flags & MESSAGE_FLAGS.loading) === 0) announce(core, 'MESSAGE_CREATE', message);
  return message;
}

/** The message that already has this nonce, when the bot asks that it stand only once. */
export function sameNonce(core: DiscordCore, draft: DiscordDraft): DiscordMessage | undefined {
  const since = Date.now() - core.nonceMs;
  return draft.channel.messages.findLast(
    ({ nonce, author, versions }) => nonce === draft.nonce && author.id === draft.author.id && (versions[0]?.at ?? 0) >= since,
  );
}

export function checkDraft(draft: Pick<DiscordDraft, 'content' | 'files' | 'embeds' | 'components' | 'nonce'>): void {
  const { content, files = [], embeds = [], nonce = '' } = draft;
  const tooLong = (limit: number) => `Must be ${limit} or fewer in length.`;
  if (Array.from(content).length > MAX_CONTENT) throw refusals.badField('content', 'BASE_TYPE_MAX_LENGTH', tooLong(MAX_CONTENT));
  if (nonce.length > MAX_NONCE) throw refusals.badField('nonce', 'BASE_TYPE_MAX_LENGTH', tooLong(MAX_NONCE));
  if (content.trim() === '' && files.length === 0 && Array.isArray(embeds) && embeds.length === 0) throw refusals.emptyMessage();
}

function readMentions(world: DiscordWorld, draft: DiscordDraft): Pick<DiscordMessage, 'mentions' | 'mentionsEveryone'> {
  const { content, allowedMentions, reference } = draft;
  const parse = allowedMentions?.['parse'];
  const allows = (what: string) => allowedMentions === undefined || (Array.isArray(parse) && parse.includes(what));
  const named = [...content.matchAll(/<@!?(\d+)>/g)].map(([, id]) => id ?? '').filter((id) => world.users.has(id));
  const replied = world.messages.get(reference ?? '')?.author.id;
  const pinged = replied !== undefined && allowedMentions?.['replied_user'] !== false ? [replied] : [];
  return {
    mentions: [...new Set([...(allows('users') ? named : []), ...pinged])],
    mentionsEveryone: allows('everyone') && /@(everyone|here)/.test(content),
  };
}

function storeFiles(core: DiscordCore, channelId: string, files: readonly DiscordFile[]): DiscordAttachment[] {
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > core.maxUploadBytes) throw refusals.tooLarge();
  return files.map(({ filename, contentType, bytes, description }) => {
    const id = core.world.nextId();
    const path = `/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`;
    core.world.files.set(path, bytes);
    const url = `${core.world.origin}${path}`;
    const described = description === undefined ? {} : { description };
    return { id, filename, size: bytes.length, content_type: contentType, url, proxy_url: url, ...described };
  });
}

export interface DiscordPatch {
  readonly content?: string;
  readonly components?: Json;
  readonly embeds?: Json;
  readonly flags?: number;
  readonly files?: readonly DiscordFile[];
  readonly request?: number;
}

export function editMessage(core: DiscordCore, message: DiscordMessage, patch: DiscordPatch): DiscordMessage {
  const wasLoading = (message.flags & MESSAGE_FLAGS.loading) !== 0;
  const { content = contentOf(message), request } = patch;
  message.versions.push({ content, at: Date.now(), ...(request !== undefined && { request }) });
  message.attachments.push(...storeFiles(core, message.channelId, patch.files ?? []));
  message.components = patch.components ?? message.components;
  message.embeds = patch.embeds ?? message.embeds;
  message.flags = patch.flags ?? message.flags & ~MESSAGE_FLAGS.loading;
  announce(core, wasLoading ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE', message);
  return message;
}

export function deleteMessage(core: DiscordCore, message: DiscordMessage): void {
  message.deletedAt = Date.now();
  const channel = channelOf(core.world, message);
  const data = { id: message.id, channel_id: channel.id, ...(channel.guildId !== undefined && { guild_id: channel.guildId }) };
  dispatchIn(core, channel, { type: 'MESSAGE_DELETE', id: message.id, intents: messageIntents(channel) }, () => data);
}

export function react(core: DiscordCore, message: DiscordMessage, given: { userId: string; emoji: string; isAdded: boolean }): void {
  const { userId, emoji, isAdded } = given;
  const who = message.reactions.get(emoji) ?? new Set();
  if (isAdded) message.reactions.set(emoji, who.add(userId));
  else who.delete(userId);
  if (who.size === 0) message.reactions.delete(emoji);
  const channel = channelOf(core.world, message);
  const place = { channel_id: channel.id, ...(channel.guildId !== undefined && { guild_id: channel.guildId }) };
  const data = { ...place, user_id: userId, message_id: message.id, emoji: { id: null, name: emoji }, burst: false, type: 0 };
  const intents = channel.kind === 'dm' ? INTENTS.directReactions : INTENTS.guildReactions;
  dispatchIn(core, channel, { type: `MESSAGE_REACTION_${isAdded ? 'ADD' : 'REMOVE'}`, id: message.id, intents }, () => data);
}

/** Hands an event of a channel to every bot that sees the channel. */
export function dispatchIn(
  core: DiscordCore,
  channel: DiscordChannel,
  event: { readonly type: string; readonly id: string; readonly intents: number },
  copyFor: (bot: DiscordBot, intents: number) => JsonObject,
): void {
  core.gateway.dispatch({ ...event, copyFor: (bot, intents) => (canSee(core.world, bot.id, channel) ? copyFor(bot, intents) : undefined) });
}

const messageIntents = (channel: DiscordChannel): number => (channel.kind === 'dm' ? INTENTS.directMessages : INTENTS.guildMessages);

function announce(core: DiscordCore, type: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: DiscordMessage): void {
  if (message.ephemeralFor !== undefined) return;
  const channel = channelOf(core.world, message);
  const inGuild = channel.guildId !== undefined && {
    guild_id: channel.guildId,
    member: { ...memberWire(message.author), user: undefined },
  };
  dispatchIn(core, channel, { type, id: message.id, intents: messageIntents(channel) }, (bot, intents) => {
    const wire: JsonObject = { ...messageWire(core.world, message), ...inGuild, channel_type: CHANNEL_TYPES[channel.kind] };
    const reads = channel.kind === 'dm' || (intents & INTENTS.messageContent) !== 0 || message.mentions.includes(bot.id);
    // Without the intent a bot learns that something was said, not what.
    if (reads || message.author.id === bot.id) return wire;
    const { message_snapshots: _, ...bare } = wire;
    return { ...bare, content: '', attachments: [], embeds: [], components: [] };
  });
}

export function channelOf(world: DiscordWorld, message: DiscordMessage): DiscordChannel {
  const channel = world.channels.get(message.channelId);
  if (channel === undefined) throw refusals.unknownChannel();
  return channel;
}

export function messageIn(channel: DiscordChannel, id: string): DiscordMessage {
  const message = channel.messages.find((one) => one.id === id && one.deletedAt === undefined);
  if (message === undefined) throw refusals.unknownMessage();
  return message;
}
