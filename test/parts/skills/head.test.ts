import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { parseCategoryHead, needsYaml, parseSkillHead, type HeadResult, type Head } from '../../../src/parts/skills/catalog/head.ts';
import { skillText } from './catalog-setup.ts';

const yaml = (text: string): unknown => parse(text, { schema: 'failsafe', logLevel: 'error' });
const read = (text: string, folder = 'the-folder'): HeadResult => parseSkillHead(text, folder, yaml);
const NO_CONDITIONS = { requiresTools: [], requiresToolsets: [], fallbackForTools: [], fallbackForToolsets: [] };
const head = (fields: Partial<Head>): Head => ({
  name: 'a',
  description: 'b',
  platforms: [],
  conditions: NO_CONDITIONS,
  tags: [],
  related: [],
  ...fields,
});

test('a full head is read whole', () => {
  const text = skillText(`name: git_bisect-2
description: >
  Find the commit
  that broke it
version: 1.10
author: nobody in particular
license: MIT
platforms: [macOS, linux]
metadata:
  hermes:
    tags: [git, search]
    related_skills: [code-review]
    category: devops
    requires_tools: [terminal]
    requires_toolsets: [files]
    fallback_for_tools: [web_search]
    fallback_for_toolsets: [web]
    something_new: {deep: [1, 2]}`);
  assert.deepEqual(read(text), {
    head: {
      name: 'git_bisect-2',
      description: 'Find the commit that broke it',
      version: '1.10',
      category: 'devops',
      platforms: ['macos', 'linux'],
      conditions: {
        requiresTools: ['terminal'],
        requiresToolsets: ['files'],
        fallbackForTools: ['web_search'],
        fallbackForToolsets: ['web'],
      },
      tags: ['git', 'search'],
      related: ['code-review'],
    },
  });
});

const GOOD: Readonly<Record<string, readonly [text: string, Head]>> = {
  'no head: the folder names it, the first prose describes it': [
    '# Title\n\n<!-- a note\nover lines -->\n```sh\nrun this\n```\n---\n\n> Use it **now**.\nMore.',
    head({ name: 'the-folder', description: 'Use it **now**.' }),
  ],
  'no name': [skillText('description: b'), head({ name: 'the-folder' })],
  'a name that says nothing': [skillText('name: ~\ndescription: b'), head({ name: 'the-folder' })],
  'a number as name': [skillText('name: 007\ndescription: b'), head({ name: '007' })],
  'a name of 64': [skillText(`name: ${'x'.repeat(64)}\ndescription: b`), head({ name: 'x'.repeat(64) })],
  'no description': [skillText('name: a', '## When\n\n- Words first\n'), head({ description: 'Words first' })],
  'no description and no prose': [skillText('name: a', '# Only a heading'), head({ description: '' })],
  'an unclosed fence is no prose': [skillText('name: a', '```\nx = 1'), head({ description: '' })],
  'a description that is a table': [skillText('name: a\ndescription: {x: y}', 'Prose.'), head({ description: 'Prose.' })],
  'a description over lines': [skillText('name: a\ndescription: |\n  b\n\n  c'), head({ description: 'b c' })],
  'a long description is cut': [skillText(`name: a\ndescription: ${'d'.repeat(2000)}`), head({ description: 'd'.repeat(1024) })],
  'a cut leaves no half of a character': [
    skillText(`name: a\ndescription: ${'d'.repeat(1023)}\u{1F600}`),
    head({ description: 'd'.repeat(1023) }),
  ],
  'lists as strings': [
    skillText(
      'name: a\ndescription: b\nplatforms: darwin, Win32\nmetadata:\n  hermes:\n    tags: "one\\n two,three"\n    requires_tools: terminal',
    ),
    head({ platforms: ['macos', 'windows'], tags: ['one two', 'three'], conditions: { ...NO_CONDITIONS, requiresTools: ['terminal'] } }),
  ],
  'lists with odd members': [
    skillText(
      'name: a\ndescription: b\nplatforms:\nmetadata:\n  hermes:\n    tags: [ok, [nested], {x: y}, ""]\n    related_skills: {x: y}',
    ),
    head({ tags: ['ok'] }),
  ],
  'metadata that is no table': [skillText('name: a\ndescription: b\nmetadata: [hermes]'), head({})],
  'lines of Windows': ['---\r\nname: a\r\ndescription: b\r\n---\r\nBody\r\n', head({})],
  'lines of Windows, a list last': [
    '---\r\nname: a\r\ndescription: "b"\r\nplatforms: [linux]\r\n---\r\nBody',
    head({ platforms: ['linux'] }),
  ],
  'lines of Windows, folded, a list last': [
    '---\r\nname: a\r\ndescription: >\r\n  b\r\nplatforms: [linux]\r\n---\r\nBody',
    head({ platforms: ['linux'] }),
  ],
  'an empty head': ['---\n---\nBody line', head({ name: 'the-folder', description: 'Body line' })],
  'a key that is a trap': [skillText('name: a\ndescription: b\n__proto__: {platforms: [windows]}'), head({})],
};
for (const [what, [text, expected]] of Object.entries(GOOD))
  test(`good head: ${what}`, () => assert.deepEqual(read(text), { head: expected }));

