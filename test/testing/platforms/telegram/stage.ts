import { openTelegramServer, type TelegramServer, type TelegramServerOptions } from '../../../../src/testing/platforms/telegram/index.ts';
import type { TelegramBotAccount, TelegramChat, TelegramPerson } from '../../../../src/testing/platforms/telegram/index.ts';

/** A server with one bot, one person and their private chat. */
export interface TelegramStage extends AsyncDisposable {
  readonly server: TelegramServer;
  readonly bot: TelegramBotAccount;
  readonly ann: TelegramPerson;
  readonly dm: TelegramChat;
}

export async function telegramStage(options: TelegramServerOptions = {}): Promise<TelegramStage> {
  const server = await openTelegramServer(options);
  const bot = server.people.addBot({ name: 'Hermes', username: 'hermes_test_bot' });
  const ann = server.people.addUser('Ann', { username: 'ann' });
  const dm = server.people.openPrivate(bot, ann);
  return { server, bot, ann, dm, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Waits for something that happens on its own, without a word on how long that may take but one: not for ever. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`It never came to this: ${what}`);
}
