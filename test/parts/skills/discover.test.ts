import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveRoots } from '../../../src/parts/skills/catalog/roots.ts';
import { catalogIn, lines, named, names, problemsIn, put, skillText, tempHome } from './catalog-setup.ts';

test('skills are found at every level and know their category', async () => {
  const home = tempHome();
  put(join(home, 'skills'), {
    'alone/SKILL.md': named('alone'),
    'placed/SKILL.md': skillText('name: placed\ndescription: d\nmetadata:\n  hermes:\n    category: by-head'),
    'data/csv/SKILL.md': skillText('name: csv\ndescription: d\nmetadata:\n  hermes:\n    category: by-head'),
    'ml/train/lora/SKILL.md': named('lora'),
    'ml/train/deep/er/SKILL.md': named('er'),
    'data/DESCRIPTION.md': 'Tables.',
    'ml/train/DESCRIPTION.md': skillText('description: Training'),
    'data/csv/DESCRIPTION.md': 'not a category',
    'data/csv/examples/inner/SKILL.md': named('inner'),
    '.archive/old/SKILL.md': named('old'),
    'data/.hidden/SKILL.md': named('hidden'),
    'data/node_modules/pkg/SKILL.md': named('pkg'),
    'data/readme.md': 'no skill',
  });
  const listing = await catalogIn(home).all();
  assert.deepEqual(lines(listing), [
    'by-head/placed: d',
    'data/csv: d',
    'general/alone: about alone',
    'ml/train/lora: about lora',
    'ml/train/deep/er: about er',
  ]);
  assert.deepEqual(listing.categories, { data: 'Tables.', 'ml/train': 'Training' });
  assert.deepEqual(listing.problems, []);
  assert.deepEqual(listing.skills[2], {
    name: 'alone',
    description: 'about alone',
    category: 'general',
    folder: join(home, 'skills', 'alone'),
    origin: 'user',
    platforms: [],
    conditions: { requiresTools: [], requiresToolsets: [], fallbackForTools: [], fallbackForToolsets: [] },
    tags: [],
    related: [],
  });
});

