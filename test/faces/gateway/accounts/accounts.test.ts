import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Env } from '../../../../src/base/env.ts';
import { readAccounts, type GatewaySettings } from '../../../../src/faces/gateway/accounts/accounts.ts';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import { telegram as telegramKind } from '../../../../src/platforms/telegram/index.ts';
import { DEFAULTS, EMAIL, SLACK, TELEGRAM } from '../platform-kinds.ts';

const KINDS = [TELEGRAM, SLACK, EMAIL];
const NOBODY = { allowAll: false, allowedUsers: [] };
const CLOSED = {
  allowAll: false,
  allowedUsers: [],
  allowedRoles: [],
  groupAllowedChats: [],
  groupAllowedUsers: [],
  allowBots: 'none',
  owners: [],
  everywhere: NOBODY,
  strangers: 'pair',
} as const;
const NO_OWNER =
  'Telegram has no owner, so nobody there can approve what the agent asks: run hermes gateway setup --platform telegram --owner YOUR_ID.';

const read = (platforms: GatewaySettings['platforms'], env: Env = {}, more: Partial<GatewaySettings> = {}) =>
  readAccounts({ ...DEFAULTS, platforms, ...more }, env, KINDS);
/** The one account that there is. */
function only(platforms: GatewaySettings['platforms'], env: Env = {}, more: Partial<GatewaySettings> = {}): GatewayAccount {
  const { accounts } = read(platforms, env, more);
  assert.equal(accounts.length, 1);
  return accounts[0] ?? assert.fail();
}

test('nothing written is no account', () => {
  assert.deepEqual(read({}), { accounts: [], problems: [] });
  assert.deepEqual(read({ telegram: { allowed_users: ['1'] } }), { accounts: [], problems: [] });
});

test('a token in a variable is enough, and everything else has a default', () => {
  assert.deepEqual(only({}, { TELEGRAM_BOT_TOKEN: ' 1:abc ' }), {
    platform: 'telegram',
    account: 'main',
    kind: TELEGRAM,
    enabled: true,
    settings: { secrets: { token: '1:abc' }, extra: {} },
    access: CLOSED,
    tools: { guests: ['hermes-guest'], chats: new Map(), users: new Map() },
    guestCommands: [],
    display: {
      toolProgress: 'off',
      streaming: { intervalMs: 1_000, threshold: 40, cursor: ' ▉' },
      typing: true,
      reactions: false,
      replyTo: 'first',
      busyInput: 'steer',
    },
    problems: [NO_OWNER],
  });
});

test('every variable wins over the file', () => {
  const file = {
    token: 'file',
    allowed_users: ['1'],
    allow_all_users: true,
    allowed_roles: ['r1'],
    group_allowed_users: ['2'],
    group_allowed_chats: ['-1'],
    allow_bots: 'all',
    owners: ['1'],
    home_channel: '-5',
    reactions: false,
    reply_to_mode: 'off',
    extra: { require_mention: true, webhook_port: 1, other: 'kept' },
  };
  const env = {
    TELEGRAM_BOT_TOKEN: 'env',
    TELEGRAM_ALLOWED_USERS: '7, 8,',
    TELEGRAM_ALLOW_ALL_USERS: 'no',
    TELEGRAM_ALLOWED_ROLES: 'r2',
    TELEGRAM_GROUP_ALLOWED_USERS: '9',
    TELEGRAM_GROUP_ALLOWED_CHATS: '-2',
    TELEGRAM_ALLOW_BOTS: 'mentions',
    TELEGRAM_OWNERS: '8',
    TELEGRAM_HOME_CHANNEL_NAME: 'Home',
    TELEGRAM_HOME_CHANNEL_THREAD_ID: '77',
    TELEGRAM_REACTIONS: 'yes',
    TELEGRAM_REPLY_TO_MODE: 'all',
    TELEGRAM_REQUIRE_MENTION: '0',
    TELEGRAM_WEBHOOK_PORT: '8443',
    GATEWAY_ALLOW_ALL_USERS: '1',
    GATEWAY_ALLOWED_USERS: '10,11',
    HERMES_GATEWAY_BUSY_INPUT_MODE: 'queue',
  };
  const { settings, access, homeChannel, display, problems } = only({ telegram: file }, env);
  assert.deepEqual(
    { settings, access, homeChannel, display: { ...display, streaming: undefined }, problems },
    {
      settings: { secrets: { token: 'env' }, extra: { reply_to_mode: 'all', require_mention: false, webhook_port: 8_443, other: 'kept' } },
      access: {
        allowAll: false,
        allowedUsers: ['7', '8'],
        allowedRoles: ['r2'],
        groupAllowedUsers: ['9'],
        groupAllowedChats: ['-2'],
        allowBots: 'mentions',
        owners: ['8'],
        everywhere: { allowAll: true, allowedUsers: ['10', '11'] },
        strangers: 'ignore',
      },
      homeChannel: { chatId: '-5', threadId: '77', name: 'Home' },
      display: { toolProgress: 'off', streaming: undefined, typing: true, reactions: true, replyTo: 'all', busyInput: 'queue' },
      problems: [],
    },
  );
});

