import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { openPlatformAdapter, PLATFORMS } from '../../../src/app/gateway/platforms.ts';

describe('the table of platforms', () => {
  test('names each by its id, and every one keeps the promises of a platform', async () => {
    const ids = await Promise.all(Object.values(PLATFORMS).map(async (load) => (await load()).id));
    assert.deepEqual(ids, Object.keys(PLATFORMS));
    const isProved = (id: string): boolean => existsSync(new URL(`../../platforms/${id}/conformance.test.ts`, import.meta.url));
    assert.deepEqual(
      ids.filter((id) => !isProved(id)),
      [],
    );
  });

  test('has no others', async () => {
    const opened = openPlatformAdapter({ platform: 'fax', settings: { secrets: {}, extra: {} }, log: () => {} });
    await assert.rejects(opened, /There is no platform "fax"\./);
  });
});
