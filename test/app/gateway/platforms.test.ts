import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPlatformAdapter, PLATFORMS } from '../../../src/app/gateway/platforms.ts';
import { SCENES } from './scenes.ts';

describe('the table of platforms', () => {
  test('names each by its id, and every one has a scene to prove itself in', async () => {
    const ids = await Promise.all(Object.values(PLATFORMS).map(async (load) => (await load()).id));
    assert.deepEqual(ids, Object.keys(PLATFORMS));
    assert.deepEqual(ids, Object.keys(SCENES));
  });

  test('has no others', async () => {
    const opened = openPlatformAdapter({ platform: 'fax', settings: { secrets: {}, extra: {} }, log: () => {} });
    await assert.rejects(opened, /There is no platform "fax"\./);
  });
});
