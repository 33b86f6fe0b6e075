import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandRegistry } from '../../src/commands/registry.ts';
import { help } from '../../src/commands/help.ts';
import { runSlash, type RunSlashOptions } from '../../src/commands/run-slash.ts';
import type { CommandContext } from '../../src/contracts/command.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';

const facts = { category: 'sessions', summary: 'x', where: ['chat'], examples: [] } as const;
const named = { session: { kind: 'text', required: true, description: 'x', session: 'there is none.' } } as const;
const seen: unknown[] = [];
const make = (name: string, whileBusy: 'run' | 'queue' | 'refuse') =>
  defineCommand({
    ...facts,
    name,
    whileBusy,
    arguments: named,
    run: async (values, _services, { place }) => {
      seen.push([name, values, place]);
      return { ran: name };
    },
  });
const [now, later, never] = [make('now', 'run'), make('later', 'queue'), make('never', 'refuse')];
const shell = defineCommand({ ...facts, name: 'shell', where: ['shell'], whileBusy: 'run' });
const options: RunSlashOptions = {
  registry: createCommandRegistry([now, later, never, help, shell]),
  sessionId: 's1',
  place: 'chat',
  cwd: '/',
  deps: { services: {}, startedByAgent: () => false, isOn: async () => false },
};

test('a command that is typed runs with the session it was typed in', async () => {
  assert.deepEqual(await runSlash('/now', options), {
    type: 'done',
    command: now,
    result: { ran: 'now' },
    text: '{\n  "ran": "now"\n}',
  });
  assert.deepEqual(seen, [['now', { session: 's1' }, 'chat']]);
});

test('while a turn runs each command keeps to what it says of itself', async () => {
  const busy = { ...options, busy: true };
  assert.equal((await runSlash('/now', busy)).type, 'done');
  assert.deepEqual(await runSlash('/later', busy), { type: 'queue', command: later });
  assert.deepEqual(await runSlash('/never', busy), {
    type: 'refused',
    command: never,
    words: '/never cannot be used while a turn is running; stop the turn or wait for its end.',
  });
  assert.equal((await runSlash('/later', options)).type, 'done');
  assert.equal((await runSlash('/never', options)).type, 'done');
});

test('what the face brings is the command’s, and a step it asks for comes back with its words', async () => {
  const stop = defineCommand({
    ...facts,
    name: 'halt',
    whileBusy: 'run',
    run: async (_values, _services, { followUp, report, cwd }: CommandContext) => {
      report(cwd);
      followUp?.({ type: 'stop' });
      return { stopped: true };
    },
    describe: ({ stopped }) => (stopped ? 'Stopped.' : ''),
  });
  const reported: unknown[] = [];
  const told: string[] = [];
  const context = ({ name }: { readonly name: string }) => (
    told.push(name),
    { report: (progress: unknown) => void reported.push(progress) }
  );
  const done = await runSlash('/hal', { ...options, registry: createCommandRegistry([stop]), context });
  assert.deepEqual(done, { type: 'done', command: stop, result: { stopped: true }, text: 'Stopped.', followUp: { type: 'stop' } });
  assert.deepEqual([told, reported], [['halt'], ['/']]);
});

test('what is no command is text, and what only looks like one is told', async () => {
  assert.deepEqual(await runSlash('good morning', options), { type: 'text' });
  const unknown = await runSlash('/latr', options);
  assert.ok(unknown.type === 'unknown' && unknown.words.includes('did you mean /later?'));
});

test('help lists what can be given here, and tells of one what it takes', async () => {
  const all = await runSlash('/help', options);
  assert.deepEqual(all.type === 'done' && all.result, {
    commands: ['now', 'later', 'never']
      .map((name) => ({
        name,
        line: `/${name}`,
        aliases: [],
        category: 'sessions',
        summary: 'x',
        parameters: [],
      }))
      .concat([
        {
          name: 'help',
          line: '/help [command]',
          aliases: ['/commands'],
          category: 'help',
          summary: 'List the commands, or explain one',
          parameters: [{ name: 'command', description: 'the name of a command' }],
        } as never,
      ]),
  });
  const one = await runSlash('/help now', options);
  assert.equal(one.type === 'done' && JSON.stringify(one.result).match(/"line"/g)?.length, 1);
  await assert.rejects(runSlash('/help latr', options), /there is no command \/latr; did you mean \/later\? \/help lists them/);
});

test('a command with many options takes one line in the list, and its own help names each as it is typed', async () => {
  const kind = { kind: 'text', description: 'x' } as const;
  const build = defineCommand({
    ...facts,
    name: 'build',
    whileBusy: 'run',
    summaryForOthers: 'y',
    arguments: { what: kind },
    options: { name: kind, contextFrom: { ...kind, placeholder: 'job' }, one: kind, two: kind, dry: { kind: 'flag', description: 'x' } },
  });
  const registry = createCommandRegistry([build, help]);
  const typed = async (line: string, othersRead = false): Promise<string> => {
    const done = await runSlash(line, { ...options, registry, context: () => ({ othersRead }) });
    return done.type === 'done' ? done.text : '';
  };
  assert.match(await typed('/help'), /^ {2}\/build \[what\] \[options\]: x$/m);
  assert.match(await typed('/help', true), /^ {2}\/build \[what\] \[options\]: y$/m);
  assert.equal(
    await typed('/help build'),
    '/build [what] [options]: x\n  what: x\n  --name <name>: x\n  --context-from <job>: x\n  --one <one>: x\n  --two <two>: x\n  --dry: x',
  );
  await assert.rejects(typed('/build --there'), /it is \/build \[what\] \[options\]\. \/help build explains the options\./);
});
