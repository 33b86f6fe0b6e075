import { isObject, readNumberAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { OpenInteraction } from './core.ts';
import { refusals } from './errors.ts';
import { answerInteraction, followedUp } from './interactions.ts';
import { contentOf, messageWire } from './message-wire.ts';
import { checkDraft, createMessage, deleteMessage, editMessage, messageIn } from './messages.ts';
import { MESSAGE_FLAGS, MESSAGE_TYPES } from './wire.ts';
import type { DiscordChannel, DiscordMessage } from './world.ts';
import { readDraft, readPatch, shown } from './messages-routes.ts';
import { objectAt, param, type DiscordRouteAnswer, type DiscordRouteCall, type DiscordRoutes } from './route.ts';

const CALLBACKS = { message: 4, deferredMessage: 5, deferredUpdate: 6, update: 7 } as const;

export const interactionRoutes: DiscordRoutes = {
  'POST /interactions/:interaction/:token/callback': callback,
  'POST /webhooks/:application/:token': followUp,
  'GET /webhooks/:application/:token/messages/:message': (call) => shown(call, targetOf(call)),
  'PATCH /webhooks/:application/:token/messages/:message': (call) => {
    const [target, patch] = [targetOf(call), readPatch(call, call.body)];
    checkDraft({ content: contentOf(target), ...patch });
    return shown(call, editMessage(call.core, target, patch));
  },
  'DELETE /webhooks/:application/:token/messages/:message': (call) => {
    deleteMessage(call.core, targetOf(call));
    return undefined;
  },
};

function callback(call: DiscordRouteCall): DiscordRouteAnswer | undefined {
  const { core, body, query } = call;
  const type = readNumberAt(body, 'type') ?? 0;
  const interaction = answerInteraction(core, param(call, 'interaction'), param(call, 'token'), type);
  const message = answerMessage(call, interaction, type);
  if (!['true', '1'].includes(query['with_response'] ?? '')) return undefined;
  const [id, resource] = [interaction.id, message && { type, message: messageWire(core.world, message) }];
  return { body: { interaction: { id, type: 2, ...(message && { response_message_id: message.id }) }, ...(resource && { resource }) } };
}

function answerMessage(call: DiscordRouteCall, interaction: OpenInteraction, type: number): DiscordMessage | undefined {
  const data = objectAt(call.body, 'data') ?? {};
  const source = call.core.world.messages.get(interaction.sourceId ?? '');
  if (type === CALLBACKS.update && source !== undefined) return editMessage(call.core, source, readPatch(call, data));
  if (type === CALLBACKS.update || type === CALLBACKS.deferredUpdate) {
    if (source === undefined) throw refusals.badField('type', 'BASE_TYPE_CHOICES', 'There is no message to update.');
    interaction.originalId = source.id;
    return undefined;
  }
  if (type !== CALLBACKS.message && type !== CALLBACKS.deferredMessage) return undefined;
  // Of a deferred answer there is nothing to see yet but that the bot is thinking.
  const flags = MESSAGE_FLAGS.loading | (readNumberAt(data, 'flags') ?? 0);
  const message = say(call, interaction, type === CALLBACKS.message ? data : { content: '…', flags });
  interaction.originalId = message.id;
  return message;
}

function say(call: DiscordRouteCall, interaction: OpenInteraction, data: JsonObject): DiscordMessage {
  const draft = readDraft(call, channelOf(call, interaction), data);
  checkDraft(draft);
  const isEphemeral = ((draft.flags ?? 0) & MESSAGE_FLAGS.ephemeral) !== 0;
  const own = { interactionId: interaction.id, ...(isEphemeral && { ephemeralFor: interaction.userId }) };
  return createMessage(call.core, { ...draft, ...own, type: MESSAGE_TYPES.command });
}

/** The first follow-up of a deferred answer takes the place of "thinking". */
function followUp(call: DiscordRouteCall): DiscordRouteAnswer {
  const interaction = followedUp(call.core, param(call, 'application'), param(call, 'token'));
  const waiting = interaction.originalId === undefined ? undefined : call.core.world.messages.get(interaction.originalId);
  const { body } = call;
  if (waiting !== undefined && (waiting.flags & MESSAGE_FLAGS.loading) !== 0)
    return shown(call, editMessage(call.core, waiting, readPatch(call, body)));
  return shown(call, say(call, interaction, isObject(body) ? body : {}));
}

function targetOf(call: DiscordRouteCall): DiscordMessage {
  const interaction = followedUp(call.core, param(call, 'application'), param(call, 'token'));
  const named = param(call, 'message');
  if (named === '@original') return original(call, interaction);
  const message = messageIn(channelOf(call, interaction), named);
  if (message.author.id !== call.bot.id) throw refusals.notTheAuthor();
  return message;
}

function original(call: DiscordRouteCall, interaction: OpenInteraction): DiscordMessage {
  if (interaction.originalId === undefined) throw refusals.unknownMessage();
  return messageIn(channelOf(call, interaction), interaction.originalId);
}

function channelOf({ core }: DiscordRouteCall, { channelId }: OpenInteraction): DiscordChannel {
  const channel = core.world.channels.get(channelId);
  if (channel === undefined) throw refusals.unknownChannel();
  return channel;
}
