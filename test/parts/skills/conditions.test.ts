import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Skill, SkillConditions, SkillListing, SkillContext } from '../../../src/contracts/skills.ts';
import { filterListing, toSystemName, type CatalogConditions } from '../../../src/parts/skills/catalog/conditions.ts';
import { names } from './catalog-setup.ts';

const NONE: SkillConditions = { requiresTools: [], requiresToolsets: [], fallbackForTools: [], fallbackForToolsets: [] };
const skill = (conditions: Partial<SkillConditions>, more: Partial<Skill> = {}): Skill => ({
  name: 'one',
  description: '',
  category: 'general',
  folder: '/x',
  origin: 'user',
  platforms: [],
  conditions: { ...NONE, ...conditions },
  tags: [],
  related: [],
  ...more,
});
const listing = (...skills: Skill[]): SkillListing => ({ skills, categories: {}, problems: [] });
const STANDING: CatalogConditions = { os: 'linux', disabled: [], platformDisabled: {} };
const isShown = (one: Skill, context: Partial<SkillContext>, standing: Partial<CatalogConditions> = {}): boolean =>
  names(filterListing(listing(one), { tools: [], toolsets: [], platform: 'cli', ...context }, { ...STANDING, ...standing })).length === 1;

const both = { tools: ['a', 'b'], toolsets: ['s', 't'] };
const CONDITIONS: readonly (readonly [Partial<SkillConditions>, Partial<SkillContext>, boolean])[] = [
  [{}, {}, true],
  [{ requiresTools: ['a'] }, both, true],
  [{ requiresTools: ['a', 'b'] }, both, true],
  [{ requiresTools: ['a', 'c'] }, both, false],
  [{ requiresTools: ['s'] }, both, false],
  [{ requiresTools: ['a'] }, {}, false],
  [{ requiresToolsets: ['s', 't'] }, both, true],
  [{ requiresToolsets: ['s', 'u'] }, both, false],
  [{ requiresToolsets: ['a'] }, both, false],
  [{ fallbackForTools: ['c'] }, both, true],
  [{ fallbackForTools: ['c', 'b'] }, both, false],
  [{ fallbackForToolsets: ['u'] }, both, true],
  [{ fallbackForToolsets: ['u', 't'] }, both, false],
  [{ fallbackForToolsets: ['a'] }, both, true],
  [{ requiresTools: ['a'], fallbackForTools: ['b'] }, both, false],
  [{ requiresTools: ['a'], fallbackForToolsets: ['u'] }, both, true],
  [{ requiresTools: ['constructor'] }, both, false],
];
for (const [conditions, context, expected] of CONDITIONS)
  test(`${JSON.stringify(conditions)} with ${JSON.stringify(context)} is ${expected ? 'shown' : 'hidden'}`, () =>
    assert.equal(isShown(skill(conditions), context), expected));

test('a skill is shown on its operating systems only', () => {
  const mac = skill({}, { platforms: ['macos', 'windows'] });
  assert.deepEqual(
    ['macos', 'windows', 'linux'].map((os) => isShown(mac, {}, { os })),
    [true, true, false],
  );
  assert.deepEqual(['darwin', 'win32', 'linux', 'android'].map(toSystemName), ['macos', 'windows', 'linux', 'linux']);
});

test('names are switched off everywhere or on one platform', () => {
  assert.equal(isShown(skill({}), {}, { disabled: ['one'] }), false);
  assert.equal(isShown(skill({}), {}, { disabled: ['other'] }), true);
  const platformDisabled = { telegram: ['one'] };
  assert.equal(isShown(skill({}), { platform: 'telegram' }, { platformDisabled }), false);
  assert.equal(isShown(skill({}), { platform: 'cli' }, { platformDisabled }), true);
  assert.equal(isShown(skill({}), { platform: 'constructor' }, { platformDisabled }), true);
});

test('only the categories of shown skills keep their descriptions; problems stay', () => {
  const problems = [{ path: '/x', words: 'w' }];
  const two = {
    skills: [skill({}, { category: 'a' }), skill({ requiresTools: ['no'] }, { name: 'two', category: 'b' })],
    categories: { a: '1', b: '2' },
    problems,
  };
  const shown = filterListing(two, { tools: [], toolsets: [], platform: 'cli' }, STANDING);
  assert.deepEqual({ ...shown, skills: names(shown) }, { skills: ['one'], categories: { a: '1' }, problems });
});
