import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { SNAPSHOT_VERSION } from '../../../src/parts/skills/catalog/snapshot.ts';
import { age, catalogIn, lines, named, problemsIn, put, skillText, snapshotIn, tempHome } from './catalog-setup.ts';

/** A home whose skills are older than a moment, with its snapshot written. */
async function settledHome(): Promise<string> {
  const home = tempHome();
  put(join(home, 'skills'), {
    'a/one/SKILL.md': skillText('name: one\ndescription: first\nversion: "2"\nplatforms: linux\nmetadata:\n  hermes:\n    tags: [t]'),
    'a/sub/two/SKILL.md': named('two', 'second'),
    'a/DESCRIPTION.md': 'The a things',
    'b/three/SKILL.md': named('three', 'third'),
    'b/bad/SKILL.md': '---\nname: [\n---\n',
    'alone/SKILL.md': named('alone', 'fourth'),
  });
  age(join(home, 'skills'));
  await catalogIn(home).all();
  return home;
}
const SETTLED = ['a/one: first', 'a/sub/two: second', 'b/three: third', 'general/alone: fourth'];

/** Other words of the same length under the same time: only one who reads the file can tell. */
function rewriteUnseen(path: string, text: string): void {
  const { atimeNs, mtimeNs, size } = statSync(path, { bigint: true });
  writeFileSync(path, text.padEnd(Number(size), '\n').slice(0, Number(size)));
  utimesSync(path, Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9);
  assert.equal(statSync(path, { bigint: true }).mtimeNs, mtimeNs, 'the test could not put the time back');
}

test('a snapshot outlives the process: the next catalog reads no file that has not changed', async () => {
  const home = await settledHome();
  const first = await catalogIn(home).all();
  rewriteUnseen(join(home, 'skills/a/one/SKILL.md'), named('other', 'x'));
  rewriteUnseen(join(home, 'skills/a/DESCRIPTION.md'), 'Other');
  assert.deepEqual(await catalogIn(home).all(), first);
  assert.deepEqual(lines(first), SETTLED);
  assert.equal(first.problems.length, 1);
  rmSync(snapshotIn(home));
  assert.deepEqual(lines(await catalogIn(home).all())[1], 'a/sub/two: second');
  assert.equal(await catalogIn(home).find('one'), undefined, 'without the snapshot the file is read');
});

test('roots that lie inside each other list every skill once and share one snapshot', async () => {
  const home = await settledHome();
  const options = { bundledDir: join(home, 'skills'), externalDirs: [join(home, 'skills/a')] };
  const first = await catalogIn(home, options).all();
  assert.deepEqual(lines(first), SETTLED);
  rewriteUnseen(join(home, 'skills/a/one/SKILL.md'), named('other', 'x'));
  const catalog = catalogIn(home, options);
  assert.deepEqual(await catalog.all(), first);
  assert.equal(await catalog.all(), await catalog.all());
});

test('a fresh process with a snapshot loads no yaml and reads none of the files', async () => {
  const home = await settledHome();
  const list = join(home, 'loaded.json');
  const script = `const { createSkillCatalog } = await import(${JSON.stringify(resolve('src/parts/skills/catalog/catalog.ts'))});
    const listing = await createSkillCatalog({ userDir: ${JSON.stringify(join(home, 'skills'))}, snapshotFile: ${JSON.stringify(snapshotIn(home))}, os: 'linux' }).all();
    console.log(JSON.stringify(listing));`;
  const run = () => {
    const said = execFileSync(
      process.execPath,
      ['--require', resolve('test/loaded-modules.cjs'), '--input-type=module', '--eval', script],
      {
        encoding: 'utf8',
        env: { ...process.env, LOADED_MODULES: list },
      },
    );
    const { files } = JSON.parse(readFileSync(list, 'utf8')) as { files: string[] };
    return { said, yaml: files.some((file) => file.includes('/node_modules/yaml/')) };
  };
  const warm = run();
  assert.equal(warm.yaml, false);
  appendFileSync(join(home, 'skills/a/one/SKILL.md'), 'more');
  const changed = run();
  assert.equal(changed.yaml, false, 'a plain head takes no yaml');
  assert.equal(changed.said, warm.said);
  const path = join(home, 'skills/a/one/SKILL.md');
  writeFileSync(path, readFileSync(path, 'utf8').replace('description: ', 'description: >\n  '));
  const folded = run();
  assert.equal(folded.yaml, true, 'the same program loads yaml when a head takes it');
  assert.equal(folded.said, warm.said);
});

