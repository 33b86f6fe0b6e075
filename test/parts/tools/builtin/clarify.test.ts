import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clarifyTool } from '../../../../src/parts/tools/builtin/clarify.ts';
import type { Ports, UserQuestion } from '../../../../src/contracts/ports.ts';
import { answer, contextIn, deskAt } from '../setup.ts';

test('is there only when somebody can answer', async () => {
  assert.equal(await clarifyTool({ ports: {} }).available?.(), false);
  assert.equal(await clarifyTool({ ports: { clarify: async () => '' } }).available?.(), true);
  assert.equal(clarifyTool({ ports: {} }).effects({ question: 'x' }).interactive, true);
});

/** What a person sees of a question. */
const shown = ({ question, choices, several }: UserQuestion) => ({ question, choices, ...(several === true && { several }) });

test('asks once, hands over choices and gives the answer as it came', async () => {
  const asked: UserQuestion[] = [];
  const ports = { clarify: async (question: UserQuestion) => (asked.push(question), 'the blue one') };
  const tool = clarifyTool({ ports });
  assert.equal(
    await answer(tool, { question: ' Which? ', choices: ['red', ' ', 'blue'] }, contextIn(deskAt('/'), { ports })),
    'the blue one',
  );
  assert.deepEqual(asked.map(shown), [{ question: 'Which?', choices: ['red', 'blue'] }]);
  assert.match(await answer(tool, { question: '' }, contextIn(deskAt('/'), { ports })), /^FAILED Not asked: the question is empty/);
  assert.match(await answer(tool, { question: 'x' }, contextIn(deskAt('/'))), /^FAILED Not asked: nobody can answer/);
});

test('silence is told as such', async () => {
  const ports = { clarify: async () => ' ' };
  assert.match(await answer(clarifyTool({ ports }), { question: 'x' }, contextIn(deskAt('/'), { ports })), /gave no answer/);
});

test('several questions are asked one after the other and answered together', async () => {
  const asked: UserQuestion[] = [];
  const ports: Ports = {
    clarify: async (question) => {
      asked.push(question);
      return asked.length === 1 ? 'red, blue' : '';
    },
  };
  const input = { questions: [{ question: 'Colours?', choices: ['red', 'blue'], multi_select: true }, { question: 'Size?' }] };
  assert.equal(
    await answer(clarifyTool({ ports }), input, contextIn(deskAt('/'), { ports })),
    'Colours?\n→ red, blue\nSize?\n→ [the user gave no answer: decide by your own judgement]',
  );
  assert.equal(new Set(asked.map(({ repeatKey }) => repeatKey)).size, 2, 'each is asked again under a key of its own');
  assert.deepEqual(asked.map(shown), [
    { question: 'Colours?', choices: ['red', 'blue'], several: true },
    { question: 'Size?', choices: [] },
  ]);
});

test('a secret is offered where one can be typed, and told as what stands for it', async () => {
  const secret = (given: string | undefined): Ports => ({ clarify: async () => '', secret: async () => given });
  const offers = (ports: Ports) => 'secret' in Object(clarifyTool({ ports }).input['properties']);
  assert.deepEqual([offers(secret('x')), offers({ clarify: async () => '' })], [true, false]);
  const ask = (ports: Ports) => answer(clarifyTool({ ports }), { question: 'Key?', secret: 'KEY' }, contextIn(deskAt('/'), { ports }));
  assert.equal(await ask(secret('«secret:KEY»')), '«secret:KEY» stands for it.');
  assert.match(await ask(secret(undefined)), /gave none/);
  assert.match(await ask({ clarify: async () => '' }), /^FAILED Not asked: no secret can be typed here/);
});
