import { isObject, readStringAt } from '../../../../src/base/json.ts';
import { openSlackServer, type SlackServer } from '../../../../src/testing/platforms/slack/server.ts';
import type { SlackBot, SlackChannel, SlackMessage, SlackUser, SlackWorkspace } from '../../../../src/testing/platforms/slack/world.ts';
import { toSettings } from './settings.ts';
import type { ChatStage, ChatStageOptions, StageCall, StageChat, StageWords } from './contract.ts';

export async function openSlack({ chats, accounts = ['main'], strangers = 0, secondMs }: ChatStageOptions): Promise<ChatStage> {
  const pingMs = secondMs === undefined ? 500 : 10 * secondMs;
  const server = await openSlackServer({ pingEveryMs: pingMs });
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
      extra: { api_url: server.apiUrl, ping_interval_ms: pingMs },
    }),
    chats: known,
    strangers: unknown,
    say: (place, { text, files = [] }) => {
      const { channel, user } = find(place);
      return server.say(channel, user, { text, files: files.map(toFile) }).ts;
    },
    forward: (place, words) => server.say(find(place).channel, find(place).user, { share: sayElsewhere(server, workspace, words) }).ts,
    edit: (place, ts, text) => {
      const { channel } = find(place);
      const message = channel.messages.find((each) => each.ts === ts);
      if (message !== undefined) server.edit(channel, message, text);
    },
    press: (place, ts, button = 0) => {
      const { channel, user } = find(place);
      const message = channel.messages.find((each) => each.ts === ts);
      const actionId = message === undefined ? undefined : listButtons(message)[button];
      if (actionId !== undefined) void server.press(channel, user, { ts, actionId });
    },
    ours: (place) => {
      const { channel, bot } = find(place);
      return server
        .visible(channel)
        .filter((message) => message.bot === bot && message.onlyFor === undefined)
        .map((message) => ({
          id: message.ts,
          text: message.text === '' ? readBlocks(message) : message.text,
          hasButtons: listButtons(message).length > 0,
          files: message.files.map(({ name }) => name),
          at: message.history[0]?.at ?? 0,
          ...(message.threadTs !== undefined && { replyTo: message.threadTs }),
        }));
    },
    calls: (chat) => listCalls(server, bots, chat),
    sockets: (account) => {
      const bot = bots.get(account);
      return bot === undefined ? 0 : server.sockets.count(bot.app);
    },
    leave: async () => {
      const refusing = server.refuseConnections();
      for (const { app } of bots.values()) server.sockets.drop(app);
      return { [Symbol.asyncDispose]: async () => refusing[Symbol.dispose]() };
    },
    deafen: (account, which) => {
      const bot = bots.get(account);
      if (bot === undefined) throw new Error(`There is no account ${account}.`);
      return server.sockets.deafen(bot.app, which);
    },
    flood: ({ chatId: channel }, what, seconds) => {
      const method = what === 'send' ? 'chat.postMessage' : 'chat.update';
      server.addFault({ method, channel, times: 1, fault: { type: 'status', status: 429, retryAfter: seconds } });
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

/** What somebody writes where no bot is. */
function sayElsewhere(server: SlackServer, workspace: SlackWorkspace, { text, files = [] }: StageWords) {
  const author = server.addUser(workspace, 'mallory');
  const elsewhere = server.addChannel(workspace, { name: 'elsewhere', members: [author] });
  return { message: server.say(elsewhere, author, { text, files: files.map(toFile) }), author };
}

const toFile = ({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) => ({ name, bytes: Buffer.from(bytes) });

function listCalls({ log }: SlackServer, bots: ReadonlyMap<string, SlackBot>, chat: StageChat | undefined): StageCall[] {
  return log.flatMap((entry) => {
    if (entry.type !== 'request') return [];
    const { by, method, arguments: given, at, outcome } = entry;
    const chatId = given['channel'] ?? given['channel_id'];
    if (chat !== undefined && chatId !== chat.chatId) return [];
    const account = [...bots].find(([, bot]) => bot.userId === by || bot.app.id === by)?.[0] ?? '';
    const facts = { account, method, kind: KINDS[method] ?? ('other' as const), words: JSON.stringify(given), at };
    return [{ ...facts, ...(typeof chatId === 'string' && { chatId }), isLimited: outcome === 'status 429' }];
  });
}

const KINDS: Readonly<Record<string, StageCall['kind']>> = {
  'chat.postMessage': 'send',
  'files.completeUploadExternal': 'send',
  'chat.update': 'edit',
  'assistant.threads.setStatus': 'sign',
  'reactions.add': 'sign',
};

/** The words of a message that has only blocks. */
const readBlocks = ({ blocks }: SlackMessage): string => blocks.flatMap((block) => readStringAt(block, 'text', 'text') ?? []).join('\n');

const listButtons = ({ blocks }: SlackMessage): string[] =>
  blocks.flatMap((block) => {
    if (!isObject(block) || !Array.isArray(block['elements'])) return [];
    return block['elements'].flatMap((element) =>
      isObject(element) && typeof element['action_id'] === 'string' ? [element['action_id']] : [],
    );
  });
