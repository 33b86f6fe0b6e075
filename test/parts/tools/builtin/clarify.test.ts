import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clarifyTool } from '../../../../src/parts/tools/builtin/clarify.ts';
import type { Question } from '../../../../src/contracts/ports.ts';
import { answer, contextIn, deskAt } from '../setup.ts';

test('is there only when somebody can answer', async () => {
  assert.equal(await clarifyTool({ ports: {} }).available?.(), false);
  assert.equal(await clarifyTool({ ports: { clarify: async () => '' } }).available?.(), true);
  assert.equal(clarifyTool({ ports: {} }).effects({ question: 'x' }).interactive, true);
});

test('asks once, hands over choices and gives the answer as it came', async () => {
  const asked: Question[] = [];
  const ports = { clarify: async (question: Question) => (asked.push(question), 'the blue one') };
  const tool = clarifyTool({ ports });
  assert.equal(
    await answer(tool, { question: ' Which? ', choices: ['red', ' ', 'blue'] }, contextIn(deskAt('/'), { ports })),
    'the blue one',
  );
  assert.deepEqual(asked, [{ question: 'Which?', choices: ['red', 'blue'] }]);
  assert.match(await answer(tool, { question: '' }, contextIn(deskAt('/'), { ports })), /^FAILED Not asked: the question is empty/);
  assert.match(await answer(tool, { question: 'x' }, contextIn(deskAt('/'))), /^FAILED Not asked: nobody can answer/);
});

test('silence is told as such', async () => {
  const ports = { clarify: async () => ' ' };
  assert.match(await answer(clarifyTool({ ports }), { question: 'x' }, contextIn(deskAt('/'), { ports })), /gave no answer/);
});