const TRUTHY: readonly (readonly [string, boolean])[] = [
  ['true', true],
  ['TRUE', true],
  ['1', true],
  ['yes', true],
  ['Yes', true],
  ['on', false],
  ['0', false],
  ['no', false],
  ['maybe', false],
];
for (const [word, means] of TRUTHY)
  test(`a variable that says ${word} means ${means}`, () => {
    const env = { TELEGRAM_BOT_TOKEN: 't', TELEGRAM_ALLOW_ALL_USERS: word, GATEWAY_ALLOW_ALL_USERS: word };
    const { access } = only({}, env);
    assert.deepEqual([access.allowAll, access.everywhere.allowAll], [means, means]);
  });

/** What is written about a platform, whether its token is there, and whether the account is on; `undefined` when there is none. */
const ENABLED: readonly (readonly [GatewaySettings['platforms'], boolean, boolean | undefined])[] = [
  [{}, false, undefined],
  [{}, true, true],
  [{ telegram: { enabled: false } }, true, false],
  [{ telegram: { enabled: false } }, false, false],
  [{ telegram: { enabled: true } }, true, true],
  [{ telegram: { enabled: true } }, false, true],
];
for (const [platforms, hasToken, on] of ENABLED)
  test(`${JSON.stringify(platforms)} ${hasToken ? 'with' : 'without'} a token is ${String(on)}`, () => {
    const { accounts } = read(platforms, hasToken ? { TELEGRAM_BOT_TOKEN: 't' } : {});
    assert.equal(accounts[0]?.enabled, on);
    assert.deepEqual(accounts[0]?.problems.includes('telegram needs token.') ?? false, on === true && !hasToken);
  });

test('an account says what it says for itself, and has the rest from its platform but for tokens and the home channel', () => {
  const telegram = {
    token: 'main',
    owners: ['1'],
    home_channel: '-1',
    extra: { base_url: 'http://one', require_mention: true },
    accounts: {
      work: { token: 'work', allowed_users: ['2'], extra: { base_url: 'http://two' } },
      spare: {},
      off: { token: 'off', enabled: false },
    },
  };
  const { accounts } = read({ telegram });
  assert.deepEqual(
    accounts.map(({ account, enabled, settings, access: { owners, allowedUsers }, homeChannel }) => ({
      account,
      enabled,
      settings,
      owners,
      allowedUsers,
      homeChannel,
    })),
    [
      {
        account: 'main',
        enabled: true,
        settings: { secrets: { token: 'main' }, extra: telegram.extra },
        owners: ['1'],
        allowedUsers: [],
        homeChannel: { chatId: '-1' },
      },
      {
        account: 'work',
        enabled: true,
        settings: { secrets: { token: 'work' }, extra: { base_url: 'http://two', require_mention: true } },
        owners: ['1'],
        allowedUsers: ['2'],
        homeChannel: undefined,
      },
      {
        account: 'spare',
        enabled: false,
        settings: { secrets: {}, extra: telegram.extra },
        owners: ['1'],
        allowedUsers: [],
        homeChannel: undefined,
      },
      {
        account: 'off',
        enabled: false,
        settings: { secrets: { token: 'off' }, extra: telegram.extra },
        owners: ['1'],
        allowedUsers: [],
        homeChannel: undefined,
      },
    ],
  );
});

