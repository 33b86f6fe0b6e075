import { isObject } from '../../../../src/base/json.ts';
import type { Json } from '../../../../src/base/json-types.ts';
import { openDiscordServer } from '../../../../src/testing/platforms/discord/server.ts';
import type { DiscordUser } from '../../../../src/testing/platforms/discord/wire.ts';
import { toSettings } from './settings.ts';
import type { ChatStage, ChatStageOptions, StageChat } from './contract.ts';

export async function openDiscord({ chats, accounts = ['main'], strangers = 0 }: ChatStageOptions): Promise<ChatStage> {
  const server = await openDiscordServer({ heartbeatMs: 5_000 });
  const bots = new Map(accounts.map((name) => [name, server.addBot(`hermes-${name}`)]));
  const users = new Map<string, DiscordUser>();
  const open = (name: string): StageChat[] => {
    const user = server.addUser(name);
    users.set(user.id, user);
    return [...bots].map(([account, bot]) => ({ account, chatId: server.direct(bot, user).id, personId: user.id }));
  };
  const known = Array.from({ length: chats }, (_, index) => open(`person-${index}`)).flat();
  const unknown = Array.from({ length: strangers }, (_, index) => open(`stranger-${index}`)).flat();
  const find = ({ chatId, personId, account }: StageChat) => {
    const [channel, user, bot] = [server.channel(chatId), users.get(personId), bots.get(account)];
    if (channel === undefined || user === undefined || bot === undefined) throw new Error(`There is no chat ${chatId}.`);
    return { channel, user, bot };
  };
  return {
    platform: 'discord',
    settings: toSettings({
      accounts: Object.fromEntries([...bots].map(([name, { token }]) => [name, { token }])),
      people: known.map(({ personId }) => personId),
      extra: { api_url: server.apiUrl },
    }),
    chats: known,
    strangers: unknown,
    say: (place, { text, file }) => {
      const { channel, user } = find(place);
      const files = file && [{ filename: file.name, contentType: 'application/octet-stream', bytes: Buffer.from(file.bytes) }];
      return server.people.say(channel, user, { text, ...(files !== undefined && { attachments: files }) }).id;
    },
    press: (place, messageId) => {
      const message = server.message(messageId);
      const [first] = message === undefined ? [] : listButtons(message.components);
      if (message !== undefined && first !== undefined) server.people.press(message, find(place).user, first);
    },
    ours: (place) => {
      const { channel, bot } = find(place);
      return server
        .visible(channel)
        .filter(({ author }) => author === bot.user.username)
        .map(({ id, content }) => ({ id, text: content, hasButtons: listButtons(server.message(id)?.components ?? []).length > 0 }));
    },
    calls: () =>
      server.log.calls.map(({ bot, method, path, body, at }) => {
        const chatId = /^\/channels\/(\d+)/.exec(path)?.[1];
        return {
          account: [...bots].find(([, { id }]) => id === bot)?.[0] ?? '',
          method: `${method} ${path}`,
          ...(chatId !== undefined && { chatId }),
          words: JSON.stringify(body ?? ''),
          at,
        };
      }),
    sockets: (account) => server.gateway.openSockets(bots.get(account)?.token),
    leave: async ({ resume }) => {
      if (!resume) server.gateway.forget();
      const refusing = server.refuseConnections();
      server.gateway.drop();
      return { [Symbol.asyncDispose]: async () => refusing[Symbol.dispose]() };
    },
    flood: ({ chatId }, seconds) =>
      server.fault({ at: 'call', path: new RegExp(`^/channels/${chatId}/messages`), do: { type: 'rate_limit', retryAfter: seconds } }),
    disturb: ({ chatId }, how) => {
      const path = new RegExp(`^/channels/${chatId}/messages`);
      if (how === 'limited') server.fault({ at: 'call', path, times: 1, do: { type: 'rate_limit', retryAfter: 0.1 } });
      if (how === 'edit_lost') server.fault({ at: 'call', method: 'PATCH', path, times: 1, do: { type: 'withhold' } });
      if (how === 'edit_failed') server.fault({ at: 'call', method: 'PATCH', path, times: 1, do: { type: 'status', status: 500 } });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The ids of the buttons in a message's components, whatever they are nested in. */
function listButtons(components: Json): string[] {
  if (Array.isArray(components)) return components.flatMap(listButtons);
  if (!isObject(components)) return [];
  const { custom_id: id, components: below } = components;
  return [...(typeof id === 'string' ? [id] : []), ...(below === undefined ? [] : listButtons(below))];
}
