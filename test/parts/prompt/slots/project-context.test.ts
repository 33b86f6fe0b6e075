import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectContextSlot } from '../../../../src/parts/prompt/slots/project-context.ts';
import { sceneWith, textOf, told } from './setup.ts';

test('the files of the working directory speak', async () => {
  const slot = projectContextSlot({ load: ({ cwd }) => Promise.resolve({ text: `rules of ${cwd}`, notices: ['AGENTS.md was cut'] }) });
  assert.deepEqual(await told(slot, sceneWith()), { text: 'rules of /home/user/demo', notices: ['AGENTS.md was cut'] });
});

test('where they may not speak they are not even read', async () => {
  assert.equal(await textOf(projectContextSlot({ load: () => assert.fail('read') }), { contextFiles: false }), undefined);
});
