import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readSecretIn } from '../../../src/faces/cli/read-secret.ts';
import { isToolFailure } from '../../../src/contracts/tool.ts';

const QUESTION = { name: 'sudo password', question: 'Password for\u001b[2J root?', notes: ['to install jq'] };

/** A terminal that shows what is typed unless its keys are taken one by one. */
function desk() {
  const [said, modes]: [string[], boolean[]] = [[], []];
  const input = Object.assign(new PassThrough(), { setRawMode: (raw: boolean) => modes.push(raw) });
  let interrupts = 0;
  const read = readSecretIn({ input: () => input, say: (text) => said.push(text), discard: () => {}, interrupt: () => interrupts++ });
  return { input, said, modes, read, interrupts: () => interrupts };
}

const TYPED: readonly (readonly [name: string, keys: readonly string[], value: string])[] = [
  ['a line', ['hunter2\r'], 'hunter2'],
  ['key by key, with some taken back', ['a', 'b', '\x7f', 'ü', '\x7f', 'c', '\n'], 'ac'],
  ['pasted', ['\x1b[200~pasted words\x1b[201~', '\r'], 'pasted words'],
  ['nothing', ['\r'], ''],
  ['the end of input', ['half', '\x04'], 'half'],
];
for (const [name, keys, value] of TYPED)
  test(`what is typed is taken and never shown: ${name}`, async () => {
    const { input, said, modes, read } = desk();
    const answer = read(QUESTION, new AbortController().signal);
    for (const key of keys) input.write(key);
    assert.equal(await answer, value);
    assert.equal(said.join(''), '\n? Password for\\x1b[2J root?\n  to install jq\n  (not shown while you type) > \n');
    assert.deepEqual(modes, [true, false]);
  });

test('Ctrl-C interrupts as it does elsewhere, an abort ends the wait, and the terminal is as it was', async () => {
  const one = desk();
  const waiting = one.read(QUESTION, new AbortController().signal);
  one.input.write('half a secret\x03');
  await assert.rejects(waiting, (error) => isToolFailure(error) && !error.message.includes('half'));
  assert.equal(one.interrupts(), 1);
  const two = desk();
  await assert.rejects(two.read(QUESTION, AbortSignal.abort()), isToolFailure);
  assert.deepEqual(
    [one.modes, two.modes],
    [
      [true, false],
      [true, false],
    ],
  );
});
