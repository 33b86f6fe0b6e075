import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createCommandRegistry } from '../../src/commands/registry.ts';
import { rollback, rollbackDiff, rollbackList } from '../../src/commands/rollback.ts';
import { readSlash, type SlashOptions } from '../../src/commands/slash.ts';
import type { AnyCommand } from '../../src/contracts/command.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';

const facts = { category: 'sessions', summary: 'x', where: ['terminal', 'chat'], whileBusy: 'queue', examples: [] } as const;
const NO_SESSION = 'name a session first.';
const session = { kind: 'text', required: true, description: 'x', session: NO_SESSION } as const;
const compress = defineCommand({
  ...facts,
  name: 'sessions compress',
  slash: ['compress', 'compact'],
  arguments: { session, topic: { kind: 'text', description: 'x', prose: true } },
});
const search = defineCommand({
  ...facts,
  name: 'search',
  arguments: { words: { kind: 'list', required: true, description: 'x', prose: true } },
  options: { limit: { kind: 'whole_number', default: 20, description: 'x', placeholder: 'n' } },
});
const goBack = defineCommand({
  ...facts,
  name: 'back',
  arguments: { session, checkpoint: { kind: 'text', description: 'x' }, file: { kind: 'text', description: 'x' } },
  options: { all: { kind: 'flag', description: 'x' } },
});
const mode = defineCommand({
  ...facts,
  name: 'mode',
  arguments: { to: { kind: 'choice', choices: ['on', 'off'], required: true, description: 'x' } },
});
const usage = defineCommand({ ...facts, name: 'usage', options: { session: { kind: 'text', description: 'x', session: NO_SESSION } } });
const mood = defineCommand({ ...facts, name: 'mood' });
const note = defineCommand({
  ...facts,
  name: 'note',
  arguments: { words: { kind: 'list', description: 'x' } },
  options: { tag: { kind: 'list', description: 'x' } },
});
const registry = createCommandRegistry([compress, search, goBack, mode, mood, usage, note]);
const options: SlashOptions = { registry, place: 'chat', sessionId: 's1', others: ['debugging', 'mod'] };

const READ: readonly (readonly [line: string, AnyCommand, Readonly<Record<string, unknown>>])[] = [
  ['/compress', compress, { session: 's1' }],
  ['  /compact the  migration\nand --json  ', compress, { session: 's1', topic: 'the  migration\nand --json' }],
  ['/compress@hermes_bot topic', compress, { session: 's1', topic: 'topic' }],
  ['/search exit code -docker', search, { words: ['exit', 'code', '-docker'], limit: 20 }],
  ['/search --limit 5 a --b', search, { words: ['a', '--b'], limit: 5 }],
  ['/search --limit=5 a', search, { words: ['a'], limit: 5 }],
  ['/back', goBack, { session: 's1' }],
  ['/back 3 src/my  file.ts', goBack, { session: 's1', checkpoint: '3', file: 'src/my  file.ts' }],
  ['/back --all 2', goBack, { session: 's1', checkpoint: '2', all: true }],
  ['/back 2 a.txt --all', goBack, { session: 's1', checkpoint: '2', file: 'a.txt', all: true }],
  ['/back 2 "my file.txt"', goBack, { session: 's1', checkpoint: '2', file: 'my file.txt' }],
  ["/back 2 'a  b' --all", goBack, { session: 's1', checkpoint: '2', file: 'a  b', all: true }],
  ["/back 2 it's --all odd", goBack, { session: 's1', checkpoint: '2', file: "it's odd", all: true }],
  ['/search --limit "5" "exit code" -docker', search, { words: ['"exit', 'code"', '-docker'], limit: 5 }],
  ['/comp x', compress, { session: 's1', topic: 'x' }],
  ['/note --tag a --tag="b c" x', note, { tag: ['a', 'b c'], words: ['x'] }],
  ['/note "one two" three', note, { words: ['one two', 'three'] }],
  ['/mode on', mode, { to: 'on' }],
  ['/usage', usage, { session: 's1' }],
  ['/us', usage, { session: 's1' }],
];
for (const [line, command, values] of READ)
  test(`read: ${JSON.stringify(line)}`, () => {
    const { called: _, ...read } = { called: '', ...readSlash(line, options) };
    assert.deepEqual(read, { type: 'command', command, values });
  });

