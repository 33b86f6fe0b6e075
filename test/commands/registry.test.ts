import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandRegistry } from '../../src/commands/registry.ts';
import type { AnyCommand } from '../../src/contracts/command.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';

const plain = (name: string, more: Partial<AnyCommand> = {}): AnyCommand => ({
  ...defineCommand({ name, category: 'help', summary: name, where: ['shell', 'terminal', 'chat'], whileBusy: 'run', examples: [] }),
  ...more,
});
const compress = plain('sessions compress', { slash: ['compress', 'compact'] });
const list = plain('sessions list');
const rollback = plain('rollback');
const diff = plain('rollback diff');
const shellOnly = plain('config set', { where: ['shell'] });
const registry = createCommandRegistry(
  [compress, list, rollback, diff, shellOnly],
  [{ name: 'sessions', summary: 'stored ones', examples: [] }],
);

const FOUND: readonly (readonly [line: string, AnyCommand, called: string, taken: number, by: 'name' | 'prefix'])[] = [
  ['compress the migration', compress, 'compress', 1, 'name'],
  ['compact', compress, 'compact', 1, 'name'],
  ['Compress', compress, 'compress', 1, 'name'],
  ['sessions list 5', list, 'sessions list', 2, 'name'],
  ['sess list', list, 'sessions list', 2, 'prefix'],
  ['rollback 1', rollback, 'rollback', 1, 'name'],
  ['rollback diff 1', diff, 'rollback diff', 2, 'name'],
  ['roll diff 1', diff, 'rollback diff', 2, 'prefix'],
  ['rollback dif 2', diff, 'rollback diff', 2, 'prefix'],
  ['comp the migration', compress, 'compress', 1, 'prefix'],
  ['c', compress, 'compress', 1, 'prefix'],
  ['rollback 3 diff', rollback, 'rollback', 1, 'name'],
];
for (const [line, command, called, taken, by] of FOUND)
  test(`/${line} is ${command.name}`, () =>
    assert.deepEqual(registry.resolve(line.split(' '), 'chat'), { type: 'found', command, called, taken, by }));

const UNKNOWN: readonly (readonly [line: string, candidates: readonly string[]])[] = [
  ['sess', ['sessions list']],
  ['comprss', ['compress']],
  ['rolback', ['rollback']],
  ['sessions', ['sessions list']],
  ['sessions lisst', ['sessions list']],
  ['config set', []],
  ['wholly-different', []],
  ['', []],
];
for (const [line, candidates] of UNKNOWN)
  test(`/${line} is not known; near are ${candidates.join(', ') || 'none'}`, () =>
    assert.deepEqual(registry.resolve(line.split(' '), 'chat'), { type: 'unknown', candidates }));

test('on a command line names and aliases in full or by a beginning that fits one; a name wins over an alias', () => {
  const remove = plain('sessions remove', { aliases: ['sessions delete', 'rm'] });
  const taker = plain('plain', { aliases: ['pl', 'sessions list'] });
  const more = createCommandRegistry([remove, taker, list, shellOnly, plain('hidden', { where: ['chat'] })]);
  const at = (line: string) => {
    const found = more.resolve(line.split(' '), 'shell');
    return found.type === 'found' ? [found.command.name, found.taken] : found.candidates;
  };
  assert.deepEqual(at('sess del x'), ['sessions remove', 2]);
  assert.deepEqual(at('rm x'), ['sessions remove', 1]);
  assert.deepEqual(at('pl'), ['plain', 1]);
  assert.deepEqual(at('sessions list'), ['sessions list', 2]);
  assert.deepEqual(at('con set'), ['config set', 2]);
  assert.deepEqual(at('hidden'), []);
  assert.equal(more.find('sessions list'), list);
});

test('a command line knows names and aliases in full only', () => {
  const aliased = plain('sessions remove', { aliases: ['sessions delete'] });
  const more = createCommandRegistry([aliased]);
  assert.equal(more.find('sessions delete'), aliased);
  assert.equal(more.find('sessions remove'), aliased);
  assert.equal(more.find('sessions rem'), undefined);
  assert.equal(registry.find('compress'), undefined);
  assert.equal(registry.group('sessions')?.summary, 'stored ones');
});

test('the latest of a name wins in the place of the first, and taking it back reveals the one before', () => {
  const open = createCommandRegistry([list, rollback]);
  const [mine, yours] = [plain('sessions list', { summary: 'mine' }), plain('sessions list', { summary: 'yours' })];
  const takeMine = open.add(mine);
  const takeYours = open.add(yours);
  assert.deepEqual(open.all(), [yours, rollback]);
  takeMine[Symbol.dispose]();
  takeMine[Symbol.dispose]();
  assert.deepEqual(open.all(), [yours, rollback]);
  takeYours[Symbol.dispose]();
  assert.deepEqual(open.all(), [list, rollback]);
  {
    using _ = open.add(plain('extra'));
    assert.equal(open.resolve(['extra'], 'terminal').type, 'found');
  }
  assert.equal(open.resolve(['extra'], 'terminal').type, 'unknown');
});
