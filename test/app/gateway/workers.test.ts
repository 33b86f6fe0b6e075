import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPlatformAdapter, PLATFORMS } from '../../../src/app/gateway/platforms.ts';
import type { PlatformKind } from '../../../src/contracts/platform-adapter.ts';
import { testPlatformConformance } from '../../../src/testing/conformance/platform.ts';
import { SCENES } from './scenes.ts';

/** The same platform, but every adapter of it runs in a worker. */
const inWorkers = (kind: PlatformKind): PlatformKind => ({
  ...kind,
  open: async ({ settings, log }) => {
    const { adapter, terminate } = await openPlatformAdapter({ platform: kind.id, settings, log });
    const close = async (): Promise<void> => {
      await adapter[Symbol.asyncDispose]();
      await terminate();
    };
    return { ...adapter, [Symbol.asyncDispose]: close };
  },
});

// Mostly they wait.
describe('platforms in workers', { concurrency: true }, () => {
  for (const [id, open] of Object.entries(SCENES))
    testPlatformConformance(`${id} in a worker`, async () => {
      const scene = await open();
      const { kind } = scene;
      return Object.defineProperty(scene, 'kind', { value: inWorkers(kind) });
    });
});

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