test('linked folders are followed once and loops end; a folder keeps its own name', async () => {
  const home = tempHome();
  const skills = join(home, 'skills');
  put(home, { 'skills/zoo/cat/SKILL.md': named('cat'), 'elsewhere/dog/SKILL.md': named('dog'), 'file.txt': '' });
  symlinkSync('zoo', join(skills, 'aaa'));
  symlinkSync(skills, join(skills, 'zoo', 'round'));
  symlinkSync('..', join(skills, 'zoo', 'up'));
  symlinkSync(join(home, 'elsewhere'), join(skills, 'linked'));
  symlinkSync(join(home, 'elsewhere'), join(skills, 'linked-too'));
  symlinkSync(join(skills, 'linked'), join(home, 'elsewhere', 'back'));
  symlinkSync(join(home, 'file.txt'), join(skills, 'a-file'));
  symlinkSync(join(home, 'nowhere'), join(skills, 'dangling'));
  const listing = await catalogIn(home).all();
  assert.deepEqual(lines(listing), ['linked/dog: about dog', 'zoo/cat: about cat']);
  assert.deepEqual(listing.problems, []);
  symlinkSync('itself', join(skills, 'itself'));
  assert.match(problemsIn(skills, await catalogIn(home).all()).join('\n'), /^itself: it could not be searched \(ELOOP/);
});

test('what cannot be used is told in one line each, and the rest goes on', async () => {
  const home = tempHome();
  const skills = join(home, 'skills');
  put(skills, {
    'a/good/SKILL.md': named('good'),
    'a/broken/SKILL.md': '---\nname: [\n---\n',
    'a/binary/SKILL.md': Buffer.from([1, 0, 2]),
    'a/latin/SKILL.md': Buffer.from([0x63, 0xe9]),
    'a/huge/SKILL.md': 'x'.repeat(1024 * 1024 + 1),
    'a/twin/SKILL.md': named('good'),
    'b/good/SKILL.md': named('good'),
    'b/DESCRIPTION.md': Buffer.from([0]),
    'SKILL.md': named('stray'),
    'deep/1/2/3/4/5/SKILL.md': named('too-deep'),
  });
  mkdirSync(join(skills, 'a/folder/SKILL.md'), { recursive: true });
  mkdirSync(join(skills, 'a/gone'));
  symlinkSync('nowhere', join(skills, 'a/gone/SKILL.md'));
  const told: string[] = [];
  const catalog = catalogIn(home, { notice: (line) => told.push(line) });
  const listing = await catalog.all();
  assert.deepEqual(lines(listing), ['a/good: about good']);
  const expected = [
    /^deep\/1\/2\/3\/4: folders more than 5 levels deep/,
    /^SKILL\.md: it is directly in the skills folder/,
    /^a\/binary\/SKILL\.md: it could not be read \(it is binary\)/,
    /^a\/broken\/SKILL\.md: its head is not valid YAML/,
    /^a\/folder\/SKILL\.md: it could not be read \(it is not a plain file\)/,
    /^a\/gone\/SKILL\.md: it could not be read \(ENOENT/,
    /^a\/huge\/SKILL\.md: it could not be read \(it has 1048577 bytes/,
    /^a\/latin\/SKILL\.md: it could not be read \(it is not UTF-8 text\)/,
    /^a\/twin\/SKILL\.md: the name "good" already belongs to a\/good\/SKILL\.md/,
    /^b\/DESCRIPTION\.md: it could not be read \(it is binary\)/,
    /^b\/good\/SKILL\.md: the name "good" already belongs to a\/good\/SKILL\.md/,
  ];
  const problems = problemsIn(skills, listing);
  assert.equal(problems.length, expected.length, problems.join('\n'));
  for (const [index, pattern] of expected.entries()) assert.match(problems[index] ?? '', pattern);
  await catalog.all();
  assert.equal(told.length, expected.length, 'each is told once');
});

test('what lies out of reach is told, and seen again as soon as it is within', async (t) => {
  if (process.getuid?.() === 0) return t.skip('the superuser may read everything, so nothing is out of reach');
  const home = tempHome();
  put(join(home, 'skills'), { 'a/one/SKILL.md': named('one'), 'b/two/SKILL.md': named('two'), 'c/three/SKILL.md': named('three') });
  chmodSync(join(home, 'skills/a/one/SKILL.md'), 0);
  chmodSync(join(home, 'skills/b'), 0);
  const catalog = catalogIn(home);
  const closed = await catalog.all();
  chmodSync(join(home, 'skills/a/one/SKILL.md'), 0o600);
  chmodSync(join(home, 'skills/b'), 0o700);
  assert.deepEqual(names(closed), ['three']);
  assert.match(
    problemsIn(home, closed).join('\n'),
    /skills\/b: it could not be searched \(EACCES[^\n]*\n[^\n]*one\/SKILL\.md: it could not be read \(EACCES/,
  );
  const open = await catalog.all();
  assert.deepEqual([names(open), open.problems], [['one', 'two', 'three'], []]);
});

test('a folder with too many folders is looked through to a bound', async () => {
  const home = tempHome();
  for (let n = 0; n < 4_010; n++) mkdirSync(join(home, 'big', `f${n}`), { recursive: true });
  put(home, { 'big/a/SKILL.md': named('early'), 'big/z/SKILL.md': named('late') });
  const listing = await catalogIn(home, { externalDirs: [join(home, 'big')] }).all();
  assert.deepEqual(names(listing), ['early']);
  assert.match(listing.problems[0]?.words ?? '', /only the first 4000 folders/);
  assert.equal(listing.problems.length, 1);
});

test('a user skill beats a bundled one, which beats an external one; the first external folder wins', async () => {
  const home = tempHome();
  put(home, {
    'skills/x/everywhere/SKILL.md': named('everywhere', 'user'),
    'bundled/y/everywhere/SKILL.md': named('everywhere', 'bundled'),
    'bundled/y/shipped/SKILL.md': named('shipped', 'bundled'),
    'bundled/y/DESCRIPTION.md': 'of the bundle',
    'out1/y/shipped/SKILL.md': named('shipped', 'external'),
    'out1/y/foreign/SKILL.md': named('foreign', 'first'),
    'out1/y/DESCRIPTION.md': 'of the first',
    'out2/foreign/SKILL.md': named('foreign', 'second'),
    'out2/DESCRIPTION.md': 'Without a category',
  });
  const catalog = catalogIn(home, { bundledDir: join(home, 'bundled'), externalDirs: ['out1', join(home, 'none'), join(home, 'out2')] });
  const listing = await catalog.all();
  assert.deepEqual(
    listing.skills.map(({ name, origin, description, category }) => [name, origin, description, category]),
    [
      ['everywhere', 'user', 'user', 'x'],
      ['foreign', 'external', 'first', 'y'],
      ['shipped', 'bundled', 'bundled', 'y'],
    ],
  );
  assert.deepEqual(listing.categories, { y: 'of the bundle', general: 'Without a category' });
  assert.deepEqual(listing.problems, []);
  assert.equal((await catalog.find('shipped'))?.origin, 'bundled');
  assert.equal(await catalog.find('nobody'), undefined);
  // The next in line steps in when the first is gone.
  renameSync(join(home, 'skills/x'), join(home, 'skills/.x'));
  assert.equal((await catalog.find('everywhere'))?.origin, 'bundled');
});

test('external folders are written with ~ and variables', async () => {
  const env = { HOME: '/home/me', TEAM: '/srv/team', EMPTY: '' };
  const externalDirs = ['~/skills', '${TEAM}/a/${TEAM}', 'beside', '~other/x', '${EMPTY}/x', '${NOT_SET}', ' ', '$TEAM/literal'];
  const { roots, problems } = resolveRoots({ userDir: '/h/skills', bundledDir: '/b', externalDirs, env });
  assert.deepEqual(
    roots.map(({ origin, path }) => `${origin} ${path}`),
    [
      'user /h/skills',
      'bundled /b',
      'external /home/me/skills',
      'external /srv/team/a/srv/team',
      'external /h/beside',
      'external /h/~other/x',
      'external /h/$TEAM/literal',
    ],
  );
  assert.deepEqual(
    problems.map(({ words }) => /\$\{\w+\}/.exec(words)?.[0]),
    ['${EMPTY}', '${NOT_SET}'],
  );
  const home = tempHome();
  writeFileSync(join(home, 'plain'), '');
  const listing = await catalogIn(home, { externalDirs: ['plain', '${NOT_SET}'], env: {} }).all();
  assert.deepEqual(
    listing.problems.map(({ words }) => words.slice(0, 30)),
    ['skills.external_dirs names ${N', 'it is not a folder'],
  );
  assert.deepEqual(readdirSync(home), ['.skills_prompt_snapshot.json', 'plain']);
});
