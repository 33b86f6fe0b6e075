/** The objects of Discord's API, as far as a bot meets them. Field names are Discord's. */
export type DiscordUser = {
  readonly id: string;
  readonly username: string;
  readonly global_name: string;
  readonly discriminator: '0';
  readonly avatar: null;
  readonly bot: boolean;
};

export type DiscordAttachment = {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly content_type: string;
  readonly url: string;
  readonly proxy_url: string;
  readonly description?: string;
};

export const CHANNEL_TYPES = { text: 0, dm: 1, thread: 11, forum: 15 } as const;
export type DiscordChannelKind = keyof typeof CHANNEL_TYPES;

export const INTENTS = {
  guilds: 1 << 0,
  members: 1 << 1,
  presences: 1 << 8,
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  messageContent: 1 << 15,
} as const;

/** Intents that a bot may only ask for when its page in the developer portal grants them. */
export const PRIVILEGED = INTENTS.members | INTENTS.presences | INTENTS.messageContent;

export const OPS = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

/** Why Discord closes a socket. */
export const CLOSE_CODES = {
  unknownOp: 4001,
  badPayload: 4002,
  notAuthenticated: 4003,
  badToken: 4004,
  alreadyAuthenticated: 4005,
  badSequence: 4007,
  sessionTimedOut: 4009,
  badIntents: 4013,
  disallowedIntents: 4014,
} as const;

export const MESSAGE_FLAGS = { ephemeral: 1 << 6, loading: 1 << 7 } as const;
export const MESSAGE_TYPES = { normal: 0, threadCreated: 18, reply: 19, command: 20 } as const;
