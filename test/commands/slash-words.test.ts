import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { createCommandRegistry } from '../../src/commands/registry.ts';
import { runSlash } from '../../src/commands/run-slash.ts';
import { toSlashWords } from '../../src/commands/slash-words.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';

const CHAT = createBuiltinRegistry().at('chat');

test('commands are named as a chat has them; those of a shell alone keep their names', () => {
  const rows = {
    'there is no job x; hermes cron list --all shows them.': 'there is no job x; /cron list --all shows them.',
    'Let it run more often: hermes cron edit ID --repeat 3': 'Let it run more often: /cron edit ID --repeat 3',
    'To list them: hermes skills list': 'To list them: /skills list',
    'See hermes gateway logs.': 'See hermes gateway logs.',
    'To edit the file: hermes config edit': 'To edit the file: hermes config edit',
    'start it with hermes.': 'start it with hermes.',
    'hermes status is a word': 'hermes status is a word',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(rows).map((words) => [words, toSlashWords(words, CHAT)])), rows);
});

test('a mistake in a chat names what can be typed there, and one in a line of a script what a shell has', async () => {
  const fail = async (): Promise<never> => Promise.reject(new UsageError('no job x; hermes cron list shows them.'));
  const show = defineCommand({
    category: 'jobs',
    summary: 'x',
    where: ['terminal', 'chat'],
    whileBusy: 'run',
    examples: [],
    name: 'show',
    run: fail,
  });
  const registry = createCommandRegistry([...CHAT, show]);
  const deps = { services: {}, startedByAgent: () => false, isOn: async () => true };
  const type = (exact: boolean) => runSlash('/show', { registry, place: 'chat', cwd: '/', deps, exact });
  await assert.rejects(type(false), { message: 'no job x; /cron list shows them.' });
  await assert.rejects(type(true), { message: 'no job x; hermes cron list shows them.' });
});
