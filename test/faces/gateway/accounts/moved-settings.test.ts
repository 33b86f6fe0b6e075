import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccountBook } from '../../../../src/faces/gateway/accounts/account-book.ts';
import { findMentions, findVariables, followMoves } from '../../../../src/faces/gateway/accounts/moved-settings.ts';
import { readOneAccount } from '../platform-kinds.ts';

const settings = {
  group_allowed_chats: ['-1', '-2'],
  group_allowed_users: ['-1', '7'],
  allowed_users: ['7'],
  owners: ['7'],
  tools: { chats: { '-1': ['web'], '-2': ['file'], '-100': ['todo'] } },
  home_channel: '-2',
  extra: { allowed_chats: '-1, -2', free_response_chats: [-1], mention_patterns: ['-1'] },
};
const read = readOneAccount({ platforms: { telegram: settings } });
const account = { ...read, kind: { ...read.kind, chatSettings: ['allowed_chats', 'free_response_chats'] } };

test('what is set for a chat holds for its new id as well, and what is set for that one itself wins', () => {
  const {
    access,
    tools,
    homeChannel,
    settings: own,
    moved,
  } = followMoves(account, [
    { from: '-1', to: '-100' },
    { from: '-2', to: '-200' },
    { from: '-3', to: '-300' },
  ]);
  assert.deepEqual(
    {
      chats: access.groupAllowedChats,
      users: access.groupAllowedUsers,
      people: [access.allowedUsers, access.owners],
      tools: Object.fromEntries(tools.chats),
      home: homeChannel?.chatId,
      extra: own.extra,
      moved: moved?.length,
    },
    {
      chats: ['-1', '-2', '-100', '-200'],
      users: ['-1', '7', '-100'],
      people: [['7'], ['7']],
      tools: { '-1': ['web'], '-2': ['file'], '-100': ['todo'], '-200': ['file'] },
      home: '-200',
      extra: { allowed_chats: ['-1', '-2', '-100', '-200'], free_response_chats: ['-1', '-100'], mention_patterns: ['-1'] },
      moved: 3,
    },
  );
  assert.equal(followMoves(account, []), account);
});

test('accounts are as the settings and the moves have them, whichever was heard of last', async () => {
  const ref = { platform: 'telegram', account: 'main' };
  const book = await openAccountBook([account], {
    movedChats: async (asked) => (asked.account === 'main' ? [{ from: '-2', to: '-20' }] : []),
  });
  const home = () => book.find(ref)?.homeChannel?.chatId;
  assert.equal(home(), '-20');
  book.follow(ref, { from: '-20', to: '-200' });
  assert.equal(home(), '-200');
  // The settings are read again before the second move is stored.
  await book.replace([account, { ...account, account: 'work' }]);
  assert.deepEqual([home(), book.find({ ...ref, account: 'work' })?.homeChannel?.chatId], ['-200', '-2']);
  book.setHome(ref, { chatId: '-1' });
  book.follow(ref, { from: '-1', to: '-10' });
  assert.deepEqual([home(), book.all().length, book.find({ ...ref, account: 'nobody' })], ['-10', 2, undefined]);
  // It has its old id again.
  book.follow(ref, { from: '-10', to: '-1' });
  assert.equal(home(), '-1');
});

test('whoever is told of a new id is told where the old one stands', () => {
  assert.deepEqual(findMentions(settings, 'platforms.telegram', '-1'), [
    'platforms.telegram.group_allowed_chats',
    'platforms.telegram.group_allowed_users',
    'platforms.telegram.tools.chats.-1',
    'platforms.telegram.extra.allowed_chats',
    'platforms.telegram.extra.free_response_chats',
    'platforms.telegram.extra.mention_patterns',
  ]);
  assert.deepEqual(findMentions({ family: '-1:7', other: '-11' }, 'names', '-1'), ['names.family']);
  const env = { TELEGRAM_HOME_CHANNEL: '-1', TELEGRAM_GROUP_ALLOWED_CHATS: '-5, -1', TELEGRAM_OWNERS: '7', SLACK_HOME_CHANNEL: '-1' };
  assert.deepEqual(findVariables(env, 'telegram', '-1'), ['TELEGRAM_HOME_CHANNEL', 'TELEGRAM_GROUP_ALLOWED_CHATS']);
});
