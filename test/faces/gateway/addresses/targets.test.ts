import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTarget, resolveTarget, type DirectoryChat, type TargetContext } from '../../../../src/faces/gateway/addresses/targets.ts';

const chat = (
  platform: string,
  chatId: string,
  more: Partial<DirectoryChat> & { threadId?: string; account?: string } = {},
): DirectoryChat => {
  const { threadId, account = 'main', ...rest } = more;
  return { target: { platform, account, chatId, ...(threadId !== undefined && { threadId }) }, ...rest };
};
const CHATS = [
  chat('telegram', '7', { isHome: true }),
  chat('telegram', '-100', { name: 'Family' }),
  chat('telegram', '-100', { name: 'Alerts', threadId: '5' }),
  chat('telegram', '-200', { name: 'team' }),
  chat('telegram', '-300', { name: '#Team', account: 'work' }),
  chat('matrix', '!abc:example.org', { name: 'Lab' }),
  chat('slack', 'C0123', { name: 'general' }),
];
const ACCOUNTS = ['telegram', 'matrix', 'slack', 'email'].map((platform) => ({ platform, account: 'main' }));
const CONTEXT: TargetContext = { accounts: [...ACCOUNTS, { platform: 'telegram', account: 'work' }], chats: CHATS };
const resolve = (words: string, context = CONTEXT): string => {
  const result = resolveTarget(words, context);
  return result.ok ? `${formatTarget(result.chat.target)} by ${result.chat.target.account}` : result.why;
};

test('targets lead to one chat each', () => {
  const rows = {
    telegram: 'telegram:7 by main',
    TELEGRAM: 'telegram:7 by main',
    'telegram:-100': 'telegram:-100 by main',
    'telegram:-100:5': 'telegram:-100:5 by main',
    'telegram:-300': 'telegram:work:-300 by work',
    'telegram:-300:9': 'telegram:work:-300:9 by work',
    'telegram:-999': 'telegram:-999 by main',
    'telegram:#family': 'telegram:-100 by main',
    'telegram:FAMILY': 'telegram:-100 by main',
    'telegram: #Alerts': 'telegram:-100:5 by main',
    'slack:general': 'slack:C0123 by main',
    'matrix:!abc:example.org': 'matrix:!abc:example.org by main',
    'matrix:!new:example.org:8448': 'matrix:!new:example.org:8448 by main',
    'matrix:!new:example.org:$event1': 'matrix:!new:example.org:$event1 by main',
    'matrix:@ann:example.org': 'matrix:@ann:example.org by main',
    'matrix:#lab': 'matrix:!abc:example.org by main',
    'email:ann@example.com': 'email:ann@example.com by main',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(rows).map((words) => [words, resolve(words)])), rows);
});

test('what leads to no chat, or to two, says what to do', () => {
  const list = 'To see the chats: hermes send --list';
  const rows = {
    'telegram:#team': '"#team" could be telegram:-200 or telegram:work:-300. Name one of them.',
    'telegram:nobody': `no chat on telegram is called "nobody". ${list}`,
    'telegram:#': `no chat on telegram is called "#". ${list}`,
    'telegram:1:2:3': `no chat on telegram is called "1:2:3". ${list}`,
    slack: 'slack has no home channel. Send /sethome in the chat you want to use, set SLACK_HOME_CHANNEL, or name a chat.',
    'irc:#x': 'no platform "irc" is set up here. Set up here: telegram, matrix, slack, email.',
    '': 'a target begins with a platform. Set up here: telegram, matrix, slack, email.',
    origin: 'this conversation is not held in a chat, so it has no origin. Name a platform or a chat.',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(rows).map((words) => [words, resolve(words)])), rows);
  const machine = { platform: 'webhook', account: 'main', kind: { traits: { isMachine: true } } } as const;
  assert.equal(
    resolve('webhook', { accounts: [machine], chats: [chat('webhook', 'alerts')] }),
    'webhook has no home channel. Name an address, as in webhook:NAME. To see them: hermes send --list',
  );
  const toModel = resolve('slack:nobody', { ...CONTEXT, howToList: 'send_message with action: list' });
  assert.equal(toModel, 'no chat on slack is called "nobody". To see the chats: send_message with action: list');
});

test('a chat of two accounts is reached by the one that is named, then by the one the conversation is held with', () => {
  const both = ['main', 'work'].flatMap((account) => [
    chat('telegram', '7', { account, name: 'Ann' }),
    chat('telegram', '8', { account, isHome: true }),
  ]);
  const here = { ...CONTEXT, chats: both };
  const atWork = { ...here, origin: { platform: 'telegram', account: 'work', chatId: '7' } };
  const rows = {
    'telegram:7': ['telegram:7 by main', 'telegram:work:7 by work'],
    'telegram:#ann': ['telegram:7 by main', 'telegram:work:7 by work'],
    telegram: ['telegram:8 by main', 'telegram:work:8 by work'],
    'telegram:-999': ['telegram:-999 by main', 'telegram:work:-999 by work'],
    'telegram:main:7': ['telegram:7 by main', 'telegram:7 by main'],
    'telegram:work:7': ['telegram:work:7 by work', 'telegram:work:7 by work'],
    'telegram:work:7:3': ['telegram:work:7:3 by work', 'telegram:work:7:3 by work'],
    'telegram:work:#ann': ['telegram:work:7 by work', 'telegram:work:7 by work'],
    'telegram:Work': ['telegram:work:8 by work', 'telegram:work:8 by work'],
  };
  const found = Object.keys(rows).map((words) => [words, [resolve(words, here), resolve(words, atWork)]]);
  assert.deepEqual(Object.fromEntries(found), rows);
});
