import { telegramStage } from '../../../testing/platforms/telegram/stage.ts';
import type { TelegramBotAccount, TelegramPerson } from '../../../../src/testing/platforms/telegram/index.ts';
import { toSettings } from './settings.ts';
import type { ChatStage, ChatStageOptions, StageChat } from './contract.ts';

export async function openTelegram({ chats, accounts = ['main'], strangers = 0 }: ChatStageOptions): Promise<ChatStage> {
  const stage = await telegramStage();
  const { people, log } = stage.server;
  const bots = new Map<string, TelegramBotAccount>(
    accounts.map((name, index) => [name, index === 0 ? stage.bot : people.addBot({ name, username: `${name}_test_bot` })]),
  );
  const users = new Map<string, TelegramPerson>();
  const open = (name: string): StageChat[] => {
    const user = people.addUser(name);
    users.set(String(user.id), user);
    return [...bots].map(([account, bot]) => {
      const { id } = people.openPrivate(bot, user);
      return { account, chatId: String(id), personId: String(user.id) };
    });
  };
  const known = Array.from({ length: chats }, (_, index) => open(`Person ${index}`)).flat();
  const unknown = Array.from({ length: strangers }, (_, index) => open(`Stranger ${index}`)).flat();
  const find = ({ account, chatId, personId }: StageChat) => {
    const [bot, user] = [bots.get(account), users.get(personId)];
    if (bot === undefined || user === undefined) throw new Error(`There is no chat ${account} ${chatId}.`);
    return { bot, user, chat: { id: Number(chatId), type: 'private', title: user.name, isForum: false, bot } as const };
  };
  return {
    platform: 'telegram',
    settings: toSettings({
      accounts: Object.fromEntries([...bots].map(([name, { token }]) => [name, { token }])),
      people: known.map(({ personId }) => personId),
      extra: { base_url: stage.server.baseUrl },
    }),
    chats: known,
    strangers: unknown,
    say: (place, { text, file }) => {
      const { chat, user } = find(place);
      return String(people.say(chat, user, { text, ...(file !== undefined && { document: file }) }));
    },
    press: (place, messageId) => {
      const { chat, user } = find(place);
      const label = log.visible(chat).find(({ id }) => String(id) === messageId)?.buttons?.[0]?.[0];
      if (label !== undefined) people.press(chat, user, Number(messageId), label);
    },
    ours: (place) => {
      const { bot, chat } = find(place);
      return log
        .visible(chat)
        .filter(({ from }) => from === bot.id)
        .map(({ id, text, buttons = [] }) => ({ id: String(id), text, hasButtons: buttons.flat().length > 0 }));
    },
    calls: () =>
      log.requests.map(({ token, method, params, at, status }) => ({
        account: [...bots].find(([, bot]) => bot.token === token)?.[0] ?? '',
        method,
        ...(params['chat_id'] !== undefined && { chatId: JSON.stringify(params['chat_id']).replaceAll('"', '') }),
        words: JSON.stringify(params),
        at,
        isLimited: status === 429,
      })),
    sockets: (account) => stage.server.sockets(bots.get(account)?.token ?? '').polling,
    leave: async () => {
      await stage.server.refuse();
      return { [Symbol.asyncDispose]: () => stage.server.accept() };
    },
    flood: ({ account, chatId }, what, seconds) => {
      const met = { chat: Number(chatId), token: bots.get(account)?.token ?? '', times: 1 };
      stage.server.inject({
        ...met,
        fault: { type: 'rate_limit', retryAfter: seconds },
        methods: [what === 'send' ? 'sendMessage' : 'editMessageText'],
      });
    },
    disturb: ({ account, chatId }, how) => {
      const met = { chat: Number(chatId), token: bots.get(account)?.token ?? '', times: 1 };
      if (how === 'limited') stage.server.inject({ ...met, fault: { type: 'rate_limit', retryAfter: 0.1 }, methods: ['send'] });
      if (how === 'edit_lost') stage.server.inject({ ...met, fault: { type: 'withhold', ending: 'cut' }, methods: ['editMessageText'] });
      if (how === 'edit_failed') stage.server.inject({ ...met, fault: { type: 'status', status: 500 }, methods: ['editMessageText'] });
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
