import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountSettings, PlatformVariable } from '../../contracts/platform-adapter.ts';

/** What the settings of a Telegram account come to. */
export interface TelegramSettings {
  readonly token: string;
  /** The token follows at once. */
  readonly baseUrl: string;
  readonly fileUrl: string;
  /** How long Telegram may hold a poll that has nothing to tell. */
  readonly pollSeconds: number;
  /** How much longer an answer may take to get here. After that the line is dead. */
  readonly graceSeconds: number;
  readonly webhook?: { readonly url: string; readonly secret: string };
  readonly showsPreviews: boolean;
  readonly gate: MentionGate;
}

/** When a message in a group is meant for us. */
export interface MentionGate {
  readonly isRequired: boolean;
  readonly areBotsRequired: boolean;
  /** A message that names other bots and not us is theirs. */
  readonly isExclusive: boolean;
  readonly patterns: readonly RegExp[];
  /** Chats where no mention is needed. */
  readonly freeChats: ReadonlySet<string>;
  /** Groups we listen to; all when it is empty. */
  readonly allowedChats: ReadonlySet<string>;
  /** Topics we do not listen to. */
  readonly ignoredThreads: ReadonlySet<string>;
}

const OFFICIAL_URL = 'https://api.telegram.org/bot';
const POLL_SECONDS = 30;
const GRACE_SECONDS = 15;

export function readSettings({ secrets, extra }: AccountSettings, log: (words: string) => void): TelegramSettings {
  const baseUrl = textOf(extra, 'base_url') ?? OFFICIAL_URL;
  const url = textOf(extra, 'webhook_url');
  return {
    token: secrets['token'] ?? '',
    baseUrl,
    fileUrl: textOf(extra, 'base_file_url') ?? baseUrl.replace(/\/bot\/?$/, '/file/bot'),
    pollSeconds: Number(extra['poll_seconds'] ?? POLL_SECONDS),
    graceSeconds: Number(extra['poll_grace_seconds'] ?? GRACE_SECONDS),
    ...(url !== undefined && { webhook: { url, secret: secrets['webhook_secret'] ?? '' } }),
    showsPreviews: !isTrue(extra['disable_link_previews']),
    gate: {
      isRequired: isTrue(extra['require_mention']),
      areBotsRequired: isTrue(extra['bots_require_mention']),
      isExclusive: extra['exclusive_bot_mentions'] === undefined || isTrue(extra['exclusive_bot_mentions']),
      patterns: listOf(extra['mention_patterns']).flatMap((pattern) => readPattern(pattern, log)),
      freeChats: new Set(listOf(extra['free_response_chats'])),
      allowedChats: new Set(listOf(extra['allowed_chats'])),
      ignoredThreads: new Set(listOf(extra['ignored_threads'])),
    },
  };
}

/** Why these settings cannot work. */
export function checkSettings({ secrets, extra }: AccountSettings): string | undefined {
  const token = secrets['token'] ?? '';
  if (token === '') return 'Telegram has no bot token. Get one from @BotFather and set TELEGRAM_BOT_TOKEN.';
  if (/[\s/?#]/.test(token))
    return 'The Telegram bot token contains a space or a slash. Copy it again from @BotFather into TELEGRAM_BOT_TOKEN.';
  for (const key of ['base_url', 'base_file_url', 'webhook_url']) {
    const url = textOf(extra, key);
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      return `platforms.telegram.extra.${key} is not an http address: ${url}. Write it in full, for example https://example.com/bot.`;
  }
  if (textOf(extra, 'webhook_url') === undefined) return undefined;
  return /^[\w-]{1,256}$/.test(secrets['webhook_secret'] ?? '')
    ? undefined
    : 'A Telegram webhook needs a secret. Set TELEGRAM_WEBHOOK_SECRET to 1 to 256 letters, digits, "_" or "-".';
}

const textOf = (extra: JsonObject, key: string): string | undefined => {
  const value = extra[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const isTrue = (value: Json | undefined): boolean => value === true || (typeof value === 'string' && /^(?:true|1|yes)$/i.test(value));
const listOf = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' || typeof value === 'number' ? String(value).split(',') : [])
    .map((each) => each.trim())
    .filter((each) => each !== '');

function readPattern(pattern: string, log: (words: string) => void): RegExp[] {
  try {
    return [new RegExp(pattern, 'iu')];
  } catch (error) {
    log(`Telegram ignores the mention pattern ${pattern}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

const list = (to: string, describe: string): PlatformVariable => ({ to, kind: 'list', describe });
const flag = (to: string, describe: string): PlatformVariable => ({ to, kind: 'flag', describe });

/** Besides those that every platform has: who may speak, the home channel, reactions and replies. */
export const TELEGRAM_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  TELEGRAM_BOT_TOKEN: { to: 'token', kind: 'text', secret: true, describe: 'Token of the bot, from @BotFather' },
  TELEGRAM_WEBHOOK_URL: {
    to: 'extra.webhook_url',
    kind: 'text',
    describe: 'Address at which Telegram reaches this machine; unset: the bot polls',
  },
  TELEGRAM_WEBHOOK_SECRET: { to: 'webhook_secret', kind: 'text', secret: true, describe: 'Secret that Telegram sends with each call' },
  TELEGRAM_WEBHOOK_PORT: { to: 'extra.webhook_port', kind: 'number', describe: 'Port to listen on for the webhook (8443)' },
  TELEGRAM_ALLOWED_CHATS: list('extra.allowed_chats', 'Ids of the groups the bot listens to (all)'),
  TELEGRAM_REQUIRE_MENTION: flag('extra.require_mention', 'In groups, answer only when mentioned or replied to'),
  TELEGRAM_MENTION_PATTERNS: list('extra.mention_patterns', 'Regular expressions that count as a mention'),
  TELEGRAM_EXCLUSIVE_BOT_MENTIONS: flag('extra.exclusive_bot_mentions', 'Leave messages that mention another bot to that bot (true)'),
  TELEGRAM_BOTS_REQUIRE_MENTION: flag('extra.bots_require_mention', 'Answer other bots only when they mention this one'),
  TELEGRAM_FREE_RESPONSE_CHATS: list('extra.free_response_chats', 'Ids of groups where no mention is needed'),
  TELEGRAM_IGNORED_THREADS: list('extra.ignored_threads', 'Ids of topics the bot does not listen to'),
};
