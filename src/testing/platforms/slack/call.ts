import { isObject, parseJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { SlackChange } from './events.ts';
import { findOr, SlackRefusal, type SlackBot, type SlackChannel, type SlackWorld } from './world.ts';

/** One call of a Web API method by a bot. */
export interface SlackCall {
  readonly world: SlackWorld;
  readonly bot: SlackBot;
  /** Where this server is, for addresses of files. */
  readonly origin: string;
  /** The id of the request in the log. */
  readonly request: number;
  readonly arguments: JsonObject;
  /** Tells the bots of the channel. */
  readonly publish: (channel: SlackChannel, change: SlackChange) => void;
}

export type SlackMethod = (call: SlackCall) => JsonObject;

export function readText({ arguments: given }: SlackCall, name: string): string | undefined {
  const value = given[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function needText(call: SlackCall, name: string, refusal = 'invalid_arguments'): string {
  const value = readText(call, name);
  if (value === undefined) throw new SlackRefusal(refusal);
  return value;
}

export const readFlag = ({ arguments: given }: SlackCall, name: string): boolean =>
  [true, 1, 'true', '1'].some((yes) => yes === given[name]);

export function readLimit(call: SlackCall, usual: number, most: number): number {
  const limit = Number(readText(call, 'limit') ?? usual);
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw new SlackRefusal('invalid_limit');
  return limit;
}

/** A form carries structures as JSON text. */
export function readJson({ arguments: given }: SlackCall, name: string): Json | undefined {
  const value = given[name];
  if (typeof value !== 'string') return value;
  if (value === '') return undefined;
  const parsed = parseJson(value);
  if (parsed === undefined) throw new SlackRefusal('invalid_arguments');
  return parsed;
}

export function readObject(call: SlackCall, name: string): JsonObject | undefined {
  const value = readJson(call, name);
  return isObject(value) ? value : undefined;
}

export function readList(call: SlackCall, name: string): readonly Json[] | undefined {
  const value = readJson(call, name);
  return Array.isArray(value) ? value : undefined;
}

/** The channel a call names, as far as the bot can see it. */
export function findChannel({ world, bot }: SlackCall, id: string): SlackChannel {
  const isVisible = (channel: SlackChannel) => channel.kind === 'channel' || channel.members.has(bot.userId);
  return findOr(world.channels, (channel) => channel.id === id && channel.teamId === bot.teamId && isVisible(channel), 'channel_not_found');
}

/** One the bot is a member of. */
export function findJoined(call: SlackCall, name = 'channel'): SlackChannel {
  const channel = findChannel(call, needText(call, name, 'channel_not_found'));
  if (!channel.members.has(call.bot.userId)) throw new SlackRefusal('not_in_channel');
  return channel;
}
