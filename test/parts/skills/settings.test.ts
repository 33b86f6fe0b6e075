import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { parsePlatformDisabled, skillSettings } from '../../../src/parts/skills/settings.ts';

test('nothing is switched off and no further folder is searched by default', () =>
  assert.deepEqual(collectDefaults(skillSettings), { 'skills.external_dirs': [], 'skills.disabled': [], 'skills.platform_disabled': {} }));

const TABLES: readonly (readonly [unknown, unknown])[] = [
  [{}, {}],
  [
    { telegram: ['a', 'b'], cron: 'c' },
    { telegram: ['a', 'b'], cron: ['c'] },
  ],
  [
    { telegram: ['a', 3, null], cron: null },
    { telegram: ['a'], cron: [] },
  ],
  [['a'], {}],
  [undefined, {}],
  ['telegram', {}],
];
for (const [table, expected] of TABLES)
  test(`switched off by platform: ${JSON.stringify(table)}`, () => assert.deepEqual(parsePlatformDisabled(table), expected));
