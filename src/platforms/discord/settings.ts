import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountSettings, PlatformVariable } from '../../contracts/platform-adapter.ts';

/** What the settings of a Discord account come to. */
export interface DiscordSettings {
  readonly token: string;
  readonly apiUrl: string;
  /** Absent: Discord is asked for it. */
  readonly gatewayUrl?: string;
  readonly listens: ChannelGate;
  readonly startsThreads: boolean;
  readonly publishesCommands: boolean;
  /** What a text of ours may ring for. */
  readonly allowedMentions: JsonObject;
}

/** Which channels are heard, and when a message there is meant for us. Threads follow their channel. */
export interface ChannelGate {
  readonly needsMention: boolean;
  /** A message that calls others and not us is theirs. */
  readonly leavesOthersAlone: boolean;
  readonly ignored: ReadonlySet<string>;
  /** Empty: all. */
  readonly allowed: ReadonlySet<string>;
  /** Channels where no mention is needed, and no thread is started. */
  readonly free: ReadonlySet<string>;
  readonly withoutThreads: ReadonlySet<string>;
}

const OFFICIAL_URL = 'https://discord.com/api/v10';

export function readSettings({ secrets, extra }: AccountSettings): DiscordSettings {
  const gatewayUrl = textOf(extra, 'gateway_url');
  const isOn = (key: string, preset: boolean) => (extra[key] === undefined ? preset : isTrue(extra[key]));
  const ring = (key: string, preset: boolean, what: string) => (isOn(key, preset) ? [what] : []);
  return {
    token: secrets['token'] ?? '',
    apiUrl: (textOf(extra, 'api_url') ?? OFFICIAL_URL).replace(/\/+$/, ''),
    ...(gatewayUrl !== undefined && { gatewayUrl }),
    listens: {
      needsMention: isOn('require_mention', true),
      leavesOthersAlone: isOn('ignore_no_mention', true),
      ignored: new Set(listOf(extra['ignored_channels'])),
      allowed: new Set(listOf(extra['allowed_channels'])),
      free: new Set(listOf(extra['free_response_channels'])),
      withoutThreads: new Set(listOf(extra['no_thread_channels'])),
    },
    startsThreads: isOn('auto_thread', true),
    publishesCommands: isOn('slash_commands', true) && textOf(extra, 'command_sync_policy') !== 'off',
    allowedMentions: {
      parse: [
        ...ring('allow_mention_everyone', false, 'everyone'),
        ...ring('allow_mention_roles', false, 'roles'),
        ...ring('allow_mention_users', true, 'users'),
      ],
      replied_user: isOn('allow_mention_replied_user', true),
    },
  };
}

/** Why these settings cannot work. */
export function checkSettings({ secrets, extra }: AccountSettings): string | undefined {
  const token = secrets['token'] ?? '';
  if (token === '')
    return 'Discord has no bot token. Copy it from the Bot page of your application at https://discord.com/developers and set DISCORD_BOT_TOKEN.';
  if (/\s/.test(token)) return 'The Discord bot token contains a space. Copy it again from the Bot page into DISCORD_BOT_TOKEN.';
  for (const [key, protocols, example] of ADDRESSES) {
    const url = textOf(extra, key);
    if (url !== undefined && !protocols.test(URL.parse(url)?.protocol ?? ''))
      return `platforms.discord.extra.${key} is not an address: ${url}. Write it in full, for example ${example}.`;
  }
  const rounded = LISTS.find((key) => [extra[key]].flat().some((id) => typeof id === 'number'));
  return rounded && `Put the ids in platforms.discord.extra.${rounded} between quotes: without them, long numbers are rounded.`;
}
const LISTS = ['ignored_channels', 'allowed_channels', 'free_response_channels', 'no_thread_channels'] as const;
const ADDRESSES = [
  ['api_url', /^https?:$/, OFFICIAL_URL],
  ['gateway_url', /^wss?:$/, 'wss://gateway.discord.gg'],
] as const;

const textOf = (extra: JsonObject, key: string): string | undefined => {
  const value = extra[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const isTrue = (value: Json | undefined): boolean => value === true || (typeof value === 'string' && /^(?:true|1|yes|on)$/i.test(value));
/** Ids as they may be written: alone, in a list, or as a mention (`<#1>`). */
const listOf = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [])
    .map((each) => each.replaceAll(/[<>#@!\s]/g, ''))
    .filter((each) => each !== '');

const text = (to: string, describe: string): PlatformVariable => ({ to, kind: 'text', describe });
const list = (to: string, describe: string): PlatformVariable => ({ to, kind: 'list', describe });
const flag = (to: string, describe: string): PlatformVariable => ({ to, kind: 'flag', describe });

/** Besides those that every platform has. */
export const DISCORD_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  DISCORD_BOT_TOKEN: { to: 'token', kind: 'text', secret: true, describe: 'Token of the bot, from the Bot page of your application' },
  DISCORD_REQUIRE_MENTION: flag('extra.require_mention', 'In channels, answer only when mentioned or replied to (true)'),
  DISCORD_IGNORE_NO_MENTION: flag('extra.ignore_no_mention', 'Leave messages that mention only others to them (true)'),
  DISCORD_FREE_RESPONSE_CHANNELS: list('extra.free_response_channels', 'Ids of channels where no mention is needed'),
  DISCORD_IGNORED_CHANNELS: list('extra.ignored_channels', 'Ids of channels the bot does not read'),
  DISCORD_ALLOWED_CHANNELS: list('extra.allowed_channels', 'Ids of the only channels the bot reads'),
  DISCORD_AUTO_THREAD: flag('extra.auto_thread', 'Answer a mention in a channel with a thread of its own (true)'),
  DISCORD_NO_THREAD_CHANNELS: list('extra.no_thread_channels', 'Ids of channels where no threads are started'),
  DISCORD_COMMAND_SYNC_POLICY: text('extra.command_sync_policy', 'Publish slash commands: safe, bulk or off'),
  DISCORD_ALLOW_MENTION_EVERYONE: flag('extra.allow_mention_everyone', 'Answers may ring for everyone'),
  DISCORD_ALLOW_MENTION_ROLES: flag('extra.allow_mention_roles', 'Answers may ring for roles'),
  DISCORD_ALLOW_MENTION_USERS: flag('extra.allow_mention_users', 'Answers may ring for the people they name (true)'),
  DISCORD_ALLOW_MENTION_REPLIED_USER: flag('extra.allow_mention_replied_user', 'A reply rings for whom it answers (true)'),
};
