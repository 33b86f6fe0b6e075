import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SkillContext } from '../../../src/contracts/skills.ts';
import { toContextKey } from '../../../src/parts/skills/catalog/catalog.ts';
import { renderSkillIndex } from '../../../src/parts/skills/index-text.ts';
import type { Root } from '../../../src/parts/skills/catalog/roots.ts';
import { age, catalogIn, named, names, put, CONTEXT, skillText, tempHome } from './catalog-setup.ts';

const needing = (name: string, tool: string): string =>
  skillText(`name: ${name}\ndescription: d\nmetadata:\n  hermes:\n    requires_tools: [${tool}]`);

test('a context shows what has a place in it', async () => {
  const home = tempHome();
  put(join(home, 'skills'), {
    'a/plain/SKILL.md': named('plain'),
    'a/shell/SKILL.md': needing('shell', 'terminal'),
    'b/mac/SKILL.md': skillText('name: mac\ndescription: d\nplatforms: [macos]'),
    'b/off/SKILL.md': named('off'),
    'b/quiet/SKILL.md': named('quiet'),
    'b/DESCRIPTION.md': 'The b things',
  });
  const catalog = catalogIn(home, { disabled: ['off'], platformDisabled: { telegram: ['quiet'] } });
  const shown = async (context: Partial<SkillContext>) => names(await catalog.shown({ ...CONTEXT, ...context }));
  assert.deepEqual(await shown({}), ['plain', 'quiet']);
  assert.deepEqual(await shown({ tools: ['terminal'], platform: 'telegram' }), ['plain', 'shell']);
  assert.deepEqual(names(await catalogIn(home, { os: 'macos' }).shown(CONTEXT)), ['plain', 'mac', 'off', 'quiet']);
  assert.equal((await catalog.all()).skills.length, 5);
  assert.ok(await catalog.find('off'));
  assert.deepEqual((await catalog.shown({ ...CONTEXT, platform: 'telegram' })).categories, {});
});

test('the same context gives the same listing until something changes, whatever the order of its tools', async () => {
  const home = tempHome();
  put(join(home, 'skills'), { 'a/one/SKILL.md': named('one') });
  const catalog = catalogIn(home);
  const context = { tools: ['x', 'y'], toolsets: ['s', 't'], platform: 'cli' };
  const first = await catalog.shown(context);
  assert.equal(await catalog.shown({ tools: ['y', 'x'], toolsets: ['t', 's'], platform: 'cli' }), first);
  age(join(home, 'skills'));
  const settled = await catalog.shown(context);
  assert.deepEqual(settled, first);
  assert.equal(await catalog.shown(context), settled);
  assert.equal(renderSkillIndex(settled), renderSkillIndex(first));
  put(join(home, 'skills'), { 'a/two/SKILL.md': named('two') });
  assert.deepEqual(names(await catalog.shown(context)), ['one', 'two']);
  put(join(home, 'skills'), { 'a/two/SKILL.md': named('two', 'other words') });
  assert.match(renderSkillIndex(await catalog.shown(context)), /two: other words/);
});

test('eight contexts are kept, the one unused for longest goes', async () => {
  const home = tempHome();
  put(join(home, 'skills'), { 'a/one/SKILL.md': named('one') });
  age(join(home, 'skills'));
  const catalog = catalogIn(home);
  const at = (n: number) => catalog.shown({ ...CONTEXT, platform: `p${n}` });
  const kept = await Promise.all(Array.from({ length: 8 }, (_, n) => at(n)));
  for (const [n, listing] of kept.entries()) assert.equal(await at(n), listing);
  assert.equal(await at(0), kept[0]);
  await at(8);
  assert.equal(await at(0), kept[0], 'used last, so still there');
  const second = await at(1);
  assert.notEqual(second, kept[1], 'unused for longest, so made anew');
  assert.deepEqual(second, kept[1]);
});

test('every part of the key counts, and order does not', () => {
  const roots: Root[] = [{ origin: 'user', path: '/u' }];
  const context: SkillContext = { tools: ['a', 'b'], toolsets: ['s', 't'], platform: 'cli' };
  const key = toContextKey(roots, ['x', 'y'], context);
  assert.equal(toContextKey(roots, ['y', 'x'], { tools: ['b', 'a'], toolsets: ['t', 's'], platform: 'cli' }), key);
  const others = [
    toContextKey([{ origin: 'user', path: '/other' }], ['x', 'y'], context),
    toContextKey([...roots, { origin: 'external', path: '/e' }], ['x', 'y'], context),
    toContextKey(roots, ['x'], context),
    toContextKey(roots, ['x', 'y'], { ...context, tools: ['a'] }),
    toContextKey(roots, ['x', 'y'], { ...context, tools: ['a,b'] }),
    toContextKey(roots, ['x', 'y'], { ...context, toolsets: ['s'] }),
    toContextKey(roots, ['x', 'y'], { ...context, platform: 'telegram' }),
  ];
  assert.equal(new Set([key, ...others]).size, others.length + 1);
});

test('calls at the same time agree', async () => {
  const home = tempHome();
  put(join(home, 'skills'), { 'a/one/SKILL.md': named('one'), 'b/two/SKILL.md': named('two') });
  const catalog = catalogIn(home);
  const listings = await Promise.all(Array.from({ length: 5 }, () => catalog.all()));
  for (const listing of listings) assert.deepEqual(names(listing), ['one', 'two']);
});

test('two hundred skills are listed, kept and refreshed', async () => {
  const home = tempHome();
  const number = (n: number) => String(n).padStart(3, '0');
  for (let n = 0; n < 200; n++)
    put(join(home, 'skills'), { [`c${Math.floor(n / 20)}/s${number(n)}/SKILL.md`]: named(`s${number(n)}`, 'd'.repeat(200)) });
  age(join(home, 'skills'));
  const expected = Array.from({ length: 200 }, (_, n) => `s${number(n)}`);
  const first = await catalogIn(home).shown(CONTEXT);
  const second = await catalogIn(home).shown(CONTEXT);
  assert.deepEqual(names(first), expected);
  assert.deepEqual(second, first);
  const text = renderSkillIndex(first);
  assert.equal(text, renderSkillIndex(second));
  assert.equal(text.split('\n').filter((line) => /^ {2}- s\d{3}: d{57}\.\.\.$/.test(line)).length, 200);
  appendFileSync(join(home, 'skills/c3/s077/SKILL.md'), 'more');
  assert.deepEqual(names(await catalogIn(home).all()), expected);
});