test('a platform that is switched off takes its accounts with it', () => {
  const { accounts } = read({ telegram: { enabled: 'no', accounts: { work: { token: 'work', enabled: true } } } });
  assert.deepEqual(
    accounts.map(({ account, enabled }) => [account, enabled]),
    [
      ['main', false],
      ['work', false],
    ],
  );
});

test('secrets of a platform are found beside its keys and below extra, and only there', () => {
  const { settings, problems } = only({ slack: { token: 'xoxb', owners: ['U1'], extra: { app_token: 'xapp', api_url: 'http://x' } } });
  assert.deepEqual(
    { settings, problems },
    { settings: { secrets: { token: 'xoxb', app_token: 'xapp' }, extra: { api_url: 'http://x' } }, problems: [] },
  );
  assert.deepEqual(only({ slack: { token: 'xoxb', owners: ['U1'] } }).problems, ['slack needs app_token.']);
});

/** What people write, and who owns the account by it. */
const OWNERS: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ['a list with one person', { allowed_users: ['1'] }, ['1']],
  ['the same person twice', { allowed_users: ['1', '1'] }, ['1']],
  ['two people', { allowed_users: ['1', '2'] }, []],
  ['everybody', { allowed_users: ['*'] }, []],
  ['nobody', {}, []],
  ['named owners', { allowed_users: ['1'], owners: ['2', '3'] }, ['2', '3']],
  ['no owners at all', { allowed_users: ['1'], owners: [] }, []],
  ['everybody as owner', { owners: ['*'] }, []],
  ['admins of another version', { allowed_users: ['1', '2'], allow_admin_from: ['2'] }, ['2']],
  ['a number', { allowed_users: 123 }, ['123']],
  ['words between commas', { owners: '1, 2' }, ['1', '2']],
  ['owners that cannot be read', { allowed_users: ['1'], owners: [{}] }, ['(unreadable)']],
  ['a list that can be read in part', { allowed_users: [123_456_789_012_345_680_000, '1'] }, []],
];
for (const [what, table, owners] of OWNERS)
  test(`owners by ${what}`, () => assert.deepEqual(only({ telegram: { token: 't', ...table } }).access.owners, owners));

test('an owner whose id nobody on the platform can have is named, with what to run', () => {
  const platforms = { telegram: { token: '1:t', owners: ['me', '7'] } };
  const { accounts } = readAccounts({ ...DEFAULTS, platforms }, {}, [telegramKind]);
  assert.deepEqual(accounts[0]?.problems, [
    'platforms.telegram.owners names "me", which is no user id on Telegram. It is a number, such as 123456789: run hermes gateway setup --platform telegram --owner YOUR_ID.',
  ]);
});

/** What is set, and what an unknown person gets. */
const STRANGERS: readonly (readonly [Readonly<Record<string, unknown>>, Partial<GatewaySettings>, 'pair' | 'ignore'])[] = [
  [{}, {}, 'pair'],
  [{ allowed_users: ['1'] }, {}, 'ignore'],
  [{ allowed_roles: ['1'] }, {}, 'ignore'],
  [{}, { 'gateway.allowed_users': ['1'] }, 'ignore'],
  [{ allowed_users: ['1'], unauthorized_dm_behavior: 'pair' }, {}, 'pair'],
  [{ unauthorized_dm_behavior: 'ignore' }, { unauthorized_dm_behavior: 'pair' }, 'ignore'],
  [{ allowed_users: ['1'] }, { unauthorized_dm_behavior: 'pair' }, 'pair'],
];
for (const [table, more, gets] of STRANGERS)
  test(`${JSON.stringify({ ...table, ...more })}: strangers get ${gets}`, () =>
    assert.equal(only({ telegram: { token: 't', ...table } }, {}, more).access.strangers, gets));
test('nobody is asked to pair by mail', () => {
  const { access, problems } = only({ email: { enabled: true } });
  assert.equal(access.strangers, 'ignore');
  assert.deepEqual(problems, [
    'Nobody may speak to the agent on Email: name user ids in platforms.email.allowed_users, or set unauthorized_dm_behavior to pair.',
  ]);
});

