import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import { findChannel, needText, readList, readText, type SlackCall, type SlackMethod } from './call.ts';
import { postMessage } from './messages.ts';
import { showFile } from './views.ts';
import { findOr, nextId, SlackRefusal, type SlackFile } from './world.ts';

export const fileMethods: Readonly<Record<string, SlackMethod>> = {
  'files.getUploadURLExternal': (call) => {
    const { world, bot, origin } = call;
    const name = needText(call, 'filename');
    if (Number(needText(call, 'length')) <= 0) throw new SlackRefusal('invalid_arguments');
    const id = nextId(world, 'F');
    world.files.push({ id, teamId: bot.teamId, user: bot.userId, name, title: name, mimetype: guessType(name), bytes: undefined });
    return { upload_url: `${origin}/upload/v1/${id}`, file_id: id };
  },

  /** The answer says nothing of the message it makes: only history does. */
  'files.completeUploadExternal': (call) => {
    const { world, bot, request, origin, publish } = call;
    const files = (readList(call, 'files') ?? []).map((item) => finish(call, item));
    if (files.length === 0) throw new SlackRefusal('invalid_arguments');
    const place = readText(call, 'channel_id');
    if (place !== undefined) {
      const channel = findChannel(call, place);
      if (!channel.members.has(bot.userId)) throw new SlackRefusal('not_in_channel');
      if (channel.isArchived) throw new SlackRefusal('is_archived');
      const comment = readText(call, 'initial_comment');
      const blocks = comment === undefined ? readList(call, 'blocks') : undefined;
      const threadTs = readText(call, 'thread_ts');
      const said = { ...(blocks !== undefined && { blocks }), ...(threadTs !== undefined && { threadTs }) };
      const message = postMessage(world, channel, { user: bot.userId, bot, text: comment ?? '', files, ...said, request });
      publish(channel, { type: 'said', message });
    }
    return { files: files.map((file) => ({ ...showFile(file, origin), title: file.title })) };
  },

  'files.info': (call) => {
    const id = needText(call, 'file', 'file_not_found');
    const file = findOr(call.world.files, (item) => item.id === id && item.teamId === call.bot.teamId, 'file_not_found');
    return { file: showFile(file, call.origin) };
  },
};

function finish({ world, bot }: SlackCall, item: Json): SlackFile {
  const { id, title } = isObject(item) ? item : {};
  const file = findOr(world.files, (known) => known.id === id && known.user === bot.userId && known.bytes !== undefined, 'file_not_found');
  if (typeof title === 'string') file.title = title;
  return file;
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
};

export const guessType = (name: string): string => TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
