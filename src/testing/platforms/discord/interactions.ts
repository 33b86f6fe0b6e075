import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../base/json-types.ts';
import type { DiscordCore, OpenInteraction } from './core.ts';
import { refusals } from './errors.ts';
import { messageWire } from './message-wire.ts';
import type { DiscordUser } from './wire.ts';
import { channelWire, memberWire } from './world-wire.ts';
import { canSee, type DiscordChannel, type DiscordMessage } from './world.ts';

export type DiscordSlashOptions = Readonly<Record<string, string | number | boolean>>;

const COMMAND = 2;
const COMPONENT = 3;

interface NewInteraction {
  readonly botId: string;
  readonly user: DiscordUser;
  readonly channel: DiscordChannel;
  readonly name: string;
  readonly type: number;
  readonly data: JsonObject;
  readonly source?: DiscordMessage;
}

export function slash(
  core: DiscordCore,
  given: { botId: string; user: DiscordUser; channel: DiscordChannel; name: string; options: DiscordSlashOptions },
): OpenInteraction {
  const { botId, channel, name } = given;
  const scopes = [botId, `${botId}/${channel.guildId}`];
  const command = scopes.flatMap((scope) => core.world.commands.get(scope) ?? []).find((one) => one['name'] === name);
  if (command === undefined) throw new Error(`The bot has no command /${name}: nobody can choose it.`);
  const options = Object.entries(given.options).map(([key, value]) => ({ name: key, type: OPTION_TYPES[typeof value] ?? 3, value }));
  const data = { id: command['id'], name, type: 1, ...(options.length > 0 && { options }) };
  return open(core, { botId, user: given.user, channel, name: `/${name}`, type: COMMAND, data });
}

const OPTION_TYPES: Readonly<Record<string, number>> = { string: 3, number: 4, boolean: 5 };

export function press(core: DiscordCore, given: { message: DiscordMessage; user: DiscordUser; channel: DiscordChannel; customId: string }) {
  const { message, user, channel, customId } = given;
  if (!JSON.stringify(message.components).includes(JSON.stringify(customId))) throw new Error(`The message has no button "${customId}".`);
  const data = { custom_id: customId, component_type: 2, id: 1 };
  return open(core, { botId: message.author.id, user, channel, name: customId, type: COMPONENT, data, source: message });
}

function open(core: DiscordCore, given: NewInteraction): OpenInteraction {
  const { botId, user, channel, name, source } = given;
  const [id, token, at] = [core.world.nextId(), randomUUID(), Date.now()];
  const sourceId = source === undefined ? {} : { sourceId: source.id };
  const interaction: OpenInteraction = { id, token, botId, userId: user.id, channelId: channel.id, at, ...sourceId };
  core.interactions.set(id, interaction);
  core.log.interactions.push({ id, at, bot: botId, name });
  const data = interactionWire(core, given, interaction);
  core.gateway.dispatch({
    type: 'INTERACTION_CREATE',
    id,
    copyFor: (bot) => (bot.id === botId && canSee(core.world, bot.id, channel) ? data : undefined),
  });
  return interaction;
}

function interactionWire(core: DiscordCore, given: NewInteraction, { id, token }: OpenInteraction): JsonObject {
  const { botId, user, channel, type, data, source } = given;
  const permissions = '0';
  const guildId = channel.guildId;
  const who: JsonObject = guildId === undefined ? { user } : { member: { ...memberWire(user), permissions }, guild_id: guildId };
  const guild = guildId === undefined ? {} : { guild: { id: guildId, locale: 'en-US', features: [] }, guild_locale: 'en-US' };
  return {
    id,
    token,
    type,
    data,
    version: 1,
    application_id: botId,
    channel_id: channel.id,
    channel: { ...channelWire(core.world, channel, botId), permissions },
    app_permissions: permissions,
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: {},
    context: guildId === undefined ? 1 : 0,
    attachment_size_limit: core.maxUploadBytes,
    ...guild,
    ...who,
    ...(source !== undefined && { message: messageWire(core.world, source) }),
  };
}

/** The interaction that may still be answered for the first time; whether in time is written down. */
export function answerInteraction(core: DiscordCore, id: string, token: string, type: number): OpenInteraction {
  const interaction = core.interactions.get(id);
  const at = Date.now();
  if (interaction?.token !== token) throw refusals.unknownInteraction();
  const isLate = at - interaction.at > core.interactionMs;
  const logged = core.log.interactions.find((one) => one.id === id);
  if (logged !== undefined) logged.answer ??= { at, type, isLate };
  if (isLate) throw refusals.unknownInteraction();
  if (interaction.answeredWith !== undefined) throw refusals.alreadyAcknowledged();
  interaction.answeredWith = type;
  return interaction;
}

/** The interaction whose token is used for a follow-up. */
export function followedUp(core: DiscordCore, botId: string, token: string): OpenInteraction {
  const interaction = [...core.interactions.values()].find((one) => one.token === token && one.botId === botId);
  const isOpen = interaction?.answeredWith !== undefined && Date.now() - interaction.at <= core.followUpMs;
  if (interaction === undefined || !isOpen) throw refusals.unknownWebhook();
  return interaction;
}
