import { toErrorMessage } from '../../base/errors.ts';
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

/** What the settings of a Telegram account come to. */
export interface TelegramSettings {
  readonly token: string;
  /** The token follows at once. */
  readonly baseUrl: string;
  readonly fileUrl: string;
  /** How long Telegram may hold a poll that has nothing to tell. */
  readonly pollSeconds: number;
  /** How much longer an answer may take to get here. After that the connection is dead. */
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
  readonly freeChats: Set<string>;
  /** Groups we listen to; all when it is empty. */
  readonly allowedChats: Set<string>;
  /** Topics we do not listen to. */
  readonly ignoredThreads: ReadonlySet<string>;
}

const OFFICIAL_URL = 'https://api.telegram.org/bot';
const POLL_SECONDS = 30;
const GRACE_SECONDS = 15;

export function readSettings({ secrets, extra }: AccountSettings, log: (words: string) => void): TelegramSettings {
  const baseUrl = readExtraText(extra, 'base_url') ?? OFFICIAL_URL;
  const url = readExtraText(extra, 'webhook_url');
  return {
    token: secrets['token'] ?? '',
    baseUrl,
    fileUrl: readExtraText(extra, 'base_file_url') ?? baseUrl.replace(/\/bot\/?$/, '/file/bot'),
    pollSeconds: Number(extra['poll_seconds'] ?? POLL_SECONDS),
    graceSeconds: Number(extra['poll_grace_seconds'] ?? GRACE_SECONDS),
    ...(url !== undefined && { webhook: { url, secret: secrets['webhook_secret'] ?? '' } }),
    showsPreviews: !readExtraFlag(extra, 'disable_link_previews', false),
    gate: {
      isRequired: readExtraFlag(extra, 'require_mention', false),
      areBotsRequired: readExtraFlag(extra, 'bots_require_mention', false),
      isExclusive: readExtraFlag(extra, 'exclusive_bot_mentions', true),
      patterns: readWords(extra['mention_patterns']).flatMap((pattern) => readPattern(pattern, log)),
      freeChats: new Set(readWords(extra['free_response_chats'])),
      allowedChats: new Set(readWords(extra['allowed_chats'])),
      ignoredThreads: new Set(readWords(extra['ignored_threads'])),
    },
  };
}

/** Why these settings cannot work. */
export function checkSettings({ secrets, extra }: AccountSettings): string | undefined {
  const token = secrets['token'] ?? '';
  if (token === '') return 'Telegram has no bot token. Get one from @BotFather and set TELEGRAM_BOT_TOKEN.';
  if (/[\s/?#]/.test(token))
    return 'The Telegram bot token contains a space or a slash. Copy it again from @BotFather into TELEGRAM_BOT_TOKEN.';
  const wrong = describeBadAddress('telegram', extra, ADDRESSES);
  if (wrong !== undefined) return wrong;
  if (readExtraText(extra, 'webhook_url') === undefined) return undefined;
  return /^[\w-]{1,256}$/.test(secrets['webhook_secret'] ?? '')
    ? undefined
    : 'A Telegram webhook needs a secret. Set TELEGRAM_WEBHOOK_SECRET to 1 to 256 letters, digits, "_" or "-".';
}

const ADDRESSES = ['base_url', 'base_file_url', 'webhook_url'].map((key) => ({ key, protocols: HTTP, example: 'https://example.com/bot' }));

function readPattern(pattern: string, log: (words: string) => void): RegExp[] {
  try {
    return [new RegExp(pattern, 'iu')];
  } catch (error) {
    log(`Telegram ignores the mention pattern ${pattern}: ${toErrorMessage(error)}`);
    return [];
  }
}

/** Besides those that every platform has: who may speak, the home channel, reactions and replies. */
export const TELEGRAM_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  TELEGRAM_BOT_TOKEN: secretVariable('token', 'Token of the bot, from @BotFather'),
  TELEGRAM_WEBHOOK_URL: text('extra.webhook_url', 'Address at which Telegram reaches this machine; unset: the bot polls'),
  TELEGRAM_WEBHOOK_SECRET: secretVariable('webhook_secret', 'Secret that Telegram sends with each call'),
  TELEGRAM_WEBHOOK_PORT: { to: 'extra.webhook_port', kind: 'number', describe: 'Port to listen on for the webhook (8443)' },
  TELEGRAM_ALLOWED_CHATS: list('extra.allowed_chats', 'Ids of the groups the bot listens to (all)'),
  TELEGRAM_REQUIRE_MENTION: flag('extra.require_mention', 'In groups, answer only when mentioned or replied to'),
  TELEGRAM_MENTION_PATTERNS: list('extra.mention_patterns', 'Regular expressions that count as a mention'),
  TELEGRAM_EXCLUSIVE_BOT_MENTIONS: flag('extra.exclusive_bot_mentions', 'Leave messages that mention another bot to that bot (true)'),
  TELEGRAM_BOTS_REQUIRE_MENTION: flag('extra.bots_require_mention', 'Answer other bots only when they mention this one'),
  TELEGRAM_FREE_RESPONSE_CHATS: list('extra.free_response_chats', 'Ids of groups where no mention is needed'),
  TELEGRAM_IGNORED_THREADS: list('extra.ignored_threads', 'Ids of topics the bot does not listen to'),
};
