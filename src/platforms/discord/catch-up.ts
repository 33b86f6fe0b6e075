import { setTimeout as sleep } from 'node:timers/promises';
import { readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { Cursor } from '../../contracts/platform-adapter.ts';
import { isForum, isThread, type ChannelBook, type KnownChannel } from './channels.ts';
import { idAtTime, isHeard, isNewer, readScope } from './codec.ts';
import { readPrivateChats } from './private-chats.ts';
import type { DiscordRest } from './rest.ts';
import type { ChannelGate } from './settings.ts';

/** The scope of the moment we first listened: what a channel without a cursor of its own is read from. */
export const START_SCOPE = 'start';
const PAGE = 100;
/** A thread that is archived, and in which nobody wrote for so long, is left alone. */
const QUIET_MS = 7 * 24 * 3_600_000;
/** What was written in a thread without a cursor is not looked for further back: it may have had one (`THREAD_KEPT_MS`). */
const MAX_MISSED_MS = 90 * 24 * 3_600_000;
/** A session that goes on brings what was missed by itself; the liveliest chats are looked at all the same. */
const MAX_CHECKED = 100;

export interface CatchUpOptions {
  readonly rest: DiscordRest;
  readonly channels: ChannelBook;
  readonly gate: ChannelGate;
  readonly cursors: readonly Cursor[];
  readonly signal: AbortSignal;
}

/** Messages of one channel, oldest first. */
export interface MissedPage {
  readonly channelId: string;
  readonly messages: readonly Json[];
}

/** Where a channel is read from. */
export interface MissedRange {
  readonly channelId: string;
  readonly after: string;
}

/**
 * The channels that may hold something new: those with a cursor whose last message we do not have, and those that were silent
 * since we first listened. What a fresh login tells of a channel's last message spares the asking. It does not name private
 * chats, which are always asked for, those of people who never wrote too, nor archived threads: those are, unless they were quiet for long, since a thread that
 * somebody writes in is no longer archived.
 */
export function planCatchUp({ rest, channels, cursors, gate }: Omit<CatchUpOptions, 'signal'>, isFresh: boolean): MissedRange[] {
  const quiet = idAtTime(rest.now() - QUIET_MS);
  const isNew = (channel: KnownChannel, after: string) => channel.lastMessageId !== undefined && isNewer(channel.lastMessageId, after);
  const known = cursors.flatMap(({ scope, value }) => {
    const place = readScope(scope);
    const channel = channels.get(place?.id ?? '');
    if (place === undefined || (channel !== undefined && !isHeard(channel, gate))) return [];
    const mayHold = !isFresh || place.isPrivate || (channel === undefined ? isNewer(value, quiet) : isNew(channel, value));
    return mayHold ? [{ channelId: place.id, after: value }] : [];
  });
  const recent = known.toSorted((one, other) => (isNewer(one.after, other.after) ? -1 : 1)).slice(0, isFresh ? undefined : MAX_CHECKED);
  const start = cursors.find(({ scope }) => scope === START_SCOPE)?.value;
  if (!isFresh || start === undefined) return recent;
  const heard = new Set(cursors.flatMap(({ scope }) => readScope(scope)?.id ?? []));
  const oldest = idAtTime(rest.now() - MAX_MISSED_MS);
  const silent = channels
    .list()
    .filter((channel) => !heard.has(channel.id) && !isForum(channel) && isHeard(channel, gate))
    .map((channel) => ({ channel, after: sinceKnown(channel, start, oldest) }))
    .filter(({ channel, after }) => isNew(channel, after));
  // Whoever never wrote while we listened may have done so since.
  const unheard = [...new Set(readPrivateChats(cursors).values())].filter((id) => !heard.has(id));
  const since = isNewer(start, quiet) ? start : quiet;
  return [
    ...recent,
    ...silent.map(({ channel, after }) => ({ channelId: channel.id, after })),
    ...unheard.map((channelId) => ({ channelId, after: since })),
  ];
}

/** Since we joined, or first listened; of a thread not longer ago than its cursor would have been kept. */
function sinceKnown(channel: KnownChannel, start: string, oldest: string): string {
  const joined = idAtTime(Date.parse(channel.joinedAt ?? '') || 0);
  const bounds = [start, joined, ...(isThread(channel) ? [oldest] : [])];
  return bounds.reduce((one, other) => (isNewer(other, one) ? other : one));
}

export const startCursor = (rest: DiscordRest): Cursor => ({ scope: START_SCOPE, value: idAtTime(rest.now()) });

/** How many channels are read ahead. */
const AHEAD = 8;

/** Reads what was missed, page by page; throws when Discord cannot be asked, since what comes later must wait for it. */
export async function* readMissed(ranges: readonly MissedRange[], options: CatchUpOptions): AsyncGenerator<MissedPage, void> {
  const firsts: Promise<readonly Json[]>[] = [];
  for (const [index, range] of ranges.entries()) {
    for (const ahead of ranges.slice(firsts.length, index + AHEAD)) {
      const page = fetchPage(ahead, options);
      // Whoever gets there hears of it.
      page.catch(() => undefined);
      firsts.push(page);
    }
    let messages = await (firsts[index] ?? fetchPage(range, options));
    while (messages.length > 0) {
      yield { channelId: range.channelId, messages };
      const after = readStringAt(messages.at(-1), 'id');
      if (messages.length < PAGE || after === undefined) break;
      messages = await fetchPage({ ...range, after }, options);
    }
  }
}

async function fetchPage({ channelId, after }: MissedRange, { rest, signal }: CatchUpOptions): Promise<readonly Json[]> {
  const path = `/channels/${channelId}/messages?after=${after}&limit=${PAGE}`;
  for (;;) {
    const answer = await rest.call('GET', path, { signal });
    if (answer.type === 'ok') return Array.isArray(answer.body) ? sortById(answer.body) : [];
    // A channel that is gone or closed to us holds nothing for us.
    if (answer.type === 'refused' && answer.status !== 401) return [];
    if (answer.type !== 'limited') throw new Error(answer.why);
    await sleep(answer.retryAfterMs, undefined, { signal });
  }
}

const sortById = (messages: readonly Json[]): Json[] =>
  messages.toSorted((one, other) => (isNewer(readStringAt(one, 'id') ?? '0', readStringAt(other, 'id') ?? '0') ? 1 : -1));
