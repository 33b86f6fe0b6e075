import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBuiltinRegistry } from '../../../../src/commands/builtin.ts';
import { describeRefusedCommand, isGuestCommand } from '../../../../src/faces/gateway/commands/guest-commands.ts';

const CHAT = createBuiltinRegistry().at('chat');

test('of all commands of a chat guests may use these', () => {
  assert.deepEqual(
    CHAT.filter((command) => isGuestCommand(command)).map(({ name }) => name),
    ['new', 'stop', 'steer', 'queue', 'btw', 'status', 'context', 'help', 'version', 'whoami'],
  );
});

test('settings add to them, by any name, but never what is the owner’s alone', () => {
  const added = ['usage', 'model', 'fork', 'bg', 'resume'];
  const more = CHAT.filter((command) => isGuestCommand(command, added) && !isGuestCommand(command)).map(({ name }) => name);
  assert.deepEqual(more, ['usage', 'branch', 'switch-model']);
});

test('a command that somebody adds is the owner’s', () => {
  assert.equal(isGuestCommand({ name: 'deploy' }), false);
  assert.equal(isGuestCommand({ name: 'toString' }), false);
  assert.equal(describeRefusedCommand('deploy'), '/deploy is for the owner of this agent. /help lists what you can use here.');
});
