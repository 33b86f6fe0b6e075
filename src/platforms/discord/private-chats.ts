import { setTimeout as sleep } from 'node:timers/promises';
import type { Cursor } from '../../contracts/platform-adapter.ts';
import type { ChannelBook } from './channels.ts';
import type { DiscordRest } from './rest.ts';

const PERSON = 'person:';
/** Discord wants few private chats opened at a time; the others are opened with later logins. */
const MAX_OPENED = 50;
/** A longer wait means that there were too many: the rest is left for the next login. */
const MAX_WAIT_MS = 10_000;

/** The private chat of a person, by their id. Kept as a cursor: it is opened once. */
export type PrivateChats = ReadonlyMap<string, string>;

export const readPrivateChats = (cursors: readonly Cursor[]): PrivateChats =>
  new Map(cursors.flatMap(({ scope, value }) => (scope.startsWith(PERSON) ? [[scope.slice(PERSON.length), value] as const] : [])));

export const toPersonCursor = (userId: string, channelId: string): Cursor => ({ scope: `${PERSON}${userId}`, value: channelId });

export interface OpenPrivateChatsOptions {
  readonly rest: DiscordRest;
  readonly channels: ChannelBook;
  readonly cursors: readonly Cursor[];
  /** Whom there is no private chat with, or may not be; kept as long as the adapter is there. */
  readonly unreachable: Set<string>;
  readonly signal: AbortSignal;
}

/**
 * Opens the private chats of these people that were never opened: Discord lists them nowhere, so that the first words of somebody
 * who wrote while we were away could not be found. The people notice nothing of it. Throws when Discord cannot be asked.
 */
export async function openPrivateChats(people: readonly string[], options: OpenPrivateChatsOptions): Promise<PrivateChats> {
  const known = readPrivateChats(options.cursors);
  const wanted = people.filter((id) => SNOWFLAKE.test(id) && !known.has(id) && !options.unreachable.has(id)).slice(0, MAX_OPENED);
  const opened = new Map<string, string>();
  for (const userId of new Set(wanted)) {
    const result = await openPrivateChat(userId, options);
    if (result.type === 'too_many') break;
    if (result.type === 'opened') opened.set(userId, result.channelId);
    else options.unreachable.add(userId);
  }
  return opened;
}
/** Lists of allowed people may hold ids of other services. */
const SNOWFLAKE = /^\d{15,20}$/;

type OpenedChat = { readonly type: 'opened'; readonly channelId: string } | { readonly type: 'unreachable' | 'too_many' };

async function openPrivateChat(userId: string, { rest, channels, signal }: OpenPrivateChatsOptions): Promise<OpenedChat> {
  for (;;) {
    const answer = await rest.call('POST', '/users/@me/channels', { body: { recipient_id: userId }, signal });
    const channelId = answer.type === 'ok' ? channels.add(answer.body ?? null)?.id : undefined;
    if (channelId !== undefined) return { type: 'opened', channelId };
    if (answer.type === 'ok' || (answer.type === 'refused' && answer.status !== 401)) return { type: 'unreachable' };
    if (answer.type !== 'limited') throw new Error(answer.why);
    if (answer.retryAfterMs > MAX_WAIT_MS) return { type: 'too_many' };
    await sleep(answer.retryAfterMs, undefined, { signal });
  }
}