for (const line of ['hello', 'please /compress', '/usr/bin is full', '/tmp/x', '/', '', '/ compress', '/debugging why', '/mod x'])
  test(`no command: ${JSON.stringify(line)}`, () => assert.deepEqual(readSlash(line, options), { type: 'text' }));

const UNKNOWN: readonly (readonly [line: string, words: string])[] = [
  ['/comprss', 'there is no command /comprss; did you mean /compress? /help lists them.'],
  ['/m', 'there is no command /m; did you mean /mode or /mood? /help lists them.'],
  ['/debuging', 'there is no command /debuging; did you mean /debugging? /help lists them.'],
  ['/zzzzzzzz\u001b', 'there is no command /zzzzzzzz\\x1b. /help lists them.'],
];
for (const [line, words] of UNKNOWN)
  test(`unknown: ${JSON.stringify(line)}`, () => {
    const read = readSlash(line, options);
    assert.deepEqual(read.type === 'unknown' && read.words, words);
  });

const WRONG: readonly (readonly [line: string, words: RegExp])[] = [
  ['/back 1 --json', /^\/back does not know --json here: it is \/back \[checkpoint\] \[file\] \[--all\]\.$/],
  ['/search', /^\/search needs words: it is \/search <words\.\.\.> \[--limit <n>\]\.$/],
  ['/search a --limit many', /^--limit must be a whole number, 0 or more, not many\.$/],
  ['/search a --limit', /^--limit needs a value/],
  ['/back --all=no 3', /^--all takes no value: it is \/back/],
  ['/search --limit --b a', /^--limit needs a value/],
  ['/mode maybe', /^to must be one of on, off, not maybe\.$/],
  ['/usage of today', /^\/usage takes no words behind it: it is \/usage\.$/],
];
for (const [line, words] of WRONG)
  test(`refused: ${line}`, () =>
    assert.throws(
      () => readSlash(line, options),
      (error) => error instanceof UsageError && words.test(error.message),
    ));

test('without a session a command that needs one says what to do, and one that does not goes on', () => {
  const { sessionId: _, ...nowhere } = options;
  assert.throws(() => readSlash('/compress', nowhere), new UsageError(NO_SESSION));
  assert.deepEqual(readSlash('/usage', nowhere), { type: 'command', command: usage, called: 'usage', values: {} });
});

test('a command of another place is not there', () => {
  const shell = createCommandRegistry([{ ...mode, where: ['shell'] }]);
  assert.equal(readSlash('/mode on', { registry: shell, place: 'chat' }).type, 'unknown');
});

const undoing: SlashOptions = {
  registry: createCommandRegistry([rollback, rollbackDiff, rollbackList]),
  place: 'terminal',
  sessionId: 's1',
};
const ROLLBACKS: readonly (readonly [line: string, AnyCommand, Readonly<Record<string, unknown>>])[] = [
  ['/rollback', rollback, {}],
  ['  /rollback list ', rollbackList, {}],
  ['/rollback 1', rollback, { checkpoint: '1' }],
  ['/rollback --all 2', rollback, { checkpoint: '2', all: true }],
  ['/rollback 3 src/my file.ts', rollback, { checkpoint: '3', file: 'src/my file.ts' }],
  ['/rollback c_019a --all src', rollback, { checkpoint: 'c_019a', file: 'src', all: true }],
  ['/rollback diff 2 a.txt', rollbackDiff, { checkpoint: '2', file: 'a.txt' }],
];
for (const [line, command, values] of ROLLBACKS)
  test(`a rollback as it is typed: ${JSON.stringify(line)}`, () => {
    const read = readSlash(line, undoing);
    assert.ok(read.type === 'command');
    assert.equal(read.command, command);
    assert.deepEqual({ ...read.values, session: 's1' }, { ...values, session: 's1' });
  });

for (const line of [
  '/rollback 1 --json',
  '/rollback --everything',
  '/rollback list --all',
  '/rollback diff 1 --all',
  '/rollback 1 a.txt --al',
])
  test(`a flag nobody knows is taken for no file: ${line}`, () => {
    assert.throws(
      () => readSlash(line, undoing),
      (error) => error instanceof UsageError && /does not know --\w+ here: it is \/rollback/.test(error.message),
    );
  });
