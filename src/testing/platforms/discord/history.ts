import { refusals } from './errors.ts';
import { MESSAGE_FLAGS } from './wire.ts';
import type { DiscordChannel, DiscordMessage } from './world.ts';

export interface DiscordHistoryQuery {
  readonly before?: string;
  readonly after?: string;
  readonly around?: string;
  readonly limit?: string;
}

/** Newest first, as Discord lists them; `after` starts at the oldest that follows. */
export function listMessages(channel: DiscordChannel, { before, after, around, limit = '50' }: DiscordHistoryQuery): DiscordMessage[] {
  const most = Number(limit);
  if (!(most >= 1 && most <= 100)) throw refusals.badField('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
  const seen = channel.messages.filter(
    ({ deletedAt, ephemeralFor, flags }) => deletedAt === undefined && ephemeralFor === undefined && (flags & MESSAGE_FLAGS.loading) === 0,
  );
  const upTo = (id: string) => seen.filter((message) => BigInt(message.id) < BigInt(id));
  const from = (id: string) => seen.filter((message) => BigInt(message.id) > BigInt(id));
  if (after !== undefined) return from(after).slice(0, most).toReversed();
  if (before !== undefined) return upTo(before).slice(-most).toReversed();
  if (around === undefined) return seen.slice(-most).toReversed();
  const half = Math.floor(most / 2);
  const middle = seen.filter(({ id }) => id === around);
  const earlier = half === 0 ? [] : upTo(around).slice(-half);
  return [...earlier, ...middle, ...from(around).slice(0, most - half - 1)].toReversed();
}
