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
} from '../../contracts/platform-settings.ts';

/** What the settings of a Slack account come to. */
export interface SlackSettings {
  /** One for each workspace; the app is the same in all of them. */
  readonly botTokens: readonly string[];
  readonly appToken: string;
  /** Ends with a slash. */
  readonly apiUrl: string;
  /** How often we ask the socket whether it is alive. */
  readonly pingMs: number;
  /**
   * How far before a cursor the catch-up begins. Slack sends an event again for about six minutes: until then, one that is
   * older than the cursor may still be on its way. What was received already is known by its key.
   */
  readonly overlapMs: number;
  /** A message in a channel is answered in a thread of its own. */
  readonly repliesInThread: boolean;
  readonly statusText: string;
  readonly gate: SlackGate;
}

/** When a message in a channel is meant for us. */
export interface SlackGate {
  readonly isRequired: boolean;
  /** Also in threads we are in. */
  readonly isRequiredInThreads: boolean;
  readonly freeChannels: ReadonlySet<string>;
  readonly strictChannels: ReadonlySet<string>;
}

const OFFICIAL_URL = 'https://slack.com/api/';
const PING_MS = 10_000;
const OVERLAP_MS = 6 * 60_000;

export function readSettings({ secrets, extra }: AccountSettings): SlackSettings {
  return {
    botTokens: readWords(secrets['token']),
    appToken: secrets['app_token'] ?? '',
    apiUrl: (readExtraText(extra, 'api_url') ?? OFFICIAL_URL).replace(/\/*$/, '/'),
    pingMs: Number(extra['ping_interval_ms'] ?? PING_MS),
    overlapMs: Number(extra['catch_up_overlap_ms'] ?? OVERLAP_MS),
    repliesInThread: readExtraFlag(extra, 'reply_in_thread', true),
    statusText: readExtraText(extra, 'typing_status_text') ?? 'is thinking…',
    gate: {
      isRequired: readExtraFlag(extra, 'require_mention', true),
      isRequiredInThreads: readExtraFlag(extra, 'thread_require_mention', false),
      freeChannels: new Set(readWords(extra['free_response_channels'])),
      strictChannels: new Set(readWords(extra['require_mention_channels'])),
    },
  };
}

/** Why these settings cannot work. */
export function checkSettings({ secrets, extra }: AccountSettings): string | undefined {
  const tokens = readWords(secrets['token']);
  if (tokens.length === 0)
    return 'Slack has no bot token. Install the app in your workspace and set SLACK_BOT_TOKEN (it begins with xoxb-).';
  if (tokens.some((token) => !/^xox[a-z]?[.-]\S+$/.test(token)))
    return 'SLACK_BOT_TOKEN is not a bot token of Slack: one begins with xoxb-. Copy it from "OAuth & Permissions" of your app.';
  if (!/^xapp-\S+$/.test(secrets['app_token'] ?? ''))
    return 'Slack has no app-level token. Create one with the scope connections:write and set SLACK_APP_TOKEN (it begins with xapp-).';
  return describeBadAddress('slack', extra, [{ key: 'api_url', protocols: HTTP, example: OFFICIAL_URL }]);
}

/** Besides those that every platform has. */
export const SLACK_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  SLACK_BOT_TOKEN: secretVariable('token', 'Bot token (xoxb-); several, separated by commas, for several workspaces'),
  SLACK_APP_TOKEN: secretVariable('app_token', 'App-level token (xapp-) with the scope connections:write'),
  SLACK_REQUIRE_MENTION: flag('extra.require_mention', 'In channels, answer only when mentioned (true)'),
  SLACK_THREAD_REQUIRE_MENTION: flag('extra.thread_require_mention', 'Also in threads the bot takes part in'),
  SLACK_REQUIRE_MENTION_CHANNELS: list('extra.require_mention_channels', 'Ids of channels where a mention is always needed'),
  SLACK_FREE_RESPONSE_CHANNELS: list('extra.free_response_channels', 'Ids of channels where no mention is needed'),
};