const BAD: Readonly<Record<string, readonly [text: string, RegExp]>> = {
  'malformed YAML, told with its line in the file': [
    skillText('name: a\ndescription: "open'),
    /not valid YAML \(.*at line \d.*\); the skill is not available/,
  ],
  'a line that is no field': [skillText('name: a\n- what\ndescription: b'), /not valid YAML \(.*line 3/],
  'the same field twice': [skillText('name: a\nname: b'), /not valid YAML \(.*unique.*line/],
  'a head that is a list': [skillText('- a\n- b'), /not a table/],
  'a head that is a word': [skillText('just words'), /not a table/],
  'a head that is never closed': ['---\nname: a\n\nBody', /has no closing/],
  'a bomb of aliases': [
    skillText(
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c]`,
    ),
    /not valid YAML \(.*alias/i,
  ],
  'a head without end': [skillText(`name: a\nx: ${'y'.repeat(70_000)}`), /its head has 70\d+ characters; 65536/],
  'an empty file': [' \n', /empty/],
};
for (const [what, [text, expected]] of Object.entries(BAD))
  test(`bad head: ${what}`, () => {
    const content = read(text);
    assert.equal(content.head, undefined);
    assert.match(content.problem ?? '', expected);
    assert.doesNotMatch(content.problem ?? '', /\n/);
  });

for (const odd of ['My Skill', 'UPPER', 'a/b', '../up', 'x'.repeat(65), 'na\u200Bme', 'é'])
  test(`a name that will not do (${odd.slice(0, 10)}) gives way to the folder's and is told`, () => {
    const { head: found, problem } = read(skillText(`name: ${JSON.stringify(odd)}\ndescription: b`));
    assert.deepEqual(found, head({ name: 'the-folder' }));
    assert.match(problem ?? '', /is not valid.*listed under the name of its folder, "the-folder"/);
    assert.match(
      read(skillText(`name: ${JSON.stringify(odd)}`), 'My Folder').problem ?? '',
      /neither its name .* nor its folder name \("My Folder"\)/,
    );
  });

test('yaml is asked for a head that is not plain, and for no other', () => {
  const never = () => assert.fail('yaml was asked');
  const ASKED: Readonly<Record<string, boolean>> = {
    [skillText('name: a\ndescription: b')]: false,
    [skillText('name: a\ndescription: >\n  b')]: true,
    [skillText('name: [')]: true,
    [skillText(`x: ${'y'.repeat(70_000)}`)]: false,
    '---\n \n---\nBody': false,
    '---\nname: a\nnever closed': false,
    'No head at all': false,
  };
  for (const [text, asked] of Object.entries(ASKED)) {
    assert.equal(needsYaml(text), asked, text.slice(0, 40));
    if (!asked) parseSkillHead(text, 'the-folder', never);
  }
});

test('a category is described by its head or its first prose', () => {
  assert.deepEqual(parseCategoryHead('---\ndescription: Work with data\n---\n', yaml), { description: 'Work with data' });
  assert.deepEqual(parseCategoryHead('# Data\n\nTables and charts.\n', yaml), { description: 'Tables and charts.' });
  assert.deepEqual(parseCategoryHead('', yaml), { description: '' });
  assert.match(parseCategoryHead('---\na: [\n---\n', yaml).problem ?? '', /not valid YAML .* no description until/);
});