const CHANGES: Readonly<Record<string, readonly [change: (skills: string) => void, expected: readonly string[]]>> = {
  'other words of the same length': [
    (skills) => {
      const path = join(skills, 'a/one/SKILL.md');
      writeFileSync(path, readFileSync(path, 'utf8').replace('first', 'FIRST'));
    },
    ['a/one: FIRST', ...SETTLED.slice(1)],
  ],
  'other words of the same length, with a time in the past': [
    (skills) => {
      const path = join(skills, 'a/one/SKILL.md');
      writeFileSync(path, readFileSync(path, 'utf8').replace('first', 'FIRST'));
      utimesSync(path, 1_000_000, 1_000_000);
    },
    ['a/one: FIRST', ...SETTLED.slice(1)],
  ],
  'a file put in the place of another with the same size and time': [
    (skills) => {
      const path = join(skills, 'a/one/SKILL.md');
      const { atimeMs, mtimeMs } = statSync(path);
      writeFileSync(join(skills, 'new'), readFileSync(path, 'utf8').replace('first', 'FIRST'));
      utimesSync(join(skills, 'new'), atimeMs / 1000, mtimeMs / 1000);
      renameSync(join(skills, 'new'), path);
    },
    ['a/one: FIRST', ...SETTLED.slice(1)],
  ],
  'a skill added': [
    (skills) => put(skills, { 'b/four/SKILL.md': named('four', 'new') }),
    [...SETTLED.slice(0, 2), 'b/four: new', ...SETTLED.slice(2)],
  ],
  'a skill added by renaming a folder into place': [
    (skills) => {
      put(skills, { '.staged/SKILL.md': named('four', 'new') });
      age(join(skills, '.staged'));
      renameSync(join(skills, '.staged'), join(skills, 'b/four'));
    },
    [...SETTLED.slice(0, 2), 'b/four: new', ...SETTLED.slice(2)],
  ],
  'a SKILL.md written into a folder that was there': [
    (skills) => put(skills, { 'a/sub/SKILL.md': named('sub', 'now a skill') }),
    ['a/one: first', 'a/sub: now a skill', ...SETTLED.slice(2)],
  ],
  'a SKILL.md removed': [(skills) => unlinkSync(join(skills, 'b/three/SKILL.md')), [...SETTLED.slice(0, 2), ...SETTLED.slice(3)]],
  'a skill removed': [(skills) => rmSync(join(skills, 'a/one'), { recursive: true }), SETTLED.slice(1)],
  'a category removed': [(skills) => rmSync(join(skills, 'a'), { recursive: true }), SETTLED.slice(2)],
  'a category renamed': [
    (skills) => renameSync(join(skills, 'b'), join(skills, 'c')),
    [...SETTLED.slice(0, 2), 'c/three: third', 'general/alone: fourth'],
  ],
  'a skill moved to a deeper category': [
    (skills) => renameSync(join(skills, 'b/three'), join(skills, 'a/sub/three')),
    ['a/one: first', 'a/sub/three: third', 'a/sub/two: second', 'general/alone: fourth'],
  ],
  'two folders changing names': [
    (skills) => {
      renameSync(join(skills, 'a/one'), join(skills, 'x'));
      renameSync(join(skills, 'b/three'), join(skills, 'a/one'));
      renameSync(join(skills, 'x'), join(skills, 'b/three'));
    },
    ['a/three: third', 'a/sub/two: second', 'b/one: first', 'general/alone: fourth'],
  ],
  'a new category': [(skills) => put(skills, { 'new/sub/x/SKILL.md': named('x', 'y') }), [...SETTLED, 'new/sub/x: y']],
  'a linked category': [
    (skills) => {
      put(skills, { '../out/x/SKILL.md': named('x', 'y') });
      symlinkSync('../out', join(skills, 'linked'));
    },
    [...SETTLED, 'linked/x: y'],
  ],
  'all gone': [(skills) => rmSync(skills, { recursive: true }), []],
};
for (const [what, [change, expected]] of Object.entries(CHANGES))
  test(`seen at the next call, here and in another process: ${what}`, async () => {
    const home = await settledHome();
    const here = catalogIn(home);
    assert.deepEqual(lines(await here.all()), SETTLED);
    change(join(home, 'skills'));
    assert.deepEqual(lines(await here.all()), expected);
    assert.deepEqual(lines(await catalogIn(home).all()), expected);
  });

