import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene } from './scene.ts';

test('a message from Telegram is answered there', async () => {
  await using scene = await openScene({ script: [{ text: 'Hello **Ann**.' }] });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().length === 1);
  assert.deepEqual(scene.said(), ['Hello Ann.']);
});