test('toolsets for the platform, for guests, for chats and for people', () => {
  const tools = { guests: ['safe'], chats: { '-1': ['web', 'file'], '-2': [] }, users: { '7': 'terminal, file' } };
  assert.deepEqual(only({ telegram: { token: 't', toolsets: ['debugging'], tools } }).tools, {
    toolsets: ['debugging'],
    guests: ['safe'],
    chats: new Map([
      ['-1', ['web', 'file']],
      ['-2', []],
    ]),
    users: new Map([['7', ['terminal', 'file']]]),
  });
  // What the owner has for himself is not what others get.
  assert.deepEqual(only({ telegram: { token: 't', toolsets: ['terminal'] } }).tools.guests, ['hermes-guest']);
});

test('what is shown goes by the platform, what was set for it, and what it can do', () => {
  const more = { 'display.platforms': { telegram: { tool_progress: 'new', streaming: false, busy_input_mode: 'interrupt' } } };
  assert.deepEqual(only({ telegram: { token: 't', typing_indicator: false, reactions: true, reply_to_mode: false } }, {}, more).display, {
    toolProgress: 'new',
    streaming: false,
    typing: false,
    reactions: true,
    replyTo: 'off',
    busyInput: 'interrupt',
  });
  const email = only({ email: { enabled: true, typing_indicator: true, reactions: true } }).display;
  assert.deepEqual(email, { toolProgress: 'off', streaming: false, typing: false, reactions: false, replyTo: 'first', busyInput: 'queue' });
});

test('ids are meant as the platform has them, however they are written', () => {
  const kind = { ...EMAIL, toId: (written: string) => written.toLowerCase() };
  const settings = {
    ...DEFAULTS,
    platforms: { email: { enabled: true, allowed_users: ['Ann@X.test', 'BEN@x.test'], owners: ['ANN@x.test'] } },
    'gateway.allowed_users': ['Zoe@X.test'],
  };
  const { access } = readAccounts(settings, {}, [kind]).accounts[0] ?? assert.fail();
  assert.deepEqual(
    [access.allowedUsers, access.owners, access.everywhere.allowedUsers],
    [['ann@x.test', 'ben@x.test'], ['ann@x.test'], ['zoe@x.test']],
  );
});

test('what is wrong is told in words, and nothing of it counts', () => {
  const { accounts, problems } = read(
    {
      telegarm: {},
      telegram: {
        token: 't',
        owners: ['1'],
        alowed_users: ['2'],
        allow_all_users: [],
        allow_bots: 'sometimes',
        home_channel: { name: 'x' },
        group_allowed_chats: [-100_123, 9_007_199_254_740_992],
        tools: { chats: { '-1': {} }, everyone: [] },
        user_allowed_commands: ['/Usage'],
        accounts: { broken: 5 },
      },
      slack: 'on',
    },
    {},
    { timezone: 'Nowhere', 'display.platforms': { telegram: { streaming: {}, colour: 'red' } } },
  );
  assert.deepEqual(problems, [
    'platforms.telegarm: there is no platform of this name; did you mean telegram?',
    'timezone: there is no time zone Nowhere. Write one such as Europe/Paris; until then the time of this machine counts.',
  ]);
  const [main, broken, slack] = accounts;
  assert.deepEqual(main?.problems, [
    'platforms.telegram.accounts.broken must be a table.',
    'platforms.telegram.alowed_users has no effect; did you mean allowed_users?',
    'platforms.telegram.allow_all_users must be true or false.',
    'platforms.telegram.group_allowed_chats must be a list of ids, with long numbers in quotes.',
    'platforms.telegram.allow_bots must be one of none, mentions, all.',
    'platforms.telegram.home_channel has no chat_id.',
    'platforms.telegram.tools.everyone has no effect.',
    'platforms.telegram.tools.chats.-1 must be a list of ids, with long numbers in quotes.',
    'display.platforms.telegram.colour has no effect.',
    'display.platforms.telegram.streaming must be true or false.',
  ]);
  assert.deepEqual(main.access, { ...CLOSED, owners: ['1'], groupAllowedChats: ['-100123', '(unreadable)'] });
  assert.deepEqual(main.guestCommands, ['usage']);
  assert.deepEqual([broken?.account, broken?.enabled], ['broken', false]);
  assert.deepEqual([slack?.enabled, slack?.problems], [false, ['platforms.slack must be a table.']]);
});
