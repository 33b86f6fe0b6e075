import type { DiscordGateway } from './gateway.ts';
import type { DiscordLog } from './log.ts';
import type { DiscordWorld } from './world.ts';

/** What the parts of the server share. */
export interface DiscordCore {
  readonly world: DiscordWorld;
  readonly gateway: DiscordGateway;
  readonly log: DiscordLog;
  readonly interactions: Map<string, OpenInteraction>;
  /** How long the nonce of a message is remembered. */
  readonly nonceMs: number;
  /** How long a bot may take to answer an interaction. */
  readonly interactionMs: number;
  /** How long the token of an interaction can be used. */
  readonly followUpMs: number;
  readonly maxUploadBytes: number;
}

/** A command or a press that a bot may answer. */
export interface OpenInteraction {
  readonly id: string;
  readonly token: string;
  readonly botId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly at: number;
  /** The message whose button was pressed. */
  readonly sourceId?: string;
  answeredWith?: number;
  /** The message that answers it, once there is one. */
  originalId?: string;
}
