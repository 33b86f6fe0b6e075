import type { JsonObject } from '../../../base/json-types.ts';
import { showMessage } from './views.ts';
import { nextId, nextTs, type SlackBot, type SlackChannel, type SlackMessage, type SlackWorld } from './world.ts';

export type SlackChange =
  | { readonly type: 'said'; readonly message: SlackMessage }
  | { readonly type: 'edited'; readonly message: SlackMessage; readonly previous: JsonObject }
  | { readonly type: 'deleted'; readonly message: SlackMessage; readonly previous: JsonObject };

export interface SlackEvent {
  readonly bot: SlackBot;
  readonly event: JsonObject;
}

const CHANNEL_TYPES = { channel: 'channel', private: 'group', im: 'im', mpim: 'mpim' } as const;

/** What every bot of a channel is told of a change: a text that mentions a bot outside of a direct chat comes twice, as two events. */
export function toEvents(world: SlackWorld, channel: SlackChannel, change: SlackChange, origin: string): SlackEvent[] {
  if (change.message.onlyFor !== undefined) return [];
  const bots = world.bots.filter((bot) => channel.members.has(bot.userId));
  const event = describe(world, channel, change, origin);
  return bots.flatMap((bot) => [{ bot, event }, ...mentionOf(channel, change, bot, event)]);
}

function describe(world: SlackWorld, channel: SlackChannel, change: SlackChange, origin: string): JsonObject {
  const place = { channel: channel.id, channel_type: CHANNEL_TYPES[channel.kind] };
  const shown = showMessage(channel, change.message, { origin });
  if (change.type === 'said') return { ...shown, ...place, event_ts: change.message.ts };
  const ts = nextTs(world);
  const common = { type: 'message', hidden: true, previous_message: change.previous, ...place, ts, event_ts: ts };
  return change.type === 'edited'
    ? { ...common, subtype: 'message_changed', message: shown }
    : { ...common, subtype: 'message_deleted', deleted_ts: change.message.ts };
}

function mentionOf(channel: SlackChannel, change: SlackChange, bot: SlackBot, event: JsonObject): SlackEvent[] {
  const { text, user } = change.message;
  const isMention = change.type === 'said' && channel.kind !== 'im' && user !== bot.userId && text.includes(`<@${bot.userId}>`);
  if (!isMention) return [];
  const { channel_type: _, subtype: __, ...rest } = event;
  return [{ bot, event: { ...rest, type: 'app_mention' } }];
}

/** The payload of an `events_api` envelope. */
export function toCallback(world: SlackWorld, { bot, event }: SlackEvent): JsonObject {
  return {
    token: 'verification-token',
    team_id: bot.teamId,
    context_team_id: bot.teamId,
    context_enterprise_id: null,
    api_app_id: bot.app.id,
    event,
    type: 'event_callback',
    event_id: nextId(world, 'Ev'),
    event_time: Math.floor(world.now() / 1000),
    authorizations: [{ enterprise_id: null, team_id: bot.teamId, user_id: bot.userId, is_bot: true, is_enterprise_install: false }],
    is_ext_shared_channel: false,
    event_context: '4-context',
  };
}
