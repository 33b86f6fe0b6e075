import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { SlackBot, SlackChannel, SlackFile, SlackMessage, SlackUser } from './world.ts';

export interface MessageViewOptions {
  readonly origin: string;
  readonly withMetadata?: boolean;
}

/** A message as the API and the events show it. */
export function showMessage(
  channel: SlackChannel,
  message: SlackMessage,
  { origin, withMetadata = false }: MessageViewOptions,
): JsonObject {
  const { bot, files, attachments = [], metadata, threadTs, reactions } = message;
  return {
    type: 'message',
    ...(files.length > 0 && { subtype: 'file_share' }),
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: channel.teamId,
    ...(bot === undefined ? { client_msg_id: `client-${message.ts}` } : { bot_id: bot.botId, app_id: bot.app.id }),
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(files.length > 0 && { files: files.map((file) => showFile(file, origin)), upload: false }),
    ...(attachments.length > 0 && { attachments }),
    ...(withMetadata && metadata !== undefined && { metadata }),
    ...(message.editedTs !== undefined && { edited: { user: message.user, ts: message.editedTs } }),
    ...(reactions.length > 0 && { reactions: showReactions(message) }),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...showThread(channel, message),
  };
}

/** A message as it stands in one that shares it. */
export function showShare({ channel, ts, text, files }: SlackMessage, author: SlackUser, origin: string): JsonObject {
  const url = `${origin}/archives/${channel}/p${ts.replace('.', '')}`;
  return {
    id: 1,
    ts,
    channel_id: channel,
    author_id: author.id,
    author_name: author.name,
    from_url: url,
    original_url: url,
    fallback: `[${ts}] ${author.name}: ${text}`,
    text,
    mrkdwn_in: ['text'],
    footer: 'Slack Conversation',
    is_msg_unfurl: true,
    is_share: true,
    ...(files.length > 0 && { files: files.map((file) => showFile(file, origin)) }),
  };
}

function showThread(channel: SlackChannel, { ts, threadTs }: SlackMessage): JsonObject {
  if (threadTs !== undefined && threadTs !== ts) {
    const parent = channel.messages.find((message) => message.ts === threadTs);
    return parent === undefined ? {} : { parent_user_id: parent.user };
  }
  const replies = channel.messages.filter((message) => message.threadTs === ts && message.ts !== ts && !message.isDeleted);
  const latest = replies.at(-1);
  if (latest === undefined) return {};
  const users = [...new Set(replies.map(({ user }) => user))];
  return { thread_ts: ts, reply_count: replies.length, reply_users: users, reply_users_count: users.length, latest_reply: latest.ts };
}

function showReactions({ reactions }: SlackMessage): Json[] {
  const names = [...new Set(reactions.map(({ name }) => name))];
  return names.map((name) => {
    const users = reactions.filter((reaction) => reaction.name === name).map(({ user }) => user);
    return { name, users, count: users.length };
  });
}

export function showFile(file: SlackFile, origin: string): JsonObject {
  const address = `${origin}/files-pri/${file.teamId}-${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.name.split('.').at(-1) ?? '',
    user: file.user,
    size: file.bytes?.length ?? 0,
    mode: 'hosted',
    is_external: false,
    url_private: address,
    url_private_download: address.replace(/\/([^/]*)$/u, '/download/$1'),
    permalink: `${origin}/files/${file.user}/${file.id}`,
  };
}

const FLAGS = { channel: 'is_channel', private: 'is_group', im: 'is_im', mpim: 'is_mpim' } as const;

export function showChannel(channel: SlackChannel, bot: SlackBot): JsonObject {
  const { id, kind, isArchived, members } = channel;
  const other = [...members].find((member) => member !== bot.userId);
  return {
    id,
    created: 1,
    is_channel: false,
    is_group: false,
    is_im: false,
    is_mpim: false,
    [FLAGS[kind]]: true,
    is_private: kind !== 'channel',
    is_archived: isArchived,
    is_member: members.has(bot.userId),
    context_team_id: channel.teamId,
    ...(kind === 'im' ? { user: other ?? bot.userId, is_open: true } : { name: channel.name, name_normalized: channel.name }),
    ...(kind !== 'im' && { num_members: members.size, topic: { value: '' }, purpose: { value: '' } }),
  };
}

export const showUser = ({ id, teamId, name, isBot }: SlackUser): JsonObject => ({
  id,
  team_id: teamId,
  name,
  real_name: name,
  deleted: false,
  is_bot: isBot,
  is_app_user: false,
  profile: { real_name: name, display_name: name, team: teamId },
});
