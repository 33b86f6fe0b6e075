import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountSettings, PlatformVariable } from '../../contracts/platform-adapter.ts';

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
    botTokens: splitList(secrets['token']),
    appToken: secrets['app_token'] ?? '',
    apiUrl: (textOf(extra, 'api_url') ?? OFFICIAL_URL).replace(/\/*$/, '/'),
    pingMs: Number(extra['ping_interval_ms'] ?? PING_MS),
    overlapMs: Number(extra['catch_up_overlap_ms'] ?? OVERLAP_MS),
    repliesInThread: isOn(extra['reply_in_thread'], true),
    statusText: textOf(extra, 'typing_status_text') ?? 'is thinking…',
    gate: {
      isRequired: isOn(extra['require_mention'], true),
      isRequiredInThreads: isOn(extra['thread_require_mention'], false),
      freeChannels: new Set(splitList(extra['free_response_channels'])),
      strictChannels: new Set(splitList(extra['require_mention_channels'])),
    },
  };
}

/** Why these settings cannot work. */
export function checkSettings({ secrets, extra }: AccountSettings): string | undefined {
  const tokens = splitList(secrets['token']);
  if (tokens.length === 0)
    return 'Slack has no bot token. Install the app in your workspace and set SLACK_BOT_TOKEN (it begins with xoxb-).';
  if (tokens.some((token) => !/^xox[a-z]?[.-]\S+$/.test(token)))
    return 'SLACK_BOT_TOKEN is not a bot token of Slack: one begins with xoxb-. Copy it from "OAuth & Permissions" of your app.';
  if (!/^xapp-\S+$/.test(secrets['app_token'] ?? ''))
    return 'Slack has no app-level token. Create one with the scope connections:write and set SLACK_APP_TOKEN (it begins with xapp-).';
  const url = textOf(extra, 'api_url');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return `platforms.slack.extra.api_url is not an http address: ${url}. Write it in full, for example https://slack.com/api/.`;
  return undefined;
}

const textOf = (extra: JsonObject, key: string): string | undefined => {
  const value = extra[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const isOn = (value: Json | undefined, usual: boolean): boolean =>
  value === undefined ? usual : value === true || (typeof value === 'string' && /^(?:true|1|yes)$/i.test(value));
const splitList = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [])
    .map((each) => each.trim())
    .filter((each) => each !== '');

const text = (to: string, describe: string): PlatformVariable => ({ to, kind: 'text', describe });
const list = (to: string, describe: string): PlatformVariable => ({ to, kind: 'list', describe });
const flag = (to: string, describe: string): PlatformVariable => ({ to, kind: 'flag', describe });

export const SLACK_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  SLACK_BOT_TOKEN: {
    to: 'token',
    kind: 'text',
    secret: true,
    describe: 'Bot token (xoxb-); several, separated by commas, for several workspaces',
  },
  SLACK_APP_TOKEN: { to: 'app_token', kind: 'text', secret: true, describe: 'App-level token (xapp-) with the scope connections:write' },
  SLACK_ALLOWED_USERS: list('allowed_users', 'Ids of the people who may use the bot'),
  SLACK_ALLOW_ALL_USERS: flag('allow_all_users', 'Everybody may use the bot'),
  SLACK_ALLOW_BOTS: text('allow_bots', 'Answer other bots: none, mentions or all'),
  SLACK_HOME_CHANNEL: text('home_channel', 'Id of the channel for results that came from no chat'),
  SLACK_REACTIONS: flag('reactions', 'Show with reactions what became of a message'),
  SLACK_REQUIRE_MENTION: flag('extra.require_mention', 'In channels, answer only when mentioned (true)'),
  SLACK_THREAD_REQUIRE_MENTION: flag('extra.thread_require_mention', 'Also in threads the bot takes part in'),
  SLACK_REQUIRE_MENTION_CHANNELS: list('extra.require_mention_channels', 'Ids of channels where a mention is always needed'),
  SLACK_FREE_RESPONSE_CHANNELS: list('extra.free_response_channels', 'Ids of channels where no mention is needed'),
};
