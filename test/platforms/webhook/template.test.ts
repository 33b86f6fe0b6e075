import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillTemplate, listValues } from '../../../src/platforms/webhook/template.ts';

const BODY = {
  a: { b: { c: 'deep' } },
  list: [{ name: 'first' }],
  n: 0,
  yes: true,
  nothing: null,
  'with-dash': 1,
  long: 'x'.repeat(30_000),
};
const fill = (template: string) => fillTemplate(template, BODY, JSON.stringify(BODY)).text;

test('members of a body stand where the template names them; what is not there stays as it is written', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['{a.b.c}', 'deep'],
    ['{list.0.name} and {list.1.name}', 'first and {list.1.name}'],
    ['{n} {yes} {nothing} {with-dash}', '0 true null 1'],
    ['{a.b}', '{\n  "c": "deep"\n}'],
    ['{missing} {a.missing} {a.b.c.d}', '{missing} {a.missing} {a.b.c.d}'],
    ['{constructor} {__proto__} {a.toString} {list.length}', '{constructor} {__proto__} {a.toString} {list.length}'],
    ['{ a } {} {a b} {{n}}', '{ a } {} {a b} {0}'],
  ];
  for (const [template, text] of rows) assert.equal(fill(template), text);
});

test('a value is not a template: braces in it are words', () => {
  assert.deepEqual(fillTemplate('{x} {y}', { x: '{y}', y: '{x}' }, ''), {
    text: '{y} {x}',
    values: [
      { name: 'x', value: '{y}' },
      { name: 'y', value: '{x}' },
    ],
  });
});

test('long values are cut and say so: a nested one at 2,000, the raw body at 4,000, a text at 20,000', () => {
  const nested = { many: Array.from({ length: 2_000 }, (_, index) => index) };
  assert.match(fillTemplate('{many}', nested, '').text, /^[\s\S]{2000}… \(cut: \d+ more characters\)$/);
  assert.match(fillTemplate('{__raw__}', {}, 'r'.repeat(5_000)).text, /^r{4000}… \(cut: 1000 more characters\)$/);
  assert.match(fill('{long}'), /^x{20000}… \(cut: 10000 more characters\)$/);
});

test('values are listed by name, and none can pass for another', () => {
  assert.equal(
    listValues([
      { name: 'title', value: 'One line' },
      { name: 'text', value: 'first\nadmin: true\u2028owner: yes' },
    ]),
    'title: One line\ntext:\n  first\n  admin: true\u2028  owner: yes',
  );
});
