import { isObject, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { Clock } from '../../base/clock.ts';
import type { Cursor } from '../../contracts/platform-adapter.ts';
import { explainFailure, type SlackAnswer, type SlackClient, type SlackFailure } from './client.ts';
import { readMessage, toMilliseconds, toTs, type HeardMessage } from './inbound.ts';
import { CHANNEL_TYPES, type SlackInstall } from './workspaces.ts';

/** Everything before this was received, in whatever channel: the cursor of channels that have none. */
export const SINCE = 'since';
/** When we first came: nothing before is ours to answer. */
export const START = 'start';
/** Threads whose first message is older than this are only looked at when something of them was received before. */
const LOOKBACK_MS = 7 * 86_400_000;
/** So long after its last message, and no more than so many in a channel: each is a call, at every connect. */
const THREAD_MS = 30 * 86_400_000;
const MAX_OLD_THREADS = 20;
/** What was written in a thread without a cursor is not looked for further back: it may have had one (`THREAD_KEPT_MS`). */
const MAX_MISSED_MS = 90 * 86_400_000;
const PAGE = 200;
const MAX_TRIES = 3;

export interface CatchUpDeps {
  readonly client: SlackClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (words: string) => void;
  readonly overlapMs: number;
}
/** It cannot go on: the connection ends with it, and the next one begins again. */
export class CatchUpFailure extends Error {
  readonly failure: SlackFailure;
  constructor(failure: SlackFailure) {
    super(`Slack could not be asked for what was missed: ${explainFailure(failure)}`);
    this.failure = failure;
  }
}

/** What was written since the cursors, channel by channel, the oldest first in each. */
export async function* listMissed(
  install: SlackInstall,
  cursors: readonly Cursor[],
  deps: CatchUpDeps,
): AsyncGenerator<readonly HeardMessage[], void> {
  const marks = readMarks(cursors, deps);
  for (const types of CHANNEL_TYPES)
    for await (const page of pages('users.conversations', { types, exclude_archived: true, limit: PAGE }, install, deps)) {
      const { channels } = page;
      for (const channel of Array.isArray(channels) ? channels : []) {
        const id = readStringAt(channel, 'id');
        if (id !== undefined) yield await listChannel({ id, channelType: typeOf(channel) }, install, marks, deps);
      }
    }
}

const typeOf = (channel: Json): string =>
  isObject(channel) && channel['is_im'] === true ? 'im' : isObject(channel) && channel['is_mpim'] === true ? 'mpim' : 'channel';

interface CatchUpMarks {
  readonly start: string;
  /** Where a channel (`C1`) or thread (`C1/ts`) begins that has no cursor of its own. */
  readonly since: string;
  readonly scopes: ReadonlyMap<string, string>;
  /** The known threads of a channel, the liveliest first. */
  readonly threads: ReadonlyMap<string, readonly string[]>;
  /** Before this nothing is looked for in a thread without a cursor. */
  readonly oldest: string;
  readonly overlapMs: number;
}

function readMarks(cursors: readonly Cursor[], { client, overlapMs }: CatchUpDeps): CatchUpMarks {
  const scopes = new Map(cursors.map(({ scope, value }) => [scope, value]));
  const values = cursors.map(({ value }) => value).toSorted();
  const since = scopes.get(SINCE) ?? values[0] ?? '';
  const oldest = toTs(client.now() - MAX_MISSED_MS);
  return { start: scopes.get(START) ?? '', since, scopes, threads: groupThreads(cursors, client.now()), oldest, overlapMs };
}

function groupThreads(cursors: readonly Cursor[], now: number): ReadonlyMap<string, readonly string[]> {
  const recent = cursors
    .filter(({ scope, value }) => scope.includes('/') && toMilliseconds(value) > now - THREAD_MS)
    .toSorted((one, other) => (one.value < other.value ? 1 : -1))
    .map(({ scope }) => scope.split('/', 2));
  const groups = Map.groupBy(recent, ([channel = '']) => channel);
  return new Map([...groups].map(([channel, threads]) => [channel, threads.map(([, ts = '']) => ts)]));
}

/** Where a channel or one of its threads begins. A message of the channel tells that its threads were heard until then, too. */
function markOf({ start, since, scopes, oldest, overlapMs }: CatchUpMarks, channel: string, thread?: string): string {
  const known = latest(scopes.get(channel) ?? since, since);
  const own = thread === undefined ? known : latest(scopes.get(`${channel}/${thread}`) ?? oldest, known);
  return latest(toTs(toMilliseconds(own) - overlapMs), start);
}
const latest = (one: string, other: string): string => (one > other ? one : other);

interface MissedChannel {
  readonly id: string;
  readonly channelType: string;
}

async function listChannel(
  channel: MissedChannel,
  install: SlackInstall,
  marks: CatchUpMarks,
  deps: CatchUpDeps,
): Promise<readonly HeardMessage[]> {
  const from = markOf(marks, channel.id);
  const oldest = toTs(toMilliseconds(from) - LOOKBACK_MS);
  const roots: Json[] = [];
  for await (const page of pages('conversations.history', { channel: channel.id, oldest, limit: PAGE }, install, deps)) {
    const messages = listOf(page);
    roots.push(...messages);
    // The newest come first: beyond the mark, one page of roots is enough.
    if ((readStringAt(messages.at(-1), 'ts') ?? '') <= from) break;
  }
  const missed = roots.filter((message) => (readStringAt(message, 'ts') ?? '') > from);
  for (const thread of findThreads(channel.id, roots, marks)) missed.push(...(await listThread(channel.id, thread, install, marks, deps)));
  const place = { teamId: install.teamId, channel: channel.id, channelType: channel.channelType };
  return missed.flatMap((message) => readMessage(message, place) ?? []).toSorted((one, other) => (one.ts < other.ts ? -1 : 1));
}

/** Threads with something new: those that say so, and those we know that are too old to be seen. */
function findThreads(channel: string, roots: readonly Json[], marks: CatchUpMarks): readonly string[] {
  const seen = new Set(roots.flatMap((root) => readStringAt(root, 'ts') ?? []));
  const fresh = roots.flatMap((root) => {
    const [ts, reply] = [readStringAt(root, 'ts'), readStringAt(root, 'latest_reply')];
    return ts !== undefined && reply !== undefined && reply > markOf(marks, channel, ts) ? [ts] : [];
  });
  const known = (marks.threads.get(channel) ?? []).filter((ts) => !seen.has(ts));
  return [...fresh, ...known.slice(0, MAX_OLD_THREADS)];
}

async function listThread(channel: string, ts: string, install: SlackInstall, marks: CatchUpMarks, deps: CatchUpDeps): Promise<Json[]> {
  const oldest = markOf(marks, channel, ts);
  const replies: Json[] = [];
  for await (const page of pages('conversations.replies', { channel, ts, oldest, limit: PAGE }, install, deps))
    // The first message of the thread comes along, whatever was asked for.
    replies.push(...listOf(page).filter((message) => readStringAt(message, 'ts') !== ts && (readStringAt(message, 'ts') ?? '') > oldest));
  return replies;
}

const listOf = ({ messages }: JsonObject): readonly Json[] => (Array.isArray(messages) ? messages : []);

/** All pages of a list. Waits as Slack asks; a channel that is not ours to read has none. */
async function* pages(method: string, params: JsonObject, { token }: SlackInstall, deps: CatchUpDeps): AsyncGenerator<JsonObject, void> {
  let cursor: string | undefined;
  do {
    const answer = await ask(method, { ...params, ...(cursor !== undefined && { cursor }) }, token, deps);
    if (answer.type === 'error') return deps.log(explainGap(method, params, answer.error));
    yield answer.body;
    cursor = readStringAt(answer.body, 'response_metadata', 'next_cursor');
  } while (cursor !== undefined && cursor !== '');
}

function explainGap(method: string, params: JsonObject, error: string): string {
  const place = readStringAt(params, 'channel') ?? readStringAt(params, 'types') ?? '';
  return `Slack refuses ${method} for ${place} (${error}): messages sent there while disconnected are not caught up. Check the scopes of the app.`;
}

/** Errors that concern the login, and not the channel. */
const LOGIN = /^(?:invalid_auth|not_authed|account_inactive|token_revoked|token_expired)$/;

async function ask(
  method: string,
  params: JsonObject,
  token: string,
  deps: CatchUpDeps,
): Promise<Extract<SlackAnswer, { type: 'ok' | 'error' }>> {
  const { client, clock, signal } = deps;
  for (let tries = 1; ;) {
    const answer = await client.call(method, params, { token, signal });
    if (answer.type === 'ok' || (answer.type === 'error' && !LOGIN.test(answer.error))) return answer;
    if (signal.aborted || answer.type === 'error' || (answer.type !== 'limited' && tries >= MAX_TRIES)) throw new CatchUpFailure(answer);
    if (answer.type !== 'limited') tries += 1;
    await clock.sleep(answer.type === 'limited' ? answer.retryAfterMs : 200 * tries, signal);
  }
}
