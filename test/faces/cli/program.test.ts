import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandRegistry } from '../../../src/commands/registry.ts';
import { createBuiltinRegistry } from '../../../src/commands/builtin.ts';
import type { AnyCommand } from '../../../src/contracts/command.ts';
import { defineCommand } from '../../../src/contracts/services/define-command.ts';
import { runProgram } from '../../../src/faces/cli/program.ts';

const plain = (name: string, more: Partial<AnyCommand> = {}): AnyCommand => ({
  ...defineCommand({ name, category: 'help', summary: name, where: ['shell'], whileBusy: 'run', examples: [] }),
  ...more,
});

/** The command a line means and its exit code, and what was told of a mistake. */
async function given(line: string, registry = createBuiltinRegistry()): Promise<string> {
  let ran = '';
  const told: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = (words: string | Uint8Array) => told.push(String(words)) > 0;
  try {
    const code = await runProgram(line.split(' '), registry, {
      version: '0',
      run: async ({ name }, values) => ((ran = `${name} ${JSON.stringify(values)}`), 0),
    });
    return code === 0 ? ran : `${code}: ${told.join('').split('\n')[0]}`;
  } finally {
    process.stderr.write = write;
  }
}

const LINES: readonly (readonly [line: string, means: string])[] = [
  ['sessions show x', 'sessions show {"session":"x"}'],
  ['sess sh x', 'sessions show {"session":"x"}'],
  ['sessions rm x --yes', 'sessions delete {"session":"x","yes":true}'],
  ['sess remove x', 'sessions delete {"session":"x"}'],
  ['doc', 'doctor {}'],
  ['webhook add x --deliver-only', 'webhook add {"name":"x","deliverOnly":true}'],
  ['prompt scan a.md', 'prompt scan {"files":["a.md"]}'],
];
for (const [line, means] of LINES) test(`hermes ${line}`, async () => assert.equal(await given(line), means));

const MISTAKES: readonly (readonly [line: string, told: RegExp])[] = [
  ['sesions list', /^2: hermes: unknown command 'sesions'/],
  ['sessions re', /^2: hermes: unknown command 're'/],
  [
    'compress',
    /^2: hermes: compress is given in a session: hermes chat --continue -q "\/compress", or hermes sessions compress <session> \[topic\]/,
  ],
  ['resume x', /^2: hermes: unknown command 'resume'/],
  ['rollback 3', /^2: hermes: rollback is given in a session: hermes chat --continue -q "\/rollback"$/],
];
for (const [line, told] of MISTAKES) test(`hermes ${line} is a mistake`, async () => assert.match(await given(line), told));

test('an option arrives under the name its record gives it, also where that has a dash, as plugins may write it', async () => {
  const flag = { kind: 'flag', description: 'x' } as const;
  const registry = createCommandRegistry([plain('try', { options: { 'dry-run': flag, allFiles: flag } })]);
  assert.equal(await given('try --dry-run --all-files', registry), 'try {"dry-run":true,"allFiles":true}');
});

test('an alias holds in full, wherever it stands; one that clashes crashes nothing', async () => {
  const registry = createCommandRegistry([
    plain('sessions list'),
    plain('plain', { aliases: ['pl', 'sessions pl', 'sessions list'] }),
    plain('other', { aliases: ['pl', 'plain'] }),
    plain('sessions', { summary: 'a command where a group was' }),
  ]);
  assert.equal(await given('pl', registry), 'plain {}');
  assert.equal(await given('sessions pl', registry), 'plain {}');
  assert.equal(await given('sessions list', registry), 'sessions list {}');
  assert.equal(await given('plain', registry), 'plain {}');
  assert.equal(await given('sessions', registry), 'sessions {}');
});
