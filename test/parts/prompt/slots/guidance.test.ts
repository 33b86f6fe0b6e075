import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guidanceSlot } from '../../../../src/parts/prompt/slots/guidance.ts';
import { textOf } from './setup.ts';

const paragraphs = async (...tools: string[]): Promise<string[]> => ((await textOf(guidanceSlot, { tools })) ?? '').split('\n');

test('each tool brings its own paragraph, in the order of the table', async () => {
  const [memory = '', search = '', skill = '', ...more] = await paragraphs('skill_manage', 'terminal', 'session_search', 'memory');
  assert.deepEqual(more, []);
  assert.match(memory, /^What you save with memory/);
  assert.match(search, /session_search before you ask/);
  assert.match(skill, /five or more tool calls.*skill_manage/);
});

test('no tool is named that is not there', async () => {
  for (const tool of ['memory', 'session_search', 'skill_manage']) {
    const [only = '', ...more] = await paragraphs(tool);
    assert.deepEqual(more, []);
    for (const other of ['session_search', 'skill_manage']) assert.equal(only.includes(other), other === tool, `${tool}: ${other}`);
  }
  assert.equal((await paragraphs('memory', 'session_search'))[0]?.includes('session_search'), true);
});

test('without these tools there is nothing to say', async () => {
  assert.equal(await textOf(guidanceSlot, { tools: [] }), undefined);
  assert.equal(await textOf(guidanceSlot, { tools: ['terminal', 'skill_view'] }), undefined);
});

test('all of it stays within 1,100 characters', async () => {
  const text = (await textOf(guidanceSlot)) ?? '';
  assert.ok(text.length > 500 && text.length <= 1_100, String(text.length));
});
