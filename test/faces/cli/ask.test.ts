import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ToolFailure } from '../../../src/contracts/tool.ts';
import { askIn } from '../../../src/faces/cli/ask.ts';

const COLOURS = { question: 'Which\u001b]52;c;AAAA\u0007 one?', choices: ['red', 'bl\u001b[2Jue'] };
function desk() {
  const input = new PassThrough();
  const said: string[] = [];
  const ask = askIn(input, (text) => said.push(text));
  return { input, said, ask };
}

test('shows the question with numbered choices, free of control sequences; a number means the choice', async () => {
  const { input, said, ask } = desk();
  const answer = ask(COLOURS, new AbortController().signal);
  input.write('2\n');
  assert.equal(await answer, 'bl\u001b[2Jue');
  assert.equal(said.join(''), '\n? Which one?\n  1) red\n  2) blue\n  or in your own words\n> ');
});

test('own words, a number out of range and a plain question are taken as they come', async () => {
  const table = [
    [COLOURS, ' rather green \n', 'rather green'],
    [COLOURS, '7\n', '7'],
    [COLOURS, '\n', ''],
    [{ question: 'How many?', choices: [] }, '2\n', '2'],
  ] as const;
  for (const [question, typed, expected] of table) {
    const { input, ask } = desk();
    const answer = ask(question, new AbortController().signal);
    input.write(typed);
    assert.equal(await answer, expected);
  }
});

test('several questions are answered one after the other, the end of input by nothing', async () => {
  const { input, ask } = desk();
  for (const word of ['one', 'two']) {
    const answer = ask({ question: 'q', choices: [] }, new AbortController().signal);
    input.write(`${word}\n`);
    assert.equal(await answer, word);
  }
  const answer = ask({ question: 'q', choices: [] }, new AbortController().signal);
  input.end();
  assert.equal(await answer, '');
});

test('an abort ends the wait, also one that came before', async () => {
  const stop = new AbortController();
  const waiting = desk().ask(COLOURS, stop.signal);
  setImmediate(() => stop.abort('interrupted'));
  await assert.rejects(waiting, (error) => error instanceof ToolFailure && error.message.includes('interrupted'));
  await assert.rejects(desk().ask(COLOURS, AbortSignal.abort()), ToolFailure);
});
