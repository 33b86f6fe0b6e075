import type { ConnectOptions, InboundMessage, OutboundMessage, PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import { discord } from '../../../src/platforms/discord/index.ts';
import { connect, createReceiver, read, type Receiver } from '../../../src/testing/conformance/platform-scene.ts';
import type { DiscordServerOptions } from '../../../src/testing/platforms/discord/server.ts';
import { openStage } from '../../testing/platforms/discord/stage.ts';
import { settingsFor } from './scene.ts';

/** The stage with our adapter at it, and what it logs. */
export async function openBot(extra = {}, options: DiscordServerOptions = {}) {
  const stage = await openStage(options);
  const logged: string[] = [];
  const openAdapter = () =>
    discord.open({ settings: settingsFor(stage.server, stage.bot.token, extra), log: (words) => void logged.push(words) });
  const adapter = await openAdapter();
  return {
    ...stage,
    adapter,
    openAdapter,
    logged,
    [Symbol.asyncDispose]: async () => {
      await adapter[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

/** Connects, reads until so many events came, and says that all of them are kept. */
export async function receive(
  adapter: PlatformAdapter,
  count: number,
  options: Partial<ConnectOptions> & { receiver?: Receiver; whenConnected?: () => void } = {},
) {
  const { receiver = createReceiver(), whenConnected = () => {}, ...rest } = options;
  const connection = await connect(adapter, receiver, rest);
  whenConnected();
  const reader = read(connection, receiver);
  await reader.until(() => receiver.events.length >= count);
  await reader.settle();
  return { connection, receiver, reader };
}

export const messagesOf = ({ events }: Receiver): InboundMessage[] => events.filter((event) => event.type === 'message');

let counter = 0;
export const outbound = (chatId: string, markdown: string, rest: Partial<OutboundMessage> = {}): OutboundMessage => ({
  chatId,
  content: { type: 'text', markdown },
  key: `t${(counter += 1)}`,
  ...rest,
});
