import { isObject, readStringAt } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import type { SlackAnswer, SlackCallOptions, SlackClient, SlackFailure } from './client.ts';

/** Our bot in one workspace. */
export interface SlackInstall {
  readonly token: string;
  readonly teamId: string;
  readonly userId: string;
  readonly botId: string;
  readonly name: string;
}
/** Where a call about a chat goes: with which token, to which channel. */
export interface SlackPlace {
  readonly type: 'place';
  readonly token: string;
  readonly channel: string;
}

/** The workspaces of one account, by the tokens that stand for them. */
export interface SlackWorkspaces {
  /** Who we are in each; asked once. */
  login(signal: AbortSignal): Promise<{ readonly type: 'in'; readonly installs: readonly SlackInstall[] } | SlackFailure>;
  /** The place of a chat. A person's id means the direct chat with that person. */
  locate(chatId: string, signal: AbortSignal): Promise<SlackPlace | SlackFailure>;
  /** An event told where a channel is. */
  learn(channel: string, token: string): void;
}

export function createWorkspaces(client: SlackClient, tokens: readonly string[]): SlackWorkspaces {
  const installs = new Map<string, SlackInstall>();
  const places = new Map<string, SlackPlace>();
  const learn = (channel: string, token: string) => void places.set(channel, { type: 'place', token, channel });
  return {
    learn,
    login: async (signal) => {
      for (const token of tokens) {
        if (installs.has(token)) continue;
        const answer = await client.call('auth.test', {}, { token, signal });
        if (answer.type !== 'ok') return answer;
        installs.set(token, readInstall(token, answer.body));
      }
      return { type: 'in', installs: [...installs.values()] };
    },
    locate: async (chatId, signal) => {
      const known = places.get(chatId);
      if (known !== undefined) return known;
      const [only] = tokens;
      // The usual case needs no question.
      if (tokens.length === 1 && only !== undefined && !isPerson(chatId)) return { type: 'place', token: only, channel: chatId };
      const found = await search(client, tokens, chatId, signal);
      if (found.type === 'place') places.set(chatId, found);
      return found;
    },
  };
}

const isPerson = (id: string): boolean => /^[UW]/.test(id);

/** Asks each workspace; that of the first one that knows the chat is its place. */
async function search(
  client: SlackClient,
  tokens: readonly string[],
  chatId: string,
  signal: AbortSignal,
): Promise<SlackPlace | SlackFailure> {
  let last: SlackFailure = { type: 'error', error: 'channel_not_found' };
  for (const token of tokens) {
    const answer: SlackAnswer = isPerson(chatId)
      ? await client.call('conversations.open', { users: chatId }, { token, signal })
      : await client.call('conversations.info', { channel: chatId }, { token, signal });
    const channel = answer.type === 'ok' ? readStringAt(answer.body, 'channel', 'id') : undefined;
    if (channel !== undefined) return { type: 'place', token, channel };
    if (answer.type !== 'ok') last = answer;
    // One that could not be asked may be the one.
    if (answer.type !== 'ok' && answer.type !== 'error') return answer;
  }
  return last;
}

function readInstall(token: string, body: JsonObject): SlackInstall {
  const read = (name: string) => readStringAt(body, name) ?? '';
  return { token, teamId: read('team_id'), userId: read('user_id'), botId: read('bot_id'), name: read('user') };
}

/** One by one: an app that may not see one kind is told nothing of the others when it asks for all. */
export const CHANNEL_TYPES = ['im', 'mpim', 'public_channel', 'private_channel'] as const;

/** All pages of a list, as they come. Gives a failure and ends when one cannot be had. */
export async function* pagesOf(
  client: SlackClient,
  method: string,
  params: JsonObject,
  options: SlackCallOptions,
): AsyncGenerator<SlackAnswer, void> {
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.call(method, { ...params, ...(cursor !== '' && { cursor }) }, options);
    yield answer;
    if (answer.type !== 'ok') return;
    const { response_metadata: meta } = answer.body;
    cursor = isObject(meta) && typeof meta['next_cursor'] === 'string' ? meta['next_cursor'] : '';
    if (cursor === '') return;
  }
}
/** A list without end is a defect of the other side. */
const MAX_PAGES = 1000;
