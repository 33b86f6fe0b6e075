import { isObject } from '../../../../src/base/json.ts';
import type { Json } from '../../../../src/base/json-types.ts';
import { openDiscordServer, type DiscordServer } from '../../../../src/testing/platforms/discord/server.ts';
import type { DiscordUser } from '../../../../src/testing/platforms/discord/wire.ts';
import type { DiscordBot } from '../../../../src/testing/platforms/discord/world.ts';
import { sayElsewhere } from '../../../testing/platforms/discord/stage.ts';
import { toSettings } from './settings.ts';
import type { ChatStage, ChatStageOptions, StageCall, StageChat } from './contract.ts';

export async function openDiscord({ chats, accounts = ['main'], strangers = 0, secondMs }: ChatStageOptions): Promise<ChatStage> {
  const server = await openDiscordServer({ heartbeatMs: secondMs === undefined ? 5_000 : 41 * secondMs });
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
    say: (place, { text, files = [] }) => {
      const { channel, user } = find(place);
      return server.people.say(channel, user, { text, attachments: files.map(toAttachment) }).id;
    },
    forward: (place, { text, files = [] }) => {
      const { channel, user } = find(place);
      return server.people.say(channel, user, { forward: sayElsewhere(server, { text, attachments: files.map(toAttachment) }) }).id;
    },
    edit: (_place, messageId, text) => {
      const message = server.message(messageId);
      if (message !== undefined) server.people.edit(message, text);
    },
    press: (place, messageId, button = 0) => {
      const message = server.message(messageId);
      const wanted = message === undefined ? undefined : listButtons(message.components)[button];
      if (message !== undefined && wanted !== undefined) server.people.press(message, find(place).user, wanted);
    },
    ours: (place) => {
      const { channel, bot } = find(place);
      return server
        .visible(channel)
        .filter(({ author, ephemeralFor }) => author === bot.user.username && ephemeralFor === undefined)
        .map(({ id, content, attachments, versions, replyTo }) => ({
          id,
          text: content,
          hasButtons: listButtons(server.message(id)?.components ?? []).length > 0,
          files: attachments.map(({ filename }) => filename),
          at: versions[0]?.at ?? 0,
          ...(replyTo !== undefined && { replyTo }),
        }));
    },
    calls: (chat) => listCalls(server, bots, chat),
    sockets: (account) => server.gateway.openSockets(bots.get(account)?.token),
    leave: async ({ resume }) => {
      if (!resume) server.gateway.forget();
      const refusing = server.refuseConnections();
      server.gateway.drop();
      return { [Symbol.asyncDispose]: async () => refusing[Symbol.dispose]() };
    },
    deafen: (account, which) => {
      const { token } = bots.get(account) ?? {};
      server.gateway.silence(token);
      const timer = which === 'all' ? setInterval(() => server.gateway.silence(token), 5) : undefined;
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
    flood: ({ chatId }, what, seconds) => {
      const path = new RegExp(`^/channels/${chatId}/messages`);
      const method = what === 'send' ? 'POST' : 'PATCH';
      server.fault({ at: 'call', method, path, times: 1, do: { type: 'rate_limit', retryAfter: seconds } });
    },
    disturb: ({ chatId }, how) => {
      const path = new RegExp(`^/channels/${chatId}/messages`);
      if (how === 'limited') server.fault({ at: 'call', path, times: 1, do: { type: 'rate_limit', retryAfter: 0.1 } });
      if (how === 'edit_lost') server.fault({ at: 'call', method: 'PATCH', path, times: 1, do: { type: 'withhold' } });
      if (how === 'edit_failed') server.fault({ at: 'call', method: 'PATCH', path, times: 1, do: { type: 'status', status: 500 } });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const toAttachment = ({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) => ({
  filename: name,
  contentType: 'application/octet-stream',
  bytes: Buffer.from(bytes),
});

function listCalls({ log }: DiscordServer, bots: ReadonlyMap<string, DiscordBot>, chat: StageChat | undefined): StageCall[] {
  const own = log.calls.filter(({ path }) => chat === undefined || path.startsWith(`/channels/${chat.chatId}/`));
  return own.map(({ bot, method, path, body, at, status }) => {
    const chatId = /^\/channels\/(\d+)/.exec(path)?.[1];
    return {
      account: [...bots].find(([, { id }]) => id === bot)?.[0] ?? '',
      method: `${method} ${path}`,
      kind: kindOf(method, path),
      ...(chatId !== undefined && { chatId }),
      words: JSON.stringify(body ?? ''),
      at,
      isLimited: status === 429,
    };
  });
}

const kindOf = (method: string, path: string): StageCall['kind'] => {
  if (/\/(?:typing|reactions)/.test(path)) return 'sign';
  if (!/\/messages/.test(path)) return 'other';
  return method === 'POST' ? 'send' : method === 'PATCH' ? 'edit' : 'other';
};

/** The ids of the buttons in a message's components, whatever they are nested in. */
function listButtons(components: Json): string[] {
  if (Array.isArray(components)) return components.flatMap(listButtons);
  if (!isObject(components)) return [];
  const { custom_id: id, components: below } = components;
  return [...(typeof id === 'string' ? [id] : []), ...(below === undefined ? [] : listButtons(below))];
}
