/** A Telegram server for tests, proved by the official clients. */
export { openTelegramServer, type TelegramServer, type TelegramServerOptions } from './server.ts';
export type { TelegramFault, TelegramFaultKind } from './faults.ts';
export type { TelegramBotAccount, TelegramChat, TelegramPerson } from './model.ts';
export type { Utterance } from './people.ts';
