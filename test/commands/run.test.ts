import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { runCommand, type CommandDeps } from '../../src/commands/run.ts';
import type { CommandContext } from '../../src/contracts/command.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';

const context: CommandContext = {
  place: 'shell',
  cwd: '/',
  now: 0,
  signal: new AbortController().signal,
  commands: () => [],
  report: () => {},
};
const facts = { category: 'help', summary: 'x', where: ['shell'], whileBusy: 'run', examples: [] } as const;
const path = defineCommand({
  ...facts,
  name: 'config path',
  needs: ['configuration'],
  run: async (_values, { configuration }) => configuration.path,
});

function deps(opened: string[] = []): CommandDeps {
  const configuration = {
    path: '/home/config.yaml',
    declared: () => [],
    standing: async () => ({ settings: [], problems: [], warnings: [] }),
    schema: () => ({}),
    variable: () => undefined,
    set: () => Promise.reject(new Error('not asked')),
    unset: () => Promise.reject(new Error('not here')),
    change: () => Promise.reject(new Error('not here')),
    migrate: () => Promise.reject(new Error('not here')),
    create: () => undefined,
    isSecret: () => false,
    unknown: () => '',
  };
  return {
    services: {
      configuration: async () => (opened.push('configuration'), configuration),
      store: () => Promise.reject(new Error('nobody asked for the store')),
    },
    startedByAgent: () => true,
    isOn: async () => false,
  };
}

test('a command gets what it needs opened, and nothing else', async () => {
  const opened: string[] = [];
  assert.equal(await runCommand(path, {}, context, deps(opened)), '/home/config.yaml');
  assert.deepEqual(opened, ['configuration']);
});

test('what is the owner’s alone is refused below an agent before anything is opened', async () => {
  const opened: string[] = [];
  const forbidden = { ...path, ownerOnly: true as const };
  await assert.rejects(
    runCommand(forbidden, {}, context, deps(opened)),
    new UsageError(
      'config path is only for the owner, and this was started by a command of an agent. Nothing was done; run it yourself, in a terminal of your own.',
    ),
  );
  assert.deepEqual(opened, []);
  assert.equal(await runCommand(forbidden, {}, context, { ...deps(), startedByAgent: () => false }), '/home/config.yaml');
});

test('values decide where they make it the owner’s, and nobody is asked about agents where they do not', async () => {
  const some = defineCommand({
    ...facts,
    name: 'config set',
    arguments: { key: { kind: 'text', required: true, description: 'x' } },
    ownerOnly: ({ key }) => (key === 'approvals' ? `config set ${key}` : undefined),
    run: async ({ key }) => key,
  });
  await assert.rejects(runCommand(some, { key: 'approvals' }, context, deps()), /config set approvals is only for the owner/);
  const never = () => assert.fail('nobody had to ask');
  assert.equal(await runCommand(some, { key: 'model' }, context, { ...deps(), startedByAgent: never }), 'model');
});

test('a gate that is closed says how to open it', async () => {
  const gated = { ...path, gate: 'display.extra' };
  await assert.rejects(
    runCommand(gated, {}, context, { ...deps(), isOn: async () => false }),
    new UsageError('config path is switched off; hermes config set display.extra true switches it on.'),
  );
  assert.equal(await runCommand(gated, {}, context, { ...deps(), isOn: async (key) => key === 'display.extra' }), '/home/config.yaml');
});

test('what removes something for good is run after --yes or a yes, and says what it would remove', async () => {
  let removed = 0;
  const clear = defineCommand({
    ...facts,
    name: 'clear',
    options: { yes: { kind: 'flag', description: 'x' } },
    needs: ['configuration'],
    destructive: (_values, { configuration }) => `all of ${configuration.path}`,
    run: async () => ++removed,
  });
  await assert.rejects(
    runCommand(clear, {}, context, deps()),
    new UsageError('this removes all of /home/config.yaml for good; add --yes to do it.'),
  );
  const asked: string[] = [];
  const answering = (answer: boolean) => ({ ...context, confirm: async (question: string) => (asked.push(question), answer) });
  await assert.rejects(runCommand(clear, {}, answering(false), deps()), new UsageError('nothing was removed.'));
  assert.equal(removed, 0);
  assert.equal(await runCommand(clear, {}, answering(true), deps()), 1);
  assert.equal(await runCommand(clear, { yes: true }, context, deps()), 2);
  assert.deepEqual(asked, Array(2).fill('Remove all of /home/config.yaml for good?'));
});

test('what is the owner’s alone is refused to others who write in a chat, and what is not is not', async () => {
  const others = { ...deps(), startedByAgent: () => false, by: 'other' as const };
  await assert.rejects(
    runCommand({ ...path, ownerOnly: true as const }, {}, context, others),
    new UsageError('config path is only for the owner. Nothing was done; ask the owner to do it.'),
  );
  assert.equal(await runCommand(path, {}, context, others), '/home/config.yaml');
});

test('a service that is not there is a usage error, and so is a command only a face can run', async () => {
  await assert.rejects(runCommand(path, {}, context, { ...deps(), services: {} }), /cannot be run here: there is no configuration/);
  const { run: _, ...record } = path;
  await assert.rejects(runCommand(record, {}, context, deps()), /cannot be run here: it needs a command line/);
});
