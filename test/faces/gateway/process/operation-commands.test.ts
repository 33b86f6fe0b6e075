import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountRef } from '../../../../src/contracts/gateway-store.ts';
import type { TypedCommand } from '../../../../src/faces/gateway/commands/typed-command.ts';
import type { SpeakerRole } from '../../../../src/faces/gateway/contract.ts';
import type { Gateway } from '../../../../src/faces/gateway/runner/contract.ts';
import { createOperationCommands } from '../../../../src/faces/gateway/process/operation-commands.ts';

const COUNTS = { generation: 1, reconnects: 0, starts: 1 };
const ref = (platform: string, account = 'main'): AccountRef => ({ platform, account });

function openCommands() {
  const did: string[] = [];
  const accounts: Gateway['accounts'] = [
    { ref: ref('telegram'), state: { type: 'connected', ...COUNTS }, isPaused: false },
    { ref: ref('slack', 'work'), state: { type: 'waiting', until: 0, why: 'The network is down.', ...COUNTS }, isPaused: false },
    { ref: ref('discord'), state: { type: 'stopped', ...COUNTS }, isPaused: true },
  ];
  const own = createOperationCommands({
    gateway: () => ({
      accounts,
      listCommands: async () => ['new', 'model', 'restart', 'whoami', 'commands'].map((name) => ({ name, summary: `${name}!` })),
      setPaused: async ({ platform }, isPaused) => did.push(`${isPaused ? 'pause' : 'resume'} ${platform}`) > 0,
    }),
    guestCommands: () => ['model'],
    restart: async ({ chatId }) => void did.push(`restart ${chatId}`),
    setHome: async ({ chatId }, name) => (did.push(`home ${chatId} ${name}`), 'TELEGRAM_HOME_CHANNEL'),
  });
  const say = async (name: string, args = '', role: SpeakerRole = 'owner', type = 'private'): Promise<string> => {
    const target = { ...ref('telegram'), chatId: '7' };
    const typed: TypedCommand = {
      text: '',
      address: { routeKey: `agent:main:telegram:${type}:7`, target, senderId: '7', role },
      route: undefined,
      session: undefined,
      arrivalId: '1',
      key: 'arrival:1',
      begin: () => Promise.reject(new Error('no session begins here')),
    };
    return (await own[name]?.run(args, typed).catch((error: Error) => error.message)) ?? 'no such command';
  };
  return { did, say };
}

test('the owner lists, pauses and resumes platforms, but not the one they write from', async () => {
  const { did, say } = openCommands();
  assert.equal(await say('platform'), 'telegram: connected\nslack:work: waiting: The network is down.\ndiscord: paused');
  assert.equal(await say('platform', 'pause slack:work'), 'slack:work is paused until /platform resume slack:work, or the next start.');
  assert.equal(await say('platform', 'resume discord'), 'discord is connecting.');
  assert.match(await say('platform', 'pause telegram'), /^you write from this platform/);
  assert.equal(await say('platform', 'pause irc'), 'there is no irc. There are: telegram, slack:work, discord');
  assert.equal(await say('platform', 'explode slack'), 'use /platform list, /platform pause NAME or /platform resume NAME.');
  assert.deepEqual(did, ['pause slack', 'resume discord']);
});

test('a guest hears who they are and what they can use, and changes nothing', async () => {
  const { did, say } = openCommands();
  assert.equal(
    await say('whoami', '', 'guest'),
    'You are a guest: only the owner can use every command.\nUser id: 7 on telegram\nChat id: 7',
  );
  assert.equal(await say('whoami'), 'You are the owner.\nUser id: 7 on telegram\nChat: agent:main:telegram:private:7');
  for (const name of ['restart', 'platform', 'sethome'])
    assert.equal(await say(name, '', 'guest'), `/${name} is for the owner of this agent. /help lists what you can use here.`);
  const listed = async (role: SpeakerRole) => (await say('commands', '', role)).split('\n').map((line) => line.split(':')[0]);
  assert.deepEqual(await listed('guest'), ['/new', '/model', '/whoami', '/commands']);
  assert.deepEqual(await listed('owner'), ['/new', '/model', '/restart', '/whoami', '/commands']);
  assert.deepEqual(did, []);
});

test('in a group the owner hears nothing of how the agent is set up', async () => {
  const { did, say } = openCommands();
  assert.equal(await say('whoami', '', 'owner', 'group'), 'You are the owner.\nUser id: 7 on telegram\nChat id: 7');
  assert.match(await say('platform', '', 'owner', 'group'), /^\/platform list shows how this agent is set up/);
  assert.equal(await say('platform', 'pause irc', 'owner', 'group'), 'there is no irc.');
  assert.equal(await say('platform', 'resume discord', 'owner', 'group'), 'discord is connecting.');
  assert.deepEqual(did, ['resume discord']);
});

test('the owner restarts it and gives it a home, and hears of a variable that wins', async () => {
  const { did, say } = openCommands();
  assert.equal(await say('restart'), 'Restarting. I’ll tell you when I’m back.');
  assert.match(await say('sethome'), /^This chat is the home channel of telegram now\. But TELEGRAM_HOME_CHANNEL is set and wins/);
  assert.deepEqual(did, ['restart 7', 'home 7 undefined']);
});
