import { setTimeout as sleep } from 'node:timers/promises';
import type { DiscordWords } from '../../../../src/testing/platforms/discord/people.ts';
import type { DiscordMessage } from '../../../../src/testing/platforms/discord/world.ts';
import { openDiscordServer, type DiscordServer, type DiscordServerOptions } from '../../../../src/testing/platforms/discord/server.ts';

/** A guild with a bot, Ann and a channel, and the direct channel of the two. */
export async function openStage(options: DiscordServerOptions = {}) {
  const server = await openDiscordServer(options);
  const [bot, ann] = [server.addBot('hermes'), server.addUser('ann')];
  const guild = server.addGuild('Workshop', [ann, bot.user]);
  const channel = server.addChannel(guild, 'general', { topic: 'Everything' });
  const direct = server.direct(bot, ann);
  return { server, bot, ann, guild, channel, direct, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** What somebody says in a guild where no bot is. */
export function sayElsewhere(server: DiscordServer, words: DiscordWords): DiscordMessage {
  const mallory = server.addUser('mallory');
  return server.people.say(server.addChannel(server.addGuild('Elsewhere', [mallory]), 'talk'), mallory, words);
}

export const textsIn = (server: DiscordServer, channel: { readonly id: string }): string[] =>
  server.visible(channel).map(({ author, content }) => `${author}: ${content}`);

export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let left = 2_000; left > 0; left--) {
    if (isSo()) return;
    await sleep(10);
  }
  throw new Error(`It never came to this: ${what}`);
}
