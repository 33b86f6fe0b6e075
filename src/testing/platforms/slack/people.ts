import { randomUUID } from 'node:crypto';
import { isObject, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { SlackCall } from './call.ts';
import { editMessage, findMessage, postMessage } from './messages.ts';
import { guessType } from './file-methods.ts';
import type { SlackSockets } from './sockets.ts';
import { showMessage, showShare } from './views.ts';
import { nextId, nextTs, type SlackBot, type SlackChannel, type SlackMessage, type SlackUser, type SlackWorld } from './world.ts';

/** What people do in Slack's own client. */
export interface SlackPeople {
  say(channel: SlackChannel, user: SlackUser, words: SlackWords): SlackMessage;
  edit(channel: SlackChannel, message: SlackMessage, text: string): void;
  /** Whether the app acknowledged it in time; otherwise the person sees that it failed. */
  press(channel: SlackChannel, user: SlackUser, button: SlackPress): Promise<boolean>;
  slash(channel: SlackChannel, user: SlackUser, line: SlackSlash): Promise<boolean>;
}

export interface SlackWords {
  readonly text?: string;
  readonly files?: readonly { readonly name: string; readonly bytes: Buffer }[];
  /** A message of another channel that it shares, with who wrote it. */
  readonly share?: { readonly message: SlackMessage; readonly author: SlackUser };
  /** The message whose thread this goes to. */
  readonly thread?: SlackMessage;
  /** Puts the bot's mention in front. */
  readonly mention?: SlackBot;
}
export interface SlackPress {
  readonly ts: string;
  readonly actionId: string;
}
export interface SlackSlash {
  readonly bot: SlackBot;
  /** `/hermes`. */
  readonly command: string;
  readonly text?: string;
}

export interface SlackPeopleDeps {
  readonly world: SlackWorld;
  readonly sockets: SlackSockets;
  readonly origin: () => string;
  readonly publish: SlackCall['publish'];
  /** Where the answer to a response URL goes. */
  readonly tickets: Map<string, SlackResponseTicket>;
}
export interface SlackResponseTicket {
  readonly bot: SlackBot;
  readonly channel: SlackChannel;
  readonly user: string;
  left: number;
}

const MAX_RESPONSES = 5;

export function createPeople(deps: SlackPeopleDeps): SlackPeople {
  return {
    say: (channel, user, words) => say(deps, channel, user, words),
    edit: (channel, message, text) => {
      const previous = showMessage(channel, message, { origin: deps.origin() });
      editMessage(deps.world, message, { text });
      deps.publish(channel, { type: 'edited', message, previous });
    },
    press: (channel, user, button) => press(deps, channel, user, button),
    slash: (channel, user, line) => slash(deps, channel, user, line),
  };
}

function say({ world, publish, origin }: SlackPeopleDeps, channel: SlackChannel, user: SlackUser, words: SlackWords): SlackMessage {
  const { text = '', thread, mention, share, files = [] } = words;
  const uploaded = files.map(({ name, bytes }) => {
    const file = { id: nextId(world, 'F'), teamId: channel.teamId, user: user.id, name, title: name, mimetype: guessType(name), bytes };
    world.files.push(file);
    return file;
  });
  const message = postMessage(world, channel, {
    user: user.id,
    text: mention === undefined ? text : `<@${mention.userId}> ${text}`,
    files: uploaded,
    ...(share !== undefined && { attachments: [showShare(share.message, share.author, origin())] }),
    ...(thread !== undefined && { threadTs: thread.threadTs ?? thread.ts }),
  });
  publish(channel, { type: 'said', message });
  return message;
}

async function press(deps: SlackPeopleDeps, channel: SlackChannel, user: SlackUser, { ts, actionId }: SlackPress): Promise<boolean> {
  const { world, sockets, origin } = deps;
  const message = findMessage(channel, ts);
  const { bot } = message;
  const found = findButton(message.blocks, actionId);
  if (bot === undefined || found === undefined) throw new Error(`There is no button ${actionId} on the message ${ts}.`);
  const { isAcked } = await sockets.deliver(bot.app, {
    kind: 'interactive',
    payload: {
      type: 'block_actions',
      ...person(channel, user),
      api_app_id: bot.app.id,
      token: 'verification-token',
      container: { type: 'message', message_ts: ts, channel_id: channel.id, is_ephemeral: false, ...threadOf(message) },
      trigger_id: `trigger-${randomUUID()}`,
      team: { id: channel.teamId, domain: 'test' },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: channel.id, name: channel.name },
      message: showMessage(channel, message, { origin: origin() }),
      state: { values: {} },
      response_url: issueResponse(deps, { bot, channel, user: user.id, left: MAX_RESPONSES }),
      actions: [{ ...found, action_ts: nextTs(world) }],
    },
  });
  return isAcked;
}

const person = (channel: SlackChannel, user: SlackUser): JsonObject => ({
  user: { id: user.id, username: user.name, name: user.name, team_id: channel.teamId },
});
const threadOf = ({ threadTs }: SlackMessage): JsonObject => (threadTs === undefined ? {} : { thread_ts: threadTs });

function findButton(blocks: readonly Json[], actionId: string): JsonObject | undefined {
  for (const block of blocks) {
    if (!isObject(block) || !Array.isArray(block['elements'])) continue;
    const button = block['elements'].find((element: Json) => isObject(element) && element['action_id'] === actionId);
    if (isObject(button)) return { ...button, block_id: block['block_id'] };
  }
  return undefined;
}

async function slash(deps: SlackPeopleDeps, channel: SlackChannel, user: SlackUser, line: SlackSlash): Promise<boolean> {
  const { bot, command, text = '' } = line;
  const ticket = { bot, channel, user: user.id, left: MAX_RESPONSES };
  const { isAcked, response } = await deps.sockets.deliver(bot.app, {
    kind: 'slash_commands',
    payload: {
      token: 'verification-token',
      team_id: channel.teamId,
      team_domain: 'test',
      channel_id: channel.id,
      channel_name: channel.name,
      user_id: user.id,
      user_name: user.name,
      command,
      text,
      api_app_id: bot.app.id,
      is_enterprise_install: 'false',
      response_url: issueResponse(deps, ticket),
      trigger_id: `trigger-${randomUUID()}`,
    },
  });
  if (response !== undefined && typeof response['text'] === 'string') sayResponse(deps.world, ticket, response);
  return isAcked;
}

function issueResponse({ tickets, origin }: SlackPeopleDeps, ticket: SlackResponseTicket): string {
  const id = randomUUID();
  tickets.set(id, ticket);
  return `${origin()}/respond/${id}`;
}

/** What an app answers by a response URL or with its acknowledgement: seen by the person alone unless it says otherwise. */
export function sayResponse(world: SlackWorld, ticket: SlackResponseTicket, words: JsonObject, request?: number): SlackMessage {
  const { bot, channel, user } = ticket;
  const isShown = words['response_type'] === 'in_channel';
  return postMessage(world, channel, {
    user: bot.userId,
    bot,
    text: readStringAt(words, 'text') ?? '',
    ...(Array.isArray(words['blocks']) && { blocks: words['blocks'] }),
    ...(!isShown && { onlyFor: user }),
    ...(request !== undefined && { request }),
  });
}