test('seen at the next call: descriptions of categories added, changed and removed, and mended heads', async () => {
  const home = await settledHome();
  const skills = join(home, 'skills');
  const here = catalogIn(home);
  const both = async () => {
    const mine = await here.all();
    assert.deepEqual(await catalogIn(home).all(), mine);
    return mine;
  };
  assert.deepEqual((await both()).categories, { a: 'The a things' });
  put(skills, { 'b/DESCRIPTION.md': 'The b things', 'a/sub/DESCRIPTION.md': 'Below' });
  assert.deepEqual((await both()).categories, { a: 'The a things', 'a/sub': 'Below', b: 'The b things' });
  put(skills, { 'b/DESCRIPTION.md': 'The B things' });
  unlinkSync(join(skills, 'a/DESCRIPTION.md'));
  assert.deepEqual((await both()).categories, { 'a/sub': 'Below', b: 'The B things' });
  put(skills, { 'b/bad/SKILL.md': named('mended') });
  assert.deepEqual(problemsIn(home, await both()), []);
  assert.ok(await here.find('mended'));
  put(skills, { 'b/bad/SKILL.md': '---\n- x\n---\n' });
  assert.match(problemsIn(home, await both()).join(), /^skills\/b\/bad\/SKILL\.md: its head is not a table/);
});

test('a time that is not yet past is never trusted: changes within one tick of the clock are all seen', async () => {
  // A minute ahead stands for now, so that a slow machine cannot let it pass.
  const tick = Math.floor(Date.now() / 1000) + 60;
  const home = await settledHome();
  const skills = join(home, 'skills');
  const here = catalogIn(home);
  for (let n = 1; n <= 3; n++) {
    // In one folder only the file has a young time, in the other only the folder.
    writeFileSync(join(skills, 'a/one/SKILL.md'), named('one', `v${n}`));
    utimesSync(join(skills, 'a/one/SKILL.md'), tick, tick);
    put(skills, { [`b/n${n}/SKILL.md`]: named(`n${n}`) });
    utimesSync(join(skills, 'b'), tick, tick);
    for (const catalog of [here, catalogIn(home)]) {
      assert.equal((await catalog.find('one'))?.description, `v${n}`);
      assert.ok(await catalog.find(`n${n}`));
    }
  }
});

test('folders with files of the same size and time changing names are told apart', async () => {
  const home = tempHome();
  const skills = join(home, 'skills');
  put(skills, { 'a/one/SKILL.md': named('one', 'x'), 'a/two/SKILL.md': named('two', 'y') });
  age(skills);
  const here = catalogIn(home);
  const folderOf = async () =>
    [(await here.find('one'))?.folder, (await catalogIn(home).find('one'))?.folder].map((path) => path?.slice(-3));
  assert.deepEqual(await folderOf(), ['one', 'one']);
  renameSync(join(skills, 'a/one'), join(skills, 'a/x'));
  renameSync(join(skills, 'a/two'), join(skills, 'a/one'));
  renameSync(join(skills, 'a/x'), join(skills, 'a/two'));
  assert.deepEqual(await folderOf(), ['two', 'two']);
});

