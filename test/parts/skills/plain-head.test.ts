import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { splitFrontmatter } from '../../../src/base/frontmatter.ts';
import { parsePlainHead } from '../../../src/parts/skills/catalog/plain-head.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { edited, randomHead } from './random-heads.ts';

const REJECTED = Symbol('rejected');
function yaml(text: string): unknown {
  try {
    return parse(`\n${text}`, { schema: 'failsafe', logLevel: 'error' });
  } catch {
    return REJECTED;
  }
}

/** Says whether it was taken; what is taken must be what `yaml` reads. */
function taken(text: string): boolean {
  const plain = parsePlainHead(text);
  if (plain !== undefined) assert.deepEqual(plain, yaml(text), JSON.stringify(text));
  return plain !== undefined;
}

test('every bundled head is plain', () => {
  const bundled = join(import.meta.dirname, '../../../skills');
  const files = globSync('**/{SKILL,DESCRIPTION}.md', { cwd: bundled });
  const heads = files.map((file) => splitFrontmatter(readFileSync(join(bundled, file), 'utf8')).head);
  assert.ok(heads.filter((head) => head !== undefined).length >= 16, `${files.length} files`);
  const declined = files.filter((_, index) => heads[index] !== undefined && !taken(heads[index]));
  assert.deepEqual(declined, []);
});

const TAKEN: Readonly<Record<string, readonly [text: string, expected: unknown]>> = {
  'scalars stay strings': [
    'a: 1.10\nb: true\nc: ~\nd: 2020-01-01\ne: 0x1f\nf:',
    { a: '1.10', b: 'true', c: '~', d: '2020-01-01', e: '0x1f', f: '' },
  ],
  'quotes are taken off': [`a: " b: #c "\nd: 'e "f" \\g'\nh: ""`, { a: ' b: #c ', d: 'e "f" \\g', h: '' }],
  'marks inside a word': ["a: it's 10% x:y c# [z] {w} & more", { a: "it's 10% x:y c# [z] {w} & more" }],
  'flow lists': [`a: [b, "c, d" , 'e', f g]\nh: []\ni: [ ]`, { a: ['b', 'c, d', 'e', 'f g'], h: [], i: [] }],
  'lists under their key and further in': ['a:\n- b\n- "c"\nd:\n    - e\nf: g', { a: ['b', 'c'], d: ['e'], f: 'g' }],
  'tables in tables': ['a:\n  b:\n    c: d\n    e: [f]\n  g: h\ni:\n   j: k', { a: { b: { c: 'd', e: ['f'] }, g: 'h' }, i: { j: 'k' } }],
  'comments and blank lines': ['# x\na:\n\n# y\n  b: c\n      # z\n\n  d: e  \n', { a: { b: 'c', d: 'e' } }],
  'lines of Windows': ['a: b\r\nc:\r\n  - d\r\n', { a: 'b', c: ['d'] }],
  'other scripts': ['a: 数据 и данные 😀', { a: '数据 и данные 😀' }],
  'names of members of every object': ['constructor: a\ntoString: b', { constructor: 'a', toString: 'b' }],
};
for (const [what, [text, expected]] of Object.entries(TAKEN))
  test(`plain: ${what}`, () => {
    assert.ok(taken(text));
    assert.deepEqual(parsePlainHead(text), expected);
  });

const DECLINED = [
  '',
  '# only a comment',
  'word',
  '- a',
  ' a: b',
  '\ta: b',
  '---\na: b',
  'a: b\n...',
  '__proto__: a',
  '<<: a',
  '"a": b',
  '? a',
  'a : b',
  'a: &b c',
  'a: *b',
  'a: !b c',
  'a: |\n  b',
  'a: >-\n  b',
  'a: b\n  c',
  'a: "b\n  c"',
  'a: "b\\n"',
  "a: 'b''c'",
  'a: {b: c}',
  'a: {}',
  'a: b\na: c',
  'a:\n  b: c\n  b: d',
  'a: b\tc',
  'a: b: c',
  'a: b #c',
  'a: b:',
  'a: # b',
  'a: @b',
  'a: `b',
  'a: %b',
  'a: -',
  'a: - b',
  'a:\n    b: c\n  d: e',
  'a:\n  b: c\n d: e',
  'a:\n  b: c\n- d',
  'a: b\n- c',
  'a: b\n  c: d',
  'a:\n  -',
  'a:\n  - b: c',
  'a:\n  - - b',
  'a:\n  - b\n    c',
  'a: [',
  'a: [b',
  'a: [b,',
  'a: [b,]',
  'a: [,]',
  'a: [b, [c]]',
  'a: [b: c]',
  'a: [b:]',
  'a: [{}]',
  'a: [b] c',
  'a: [b]]',
  'a: [b,\n  c]',
  'a: ["b":c]',
  'a: b\rc: d',
  'a: b\r',
  'a: b\0',
  'a: b\u0085c',
  'a: b\u3000',
  'a: \u00a0b',
  'a: b\u2028c',
  '\ufeffa: b',
  `${'a'.repeat(65)}: b`,
];
for (const text of DECLINED) test(`not plain: ${JSON.stringify(text)}`, () => assert.equal(parsePlainHead(text), undefined));

/** Each gives two heads: one from the grammar and one with random edits. */
const CASES = 3_000;
test('a random head, well-formed or spoilt, is declined or read as yaml reads it', async () => {
  const count = { cases: 0, plain: 0, spoiltPlain: 0, spoiltRejected: 0 };
  await forAll(CASES, (chance) => {
    const head = randomHead(chance);
    count.cases += 1;
    if (taken(head)) count.plain += 1;
    const spoilt = edited(chance.fork('edits'), head);
    if (taken(spoilt)) count.spoiltPlain += 1;
    else if (yaml(spoilt) === REJECTED) count.spoiltRejected += 1;
  });
  // Were nearly all heads declined, or none malformed, nothing would be proved.
  if (count.cases < CASES) return;
  const told = JSON.stringify(count);
  assert.ok(count.plain > 0.6 * CASES, told);
  assert.ok(count.spoiltPlain > 0.1 * CASES, told);
  assert.ok(count.spoiltRejected > 0.3 * CASES, told);
});
