import { telegramStage } from '../../../testing/platforms/telegram/stage.ts';
import type { TelegramBotAccount, TelegramPerson } from '../../../../src/testing/platforms/telegram/index.ts';
import type { Utterance } from '../../../../src/testing/platforms/telegram/people.ts';
import type { TelegramRequestRecord, TelegramVisible } from '../../../../src/testing/platforms/telegram/log.ts';
import { toSettings } from './settings.ts';
import type { ChatStage, ChatStageOptions, StageCall, StageChat, StageMessage, StageWords } from './contract.ts';

const readId = (id: unknown): string => (typeof id === 'string' ? id : JSON.stringify(id));

const kindOf = (method: string): StageCall['kind'] =>
  /^(?:sendChatAction|setMessageReaction)$/.test(method)
    ? 'sign'
    : method.startsWith('send')
      ? 'send'
      : method.startsWith('edit')
        ? 'edit'
        : 'other';

function listCalls(
  requests: readonly TelegramRequestRecord[],
  bots: ReadonlyMap<string, TelegramBotAccount>,
  chat: StageChat | undefined,
): StageCall[] {
  const isOf = ({ token, params }: TelegramRequestRecord): boolean =>
    chat === undefined || (token === bots.get(chat.account)?.token && readId(params['chat_id']) === chat.chatId);
  return requests.filter(isOf).map(({ token, method, params, at, status }) => ({
    account: [...bots].find(([, bot]) => bot.token === token)?.[0] ?? '',
    method,
    kind: kindOf(method),
    ...(params['chat_id'] !== undefined && { chatId: readId(params['chat_id']) }),
    words: JSON.stringify(params),
    at,
    isLimited: status === 429,
  }));
}

const scalePolls = (secondMs: number) => ({ poll_seconds: (30 * secondMs) / 1_000, poll_grace_seconds: (60 * secondMs) / 1_000 });

const toStageMessage = (message: TelegramVisible, requests: readonly TelegramRequestRecord[]): StageMessage => {
  const { id, text, buttons = [], media, request, replyTo } = message;
  return {
    id: String(id),
    text,
    hasButtons: buttons.flat().length > 0,
    files: media?.name === undefined ? [] : [media.name],
    at: requests[request ?? -1]?.at ?? 0,
    ...(replyTo !== undefined && { replyTo: String(replyTo) }),
  };
};

export async function openTelegram({ chats, accounts = ['main'], strangers = 0, secondMs }: ChatStageOptions): Promise<ChatStage> {
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
  let albums = 0;
  const say = (place: StageChat, { text, files = [] }: StageWords, more: Pick<Utterance, 'forwarded'> = {}): string => {
    const { chat, user } = find(place);
    if (files.length < 2) return String(people.say(chat, user, { text, ...more, ...(files[0] !== undefined && { document: files[0] }) }));
    const album = `album-${++albums}`;
    const ids = files.map((document, index) => people.say(chat, user, { document, album, ...more, ...(index === 0 && { text }) }));
    return String(ids[0]);
  };
  return {
    platform: 'telegram',
    settings: toSettings({
      accounts: Object.fromEntries([...bots].map(([name, { token }]) => [name, { token }])),
      people: known.map(({ personId }) => personId),
      extra: { base_url: stage.server.baseUrl, ...(secondMs !== undefined && scalePolls(secondMs)) },
    }),
    chats: known,
    strangers: unknown,
    say,
    forward: (place, words) => say(place, words, { forwarded: 'Mallory' }),
    edit: (place, messageId, text) => {
      const { chat, user } = find(place);
      people.say(chat, user, { text, edit: Number(messageId) });
    },
    press: (place, messageId, button = 0) => {
      const { chat, user } = find(place);
      const label = log
        .visible(chat)
        .find(({ id }) => String(id) === messageId)
        ?.buttons?.flat()[button];
      if (label !== undefined) people.press(chat, user, Number(messageId), label);
    },
    ours: (place) => {
      const { bot, chat } = find(place);
      return log
        .visible(chat)
        .filter(({ from }) => from === bot.id)
        .map((message) => toStageMessage(message, log.requests));
    },
    calls: (chat) => listCalls(log.requests, bots, chat),
    sockets: (account) => stage.server.sockets(bots.get(account)?.token ?? '').polling,
    leave: async () => {
      await stage.server.refuse();
      return { [Symbol.asyncDispose]: () => stage.server.accept() };
    },
    deafen: (account, which) =>
      stage.server.inject({
        token: bots.get(account)?.token ?? '',
        methods: ['getUpdates'],
        fault: { type: 'black_hole' },
        ...(which === 'existing' && { times: 1 }),
      }),
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