const SPOILED: Readonly<Record<string, (text: string) => string>> = {
  'broken JSON': (text) => text.slice(0, -20),
  'an empty file': () => '',
  'another kind of JSON': () => '[]',
  'another version': (text) => text.replace(`"version":${SNAPSHOT_VERSION}`, '"version":999'),
  'other roots': (text) => text.replace('"user:', '"user:/elsewhere'),
  'more roots': (text) => text.replace('"roots":[', '"roots":["bundled:/b",'),
  'a stamp of another kind': (text) => text.replace(/"manifest":\{("[^"]+"):\[[^\]]+\]/, '"manifest":{$1:7'),
  'a row too few': (text) => text.replace(/"contents":\[\[.*?\],/, '"contents":['),
  'a row too many': (text) => text.replace('"contents":[', '"contents":[[""],'),
  'a head without its lists': (text) => text.replace('"","first","one","2"', '"","first","one"'),
  'a head of another kind': (text) => text.replace('"","first","one","2"', '"",{"x":1},"one","2"'),
  'folders of another kind': (text) => text.replace(/"folders":.*$/, '"folders":{"a":1}}'),
  'a folder row of another kind': (text) => text.replace(/"folders":\[\[/, '"folders":[["x"],['),
};
for (const [what, spoil] of Object.entries(SPOILED))
  test(`a snapshot that will not do is ignored and written anew: ${what}`, async () => {
    const home = await settledHome();
    const good = readFileSync(snapshotIn(home), 'utf8');
    assert.notEqual(spoil(good), good, 'the test spoiled nothing');
    // Were a lie believed, these words would not be seen.
    rewriteUnseen(join(home, 'skills/b/three/SKILL.md'), named('three', 'THIRD'));
    writeFileSync(snapshotIn(home), spoil(good));
    assert.deepEqual(lines(await catalogIn(home).all()), SETTLED.with(2, 'b/three: THIRD'));
    assert.equal(readFileSync(snapshotIn(home), 'utf8'), good.replace('"third"', '"THIRD"'));
  });

test('the snapshot has a version and a manifest of times and sizes, is for its owner only, and is left alone when nothing changed', async () => {
  const home = await settledHome();
  const kept = JSON.parse(readFileSync(snapshotIn(home), 'utf8')) as { version: number; manifest: Record<string, unknown> };
  const path = join(home, 'skills/a/DESCRIPTION.md');
  const { mtimeNs, size } = statSync(path, { bigint: true });
  assert.equal(kept.version, SNAPSHOT_VERSION);
  assert.equal(Object.keys(kept.manifest).length, 6);
  assert.deepEqual(kept.manifest[path], [String(mtimeNs), Number(size)]);
  const before = statSync(snapshotIn(home), { bigint: true });
  assert.equal(before.mode & 0o777n, 0o600n);
  await catalogIn(home).all();
  assert.deepEqual([statSync(snapshotIn(home), { bigint: true }).ino, readdirSync(home).length], [before.ino, 2]);
});

test('a snapshot that cannot be written or read is no failure', async () => {
  const home = await settledHome();
  mkdirSync(join(home, 'folder'));
  writeFileSync(join(home, 'file'), '');
  for (const snapshotFile of [join(home, 'folder'), join(home, 'file/inside'), '/proc/nothing/here', undefined])
    for (const turn of [1, 2]) assert.deepEqual(lines(await catalogIn(home, { snapshotFile }).all()), SETTLED, `${snapshotFile} ${turn}`);
  assert.deepEqual(readdirSync(join(home, 'folder')), []);
});

test('a home without skills has an empty listing, and sees the first skill at once', async () => {
  const home = join(tempHome(), 'not-yet');
  const here = catalogIn(home);
  assert.deepEqual(await here.all(), { skills: [], categories: {}, problems: [] });
  put(join(home, 'skills'), { 'a/one/SKILL.md': named('one') });
  assert.deepEqual(lines(await here.all()), ['a/one: about one']);
  assert.ok(existsSync(snapshotIn(home)));
});

test('a skill whose own folders change is not read again into something else', async () => {
  const home = await settledHome();
  const here = catalogIn(home);
  const before = await here.all();
  put(join(home, 'skills'), { 'a/one/scripts/run.sh': 'echo', 'a/one/notes.md': 'x' });
  chmodSync(join(home, 'skills/a/one/scripts/run.sh'), 0o755);
  assert.deepEqual(await here.all(), before);
});
