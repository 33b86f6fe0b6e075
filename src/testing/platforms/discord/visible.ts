import { contentOf } from './message-wire.ts';
import { MESSAGE_FLAGS } from './wire.ts';
import type { DiscordVersion, DiscordWorld } from './world.ts';

/** A message as a person sees it now, with how it came about. */
export interface DiscordVisibleMessage {
  readonly id: string;
  readonly author: string;
  readonly content: string;
  readonly nonce?: string;
  readonly replyTo?: string;
  readonly ephemeralFor?: string;
  readonly attachments: readonly { readonly filename: string; readonly bytes: Buffer }[];
  readonly reactions: Readonly<Record<string, readonly string[]>>;
  /** The first is how it was sent; the number of the request tells who made it so. */
  readonly versions: readonly DiscordVersion[];
}

/** What stands in a channel, oldest first. */
export function listVisible(world: DiscordWorld, channelId: string): DiscordVisibleMessage[] {
  const messages = world.channels.get(channelId)?.messages ?? [];
  return messages
    .filter(({ deletedAt, flags }) => deletedAt === undefined && (flags & MESSAGE_FLAGS.loading) === 0)
    .map((message) => {
      const { id, author, nonce, reference, ephemeralFor, versions } = message;
      const attachments = message.attachments.map(({ filename, url }) => ({
        filename,
        bytes: world.files.get(new URL(url).pathname) ?? Buffer.alloc(0),
      }));
      const reactions = Object.fromEntries([...message.reactions].map(([emoji, who]) => [emoji, [...who]]));
      return {
        id,
        author: author.username,
        content: contentOf(message),
        attachments,
        reactions,
        versions,
        ...(nonce !== undefined && { nonce }),
        ...(reference !== undefined && { replyTo: reference }),
        ...(ephemeralFor !== undefined && { ephemeralFor }),
      };
    });
}
