import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAT_OPTIONS } from '../../../src/commands/chat.ts';
import { createBuiltinRegistry } from '../../../src/commands/builtin.ts';
import { formatOptionName } from '../../../src/commands/usage-line.ts';
import type { CommandValues, CommandParameter } from '../../../src/contracts/command.ts';
import { parsePlainChat } from '../../../src/faces/cli/plain-chat.ts';
import { buildProgram } from '../../../src/faces/cli/program.ts';

/** What commander makes of a command line; `undefined` when it refuses. */
async function judged(argv: readonly string[]): Promise<CommandValues | undefined> {
  let seen: CommandValues | undefined;
  const program = buildProgram(createBuiltinRegistry(), 'test', async (command, values) => {
    assert.equal(command.name, 'chat');
    seen = { ...values };
  });
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  await program.parseAsync([...argv], { from: 'user' }).catch(() => undefined);
  return seen;
}

const PLAIN: readonly (readonly string[])[] = [
  ['chat', '-q', 'hi'],
  ['chat', '--query', 'hi there', '--json', '-m', 'm', '--provider', 'p', '--base-url', 'http://127.0.0.1:1/v1'],
  ['chat', '--api-mode', 'responses', '-t', 'a,b', '--max-turns', '0', '--ignore-rules', '--yolo', '--cwd', '/tmp', '-q', ''],
  ['chat', '--resume', 'abc', '--query-file', 'x'],
  ['chat', '--continue', '--max-turns', '12'],
  ['chat'],
];
for (const argv of PLAIN) {
  test(`plain: ${argv.join(' ')}`, async () => {
    const flags = parsePlainChat(argv);
    assert.notEqual(flags, undefined);
    assert.deepEqual(flags, await judged(argv));
  });
}

const UNUSUAL: readonly (readonly string[])[] = [
  [],
  ['demo'],
  ['--help'],
  ['chat', '--help'],
  ['chat', 'hi'],
  ['chat', '-qhi'],
  ['chat', '--query=hi'],
  ['chat', '-q'],
  ['chat', '-q', '-'],
  ['chat', '-q', '--json'],
  ['chat', '-q', 'a', '-q', 'b'],
  ['chat', '-q', 'a', '--query-file', 'b'],
  ['chat', '--continue', '--resume', 'x'],
  ['chat', '--api-mode', 'soap'],
  ['chat', '--max-turns', '-1'],
  ['chat', '--max-turns', '1e3'],
  ['chat', '--', '-q', 'hi'],
  ['chat', '--constructor', 'x'],
];
for (const argv of UNUSUAL) {
  test(`left to commander: ${argv.join(' ') || '(nothing)'}`, () => assert.equal(parsePlainChat(argv), undefined));
}

test('every row of the option table is known to both', async () => {
  for (const [key, option] of Object.entries(CHAT_OPTIONS)) {
    const one: CommandParameter = option;
    const value =
      one.kind === 'whole_number' ? ['7'] : one.kind === 'choice' ? [one.choices[0] ?? ''] : one.kind === 'flag' ? [] : ['word'];
    const argv = ['chat', formatOptionName(key), ...value];
    assert.notEqual(parsePlainChat(argv), undefined, key);
    assert.deepEqual(parsePlainChat(argv), await judged(argv), key);
  }
});
