import { readPath, readStringAt } from '../../base/json.ts';
import type { Chat, QuotedMessage } from '../../contracts/platform-adapter.ts';
import type { SlackClient } from './client.ts';
import { readMrkdwn } from './codec.ts';
import { isOwn, mentions, readMessage, type HeardMessage } from './inbound.ts';
import { pagesOf, type SlackInstall } from './workspaces.ts';

/** What is asked about people, channels and threads, and remembered. Names are a courtesy: without one, an event goes on. */
export interface SlackDirectory {
  person(install: SlackInstall, id: string): Promise<{ readonly name?: string; readonly isBot: boolean }>;
  chat(install: SlackInstall, channel: string, channelType: string | undefined): Promise<Pick<Chat, 'type' | 'name'>>;
  /** Whether we take part in a thread, if that is known. */
  isFollowed(channel: string, thread: string): boolean | undefined;
  follow(channel: string, thread: string): void;
  /** Reads a thread up to a message to find out; its first message comes along. `undefined` when it could not be read. */
  lookUp(
    install: SlackInstall,
    message: Pick<HeardMessage, 'channel' | 'ts'>,
    thread: string,
  ): Promise<{ readonly isOurs: boolean; readonly root?: QuotedMessage } | undefined>;
}

const MAX_KNOWN = 5_000;
/** An answer about a name is not waited for longer. */
const NAME_MS = 3_000;
const THREAD_MS = 10_000;
/** A name that could not be had is asked for again after this. */
const RETRY_MS = 60_000;

export function createDirectory(client: SlackClient, signal: AbortSignal): SlackDirectory {
  const people = createMemory<{ readonly name?: string; readonly isBot: boolean }>();
  const chats = createMemory<Pick<Chat, 'type' | 'name'>>();
  const threads = createMemory<boolean>();
  const missing = createMemory<number>();
  const ask = async (method: string, id: string, params: object, token: string) => {
    if (performance.now() - (missing.get(id) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return undefined;
    const answer = await client.call(method, { ...params }, { token, signal, timeoutMs: NAME_MS });
    if (answer.type === 'ok') return answer.body;
    missing.set(id, performance.now());
    return undefined;
  };
  return {
    person: async ({ token }, id) => {
      const known = people.get(id);
      if (known !== undefined) return known;
      const body = await ask('users.info', id, { user: id }, token);
      if (body === undefined) return { isBot: false };
      const name =
        readStringAt(body, 'user', 'profile', 'display_name') ||
        readStringAt(body, 'user', 'real_name') ||
        readStringAt(body, 'user', 'name');
      return people.set(id, { ...(name !== undefined && { name }), isBot: readPath(body, 'user', 'is_bot') === true });
    },
    chat: async ({ token }, channel, channelType) => {
      const known = chats.get(channel);
      if (known !== undefined) return known;
      if (channelType === 'im' || channel.startsWith('D')) return { type: 'private' };
      const body = await ask('conversations.info', channel, { channel }, token);
      const isGroup = channelType === 'mpim' || readPath(body, 'channel', 'is_mpim') === true;
      const name = readStringAt(body, 'channel', 'name');
      const chat = { type: isGroup ? 'group' : 'channel', ...(name !== undefined && { name }) } as const;
      return body === undefined ? chat : chats.set(channel, chat);
    },
    isFollowed: (channel, thread) => threads.get(`${channel}/${thread}`),
    follow: (channel, thread) => void threads.set(`${channel}/${thread}`, true),
    lookUp: async (install, { channel, ts }, thread) => {
      const known = `${channel}/${thread}`;
      const params = { channel, ts: thread, latest: ts, limit: 200 };
      let root: QuotedMessage | undefined;
      for await (const answer of pagesOf(client, 'conversations.replies', params, { token: install.token, signal, timeoutMs: THREAD_MS })) {
        if (answer.type === 'error') break;
        if (answer.type !== 'ok') return undefined;
        const { messages } = answer.body;
        const place = { teamId: install.teamId, channel };
        const heard = (Array.isArray(messages) ? messages : []).flatMap((message) => readMessage(message, place) ?? []);
        const [first] = heard;
        if (first !== undefined) root ??= { messageId: first.ts, text: readMrkdwn(first.text), isOurs: isOwn(first, install) };
        const isOurs = heard.some((message) => message.ts < ts && (isOwn(message, install) || mentions(message.text, install)));
        if (isOurs) return { isOurs: threads.set(known, true), ...(root !== undefined && { root }) };
      }
      return { isOurs: threads.set(known, false), ...(root !== undefined && { root }) };
    },
  };
}

interface KnownThings<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): Value;
}
/** Forgets what was used longest ago. */
function createMemory<Value>(): KnownThings<Value> {
  const known = new Map<string, Value>();
  return {
    get: (key) => known.get(key),
    set: (key, value) => {
      known.delete(key);
      known.set(key, value);
      const [oldest] = known.keys();
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
      return value;
    },
  };
}
