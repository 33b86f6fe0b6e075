import type { DiscordCore } from './core.ts';
import { dispatchIn } from './messages.ts';
import { INTENTS } from './wire.ts';
import { channelWire } from './world-wire.ts';
import { addChannel, type DiscordChannel, type DiscordMessage } from './world.ts';

export interface ThreadStart {
  readonly parent: DiscordChannel;
  readonly ownerId: string;
  readonly name: string;
  /** The message it hangs on, whose id becomes its own. */
  readonly message?: DiscordMessage;
}

export function startThread(core: DiscordCore, { parent, ownerId, name, message }: ThreadStart): DiscordChannel {
  const place = { parentId: parent.id, ...(parent.guildId !== undefined && { guildId: parent.guildId }) };
  const own = { kind: 'thread', name, ownerId, members: [ownerId] } as const;
  const thread = addChannel(core.world, { ...own, ...place, ...(message !== undefined && { id: message.id }) });
  dispatchIn(core, thread, { type: 'THREAD_CREATE', id: thread.id, intents: INTENTS.guilds }, (bot) => ({
    ...channelWire(core.world, thread, bot.id),
    newly_created: true,
  }));
  return thread;
}
