import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAT_OPTIONS } from '../../../src/faces/cli/chat-options.ts';
import { plainChat } from '../../../src/faces/cli/plain-chat.ts';
import { buildProgram } from '../../../src/faces/cli/program.ts';
import type { ChatFlags, Verbs } from '../../../src/faces/cli/verbs.ts';

/** What commander makes of a command line; `undefined` when it refuses. */
async function judged(argv: readonly string[]): Promise<ChatFlags | undefined> {
  let seen: ChatFlags | undefined;
  const chat = async (flags: ChatFlags) => {
    seen = { ...flags };
    return 0;
  };
  const program = buildProgram({ chat } as unknown as Verbs, 'test', async (verb) => void (await verb));
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
    const flags = plainChat(argv);
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
  test(`left to commander: ${argv.join(' ') || '(nothing)'}`, () => assert.equal(plainChat(argv), undefined));
}

test('every row of the option table is known to both', async () => {
  for (const { flags, choices, kind } of CHAT_OPTIONS) {
    const name = flags.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? '';
    const value = kind === 'whole number' ? ['7'] : flags.endsWith('>') ? [choices?.[0] ?? 'word'] : [];
    const argv = ['chat', name, ...value];
    assert.deepEqual(plainChat(argv), await judged(argv), name);
  }
});
