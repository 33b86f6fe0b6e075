import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountSettings, PlatformVariable } from '../../contracts/platform-adapter.ts';
import {
  describeBadAddress,
  flagVariable as flag,
  HTTP,
  listVariable as list,
  readExtraFlag,
  readExtraText,
  readWords,
  secretVariable,
  textVariable as text,
} from '../../contracts/platform-settings.ts';

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
  const gatewayUrl = readExtraText(extra, 'gateway_url');
  const isOn = (key: string, preset: boolean) => readExtraFlag(extra, key, preset);
  const ring = (key: string, preset: boolean, what: string) => (isOn(key, preset) ? [what] : []);
  return {
    token: secrets['token'] ?? '',
    apiUrl: (readExtraText(extra, 'api_url') ?? OFFICIAL_URL).replace(/\/+$/, ''),
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
    publishesCommands: isOn('slash_commands', true) && readExtraText(extra, 'command_sync_policy') !== 'off',
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
  const wrong = describeBadAddress('discord', extra, ADDRESSES);
  if (wrong !== undefined) return wrong;
  const rounded = LISTS.find((key) => [extra[key]].flat().some((id) => typeof id === 'number'));
  return rounded && `Put the ids in platforms.discord.extra.${rounded} between quotes: without them, long numbers are rounded.`;
}
const LISTS = ['ignored_channels', 'allowed_channels', 'free_response_channels', 'no_thread_channels'] as const;
const ADDRESSES = [
  { key: 'api_url', protocols: HTTP, example: OFFICIAL_URL },
  { key: 'gateway_url', protocols: /^wss?:$/, example: 'wss://gateway.discord.gg' },
] as const;

/** Ids as they may be written: alone, in a list, or as a mention (`<#1>`). */
const listOf = (value: Json | undefined): string[] =>
  readWords(typeof value === 'number' ? undefined : value)
    .map((each) => each.replaceAll(/[<>#@!\s]/g, ''))
    .filter((each) => each !== '');

/** Besides those that every platform has. */
export const DISCORD_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  DISCORD_BOT_TOKEN: secretVariable('token', 'Token of the bot, from the Bot page of your application'),
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
