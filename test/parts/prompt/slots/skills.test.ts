import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skillsSlot } from '../../../../src/parts/prompt/slots/skills.ts';
import { sceneWith, textOf, told } from './setup.ts';

test('the index is made for the scene, where a tool can open a skill', async () => {
  const slot = skillsSlot({ index: ({ platform }) => Promise.resolve({ text: `skills of ${platform}`, notices: ['bad SKILL.md'] }) });
  assert.deepEqual(await told(slot, sceneWith({ tools: ['terminal', 'skill_view'], platform: 'signal' })), {
    text: 'skills of signal',
    notices: ['bad SKILL.md'],
  });
});

test('without such a tool the index is not even made', async () => {
  const slot = skillsSlot({ index: () => assert.fail('made') });
  assert.equal(await textOf(slot, { tools: ['skill_manage', 'skills_list', 'terminal'] }), undefined);
});
