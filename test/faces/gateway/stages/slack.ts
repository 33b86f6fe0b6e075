import { isObject } from '../../../../src/base/json.ts';
import { openSlackServer } from '../../../../src/testing/platforms/slack/server.ts';
import type { SlackChannel, SlackMessage, SlackUser } from '../../../../src/testing/platforms/slack/world.ts';
import { toSettings } from './settings.ts';
import type { ChatStage, ChatStageOptions, StageChat } from './contract.ts';

export async function openSlack({ chats, accounts = ['main'], strangers = 0 }: ChatStageOptions): Promise<ChatStage> {
  const server = await openSlackServer({ pingEveryMs: 500 });
  const workspace = server.addWorkspace();
  const bots = new Map(accounts.map((name) => [name, server.install(workspace)]));
  const channels = new Map<string, { readonly channel: SlackChannel; readonly user: SlackUser }>();
  const open = (name: string): StageChat[] => {
    const user = server.addUser(workspace, name);
    return [...bots].map(([account, bot]) => {
      const channel = server.openDirect(bot, user);
      channels.set(channel.id, { channel, user });
      return { account, chatId: channel.id, personId: user.id };
    });
  };
  const known = Array.from({ length: chats }, (_, index) => open(`person-${index}`)).flat();
  const unknown = Array.from({ length: strangers }, (_, index) => open(`stranger-${index}`)).flat();
  const find = ({ chatId, account }: StageChat) => {
    const [place, bot] = [channels.get(chatId), bots.get(account)];
    if (place === undefined || bot === undefined) throw new Error(`There is no chat ${chatId}.`);
    return { ...place, bot };
  };
  return {
    platform: 'slack',
    settings: toSettings({
      accounts: Object.fromEntries([...bots].map(([name, { botToken, app }]) => [name, { token: botToken, app_token: app.appToken }])),
      people: known.map(({ personId }) => personId),
      extra: { api_url: server.apiUrl, ping_interval_ms: 500 },
    }),
    chats: known,
    strangers: unknown,
    say: (place, { text, file }) => {
      const { channel, user } = find(place);
      const files = file && [{ name: file.name, bytes: Buffer.from(file.bytes) }];
      return server.say(channel, user, { text, ...(files !== undefined && { files }) }).ts;
    },
    press: (place, ts) => {
      const { channel, user } = find(place);
      const message = channel.messages.find((each) => each.ts === ts);
      const [actionId] = message === undefined ? [] : listButtons(message);
      if (actionId !== undefined) void server.press(channel, user, { ts, actionId });
    },
    ours: (place) => {
      const { channel, bot } = find(place);
      return server
        .visible(channel)
        .filter((message) => message.bot === bot)
        .map((message) => ({ id: message.ts, text: message.text, hasButtons: listButtons(message).length > 0 }));
    },
    calls: () =>
      server.log.flatMap((entry) => {
        if (entry.type !== 'request') return [];
        const { by, method, arguments: given, at } = entry;
        const chatId = given['channel'] ?? given['channel_id'];
        const account = [...bots].find(([, bot]) => bot.userId === by || bot.app.id === by)?.[0] ?? '';
        return [{ account, method, ...(typeof chatId === 'string' && { chatId }), words: JSON.stringify(given), at }];
      }),
    sockets: (account) => {
      const bot = bots.get(account);
      return bot === undefined ? 0 : server.sockets.count(bot.app);
    },
    leave: async () => {
      const refusing = server.refuseConnections();
      for (const { app } of bots.values()) server.sockets.drop(app);
      return { [Symbol.asyncDispose]: async () => refusing[Symbol.dispose]() };
    },
    flood: ({ chatId }, seconds) => {
      const fault = { type: 'status', status: 429, retryAfter: seconds } as const;
      const rules = ['chat.postMessage', 'chat.update'].map((method) => server.addFault({ method, channel: chatId, fault }));
      return { [Symbol.dispose]: () => rules.forEach((rule) => rule[Symbol.dispose]()) };
    },
    disturb: ({ chatId: channel }, how) => {
      const [post, update] = ['chat.postMessage', 'chat.update'] as const;
      if (how === 'limited') server.addFault({ method: post, channel, times: 1, fault: { type: 'status', status: 429, retryAfter: 0 } });
      if (how === 'edit_lost') server.addFault({ method: update, channel, times: 1, fault: { type: 'cut', performed: true } });
      if (how === 'edit_failed') server.addFault({ method: update, channel, times: 1, fault: { type: 'status', status: 500 } });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const listButtons = ({ blocks }: SlackMessage): string[] =>
  blocks.flatMap((block) => {
    if (!isObject(block) || !Array.isArray(block['elements'])) return [];
    return block['elements'].flatMap((element) =>
      isObject(element) && typeof element['action_id'] === 'string' ? [element['action_id']] : [],
    );
  });
