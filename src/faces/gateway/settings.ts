import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

/** When the session of a chat is over. */
export const resetSettings = ownersAlone({
  'session_reset.mode': {
    kind: 'choice',
    default: 'both',
    choices: ['daily', 'idle', 'both', 'none'],
    describe:
      'When the session of a chat ends, so that the next message starts a new one: every day (`daily`), after a pause (`idle`), whichever comes first (`both`), or never (`none`).',
  },
  'session_reset.at_hour': {
    kind: 'integer',
    default: 4,
    min: 0,
    max: 23,
    env: 'SESSION_RESET_HOUR',
    describe: 'The hour of the daily reset.',
  },
  'session_reset.idle_minutes': {
    kind: 'integer',
    default: 1_440,
    min: 1,
    env: 'SESSION_IDLE_MINUTES',
    describe: 'The pause after which the session of a chat ends, in minutes.',
  },
  reset_by_platform: {
    kind: 'table',
    default: {} as Readonly<Record<string, unknown>>,
    describe: 'Another reset policy for a platform: PLATFORM: {mode: idle, idle_minutes: 60}. It wins over reset_by_type.',
  },
  reset_by_type: {
    kind: 'table',
    default: {} as Readonly<Record<string, unknown>>,
    describe: 'Another reset policy for a type of chat (private, group, channel, thread): TYPE: {mode: daily, at_hour: 6}.',
  },
  timezone: {
    kind: 'string',
    default: '',
    env: 'HERMES_TIMEZONE',
    describe:
      'Your time zone, such as Europe/Paris, in which schedules and the hour of the daily reset count. Empty means the time zone of this machine.',
  },
} as const satisfies SettingsSlice);

/** Who may speak in chats, and how the gateway answers there. Everything here grants something or puts words into a prompt. */
export const gatewaySettings = {
  ...resetSettings,
  ...ownersAlone({
    platforms: {
      kind: 'table',
      default: {} as Readonly<Record<string, unknown>>,
      describe:
        'Chat platforms, by name: PLATFORM: {enabled, token, owners, allowed_users, home_channel, toolsets, extra, accounts}. Environment variables such as TELEGRAM_ALLOWED_USERS win over this.',
    },
    'gateway.allowed_users': {
      kind: 'list',
      default: [],
      describe: 'User ids that may speak to the agent on every platform. GATEWAY_ALLOWED_USERS wins over this.',
    },
    'gateway.allow_all_users': {
      kind: 'boolean',
      default: false,
      describe: 'Let everybody on every platform speak to the agent. GATEWAY_ALLOW_ALL_USERS wins over this.',
    },
    'gateway.max_files': {
      kind: 'integer',
      default: 10,
      min: 0,
      max: 100,
      describe: 'How many files of one message the agent gets. It is told of the others.',
    },
    'gateway.max_file_mb': {
      kind: 'integer',
      default: 20,
      min: 1,
      max: 2_000,
      describe: 'The largest file that is downloaded from a chat, in megabytes. The platform may allow less.',
    },
    'gateway.received_days': {
      kind: 'integer',
      default: 30,
      min: 1,
      max: 3_650,
      describe: 'How many days files that were sent to a chat are kept in its folder.',
    },
    'gateway.received_mb': {
      kind: 'integer',
      default: 2_000,
      min: 1,
      max: 1_000_000,
      describe: 'How many megabytes such files may take in all chats together. The oldest are removed first.',
    },
    'gateway.restart_drain_timeout': {
      kind: 'number',
      default: 60,
      min: 0,
      max: 3_600,
      env: 'HERMES_RESTART_DRAIN_TIMEOUT',
      describe:
        'Seconds that running turns have to finish when the gateway stops or restarts. What is not finished by then goes on after the next start.',
    },
    'gateway.provider_check_minutes': {
      kind: 'integer',
      default: 60,
      min: 0,
      max: 10_080,
      describe:
        'Minutes between two looks at what the provider of the model offers. A key that is refused or a model that is gone is then told in the log and by `hermes gateway status`. 0 means never.',
    },
    'gateway.listen_host': {
      kind: 'string',
      default: '127.0.0.1',
      describe: 'Address on which the gateway listens for requests from outside, such as webhooks. The default is only this computer.',
    },
    'gateway.listen_port': {
      kind: 'integer',
      default: 8443,
      min: 0,
      max: 65_535,
      describe: 'Port on which the gateway listens for requests from outside, such as webhooks; only open while a platform needs it.',
    },
    'gateway.listen_names': {
      kind: 'list',
      default: [],
      describe:
        'Host names by which requests from outside may address the gateway, such as bot.example.org behind a proxy. Requests for any other name are refused.',
    },
    unauthorized_dm_behavior: {
      kind: 'choice',
      default: 'auto',
      choices: ['auto', 'pair', 'ignore'],
      describe:
        'What an unknown person gets who writes a private message: a pairing code that you can approve (`pair`) or no answer (`ignore`). `auto` means `pair`, but `ignore` where a list of allowed users exists.',
    },
    'streaming.enabled': {
      kind: 'boolean',
      default: true,
      describe: 'Show an answer in a chat while it is written, by editing the message, where the platform can do that.',
    },
    'streaming.edit_interval': {
      kind: 'number',
      default: 1,
      min: 0.2,
      max: 60,
      describe: 'Seconds between two edits of a message that is being written.',
    },
    'streaming.buffer_threshold': {
      kind: 'integer',
      default: 40,
      min: 1,
      describe: 'How many new characters are worth an edit before that time is over.',
    },
    'streaming.cursor': { kind: 'string', default: ' ▉', describe: 'What stands behind an answer that is still being written.' },
    'display.platforms': {
      kind: 'table',
      default: {} as Readonly<Record<string, unknown>>,
      describe: 'Other display settings for a platform: PLATFORM: {tool_progress: off, streaming: false, busy_input_mode: queue}.',
    },
    'privacy.redact_pii': {
      kind: 'boolean',
      default: false,
      describe:
        'Tell the model hashes in place of user and chat ids on platforms where those are phone numbers or private: Telegram, WhatsApp, Signal, BlueBubbles.',
    },
  } as const satisfies SettingsSlice),
};

/** What a running gateway takes over when it reads the settings again. Its listener is opened once. */
export const LIVE_SETTINGS: ReadonlySet<string> = new Set([
  ...Object.keys(gatewaySettings).filter((key) => !key.startsWith('gateway.listen_')),
  'display.busy_input_mode',
]);
