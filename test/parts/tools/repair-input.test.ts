import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../src/contracts/message.ts';
import { repairInput } from '../../../src/parts/tools/repair-input.ts';

const REFUSED = Symbol('refused');
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** What a schema makes of a value. */
const COERCIONS: readonly [what: string, schema: JsonObject, value: Json, result: Json | typeof REFUSED][] = [
  ['numeric text for an integer', { type: 'integer' }, '42', 42],
  ['an integral float in text', { type: 'integer' }, '42.0', 42],
  ['decimals for an integer', { type: 'integer' }, '4.2', REFUSED],
  ['a real decimal for an integer', { type: 'integer' }, 4.2, REFUSED],
  ['decimals for a number', { type: 'number' }, '4.2', 4.2],
  ['infinity', { type: 'number' }, 'Infinity', REFUSED],
  ['not a number', { type: 'number' }, 'NaN', REFUSED],
  ['empty text for a number', { type: 'number' }, ' ', REFUSED],
  ['true in text', { type: 'boolean' }, 'true', true],
  ['false in text', { type: 'boolean' }, 'false', false],
  ['other words for a boolean', { type: 'boolean' }, 'yes', REFUSED],
  ['a number for a boolean', { type: 'boolean' }, 1, REFUSED],
  ['JSON text for a list', list({ type: 'integer' }), '[1, "2"]', [1, 2]],
  ['a bare value for a list', list({ type: 'string' }), 'one', ['one']],
  ['a bare number for a list of text', list({ type: 'string' }), 7, ['7']],
  ['JSON text for an object', { type: 'object', properties: { a: { type: 'integer' } } }, '{"a":"1"}', { a: 1 }],
  ['other text for an object', { type: 'object' }, 'a=1', REFUSED],
  ['JSON text stays text where text is wanted', { type: 'string' }, '[1]', '[1]'],
  ['a number for text', { type: 'string' }, 5, '5'],
  ['null in text where null is allowed', { type: ['string', 'null'] }, 'null', null],
  ['null in text for nullable', { type: 'integer', nullable: true }, 'null', null],
  ['null in text for anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'null', null],
  ['null in text where it is not', { type: 'string' }, 'null', 'null'],
  ['the first type of a union that fits', { type: ['integer', 'boolean'] }, 'true', true],
  ['anyOf by form', { anyOf: [{ type: 'integer' }, list({ type: 'string' })] }, '["a"]', ['a']],
  ['anyOf that nothing fits', { oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'x', REFUSED],
  ['no type at all', {}, 'x', 'x'],
  ['nested lists of objects', list({ type: 'object', properties: { n: { type: 'integer' } } }), '[{"n":"3"}]', [{ n: 3 }]],
];

test('values are fitted to their schema where the intent is plain', () => {
  for (const [what, schema, value, result] of COERCIONS) {
    const repaired = repairInput({ type: 'object', properties: { it: schema }, required: ['it'] }, { it: value });
    if (result === REFUSED) assert.equal(repaired.ok, false, what);
    else assert.deepEqual(repaired, { ok: true, input: { it: result } }, what);
  }
});

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    mode: { type: 'string', enum: ['a', 'b'] },
    tags: { ...list({ type: 'string' }), maxItems: 2 },
  },
  required: ['path'],
  additionalProperties: false,
};

test('null for an optional parameter means: not given', () => {
  assert.deepEqual(repairInput(SCHEMA, { path: 'x', count: null }), { ok: true, input: { path: 'x' } });
});

test('arguments that came as text are read', () => {
  assert.deepEqual(repairInput(SCHEMA, '{"path":"x"}'), { ok: true, input: { path: 'x' } });
  assert.deepEqual(repairInput(SCHEMA, 'nonsense'), {
    ok: false,
    problems: ['the arguments must be object, not "nonsense"', 'the arguments must be an object'],
  });
});

test('every problem is named at once', () => {
  assert.deepEqual(repairInput(SCHEMA, { count: 12, mode: 'c', tags: ['1', '2', '3'], extra: 1 }), {
    ok: false,
    problems: [
      'count must be at most 9',
      'mode must be one of a, b',
      'tags takes at most 2 items',
      'extra is not a parameter (there are: path, count, mode, tags)',
      'path is missing',
    ],
  });
  assert.deepEqual(repairInput(SCHEMA, { path: null, count: 0 }), {
    ok: false,
    problems: ['path must be string, not null', 'count must be at least 1'],
  });
});

test('a list of words may come as a list of labelled things; a text may not', () => {
  const schema = { type: 'object', properties: { choices: { type: 'array', items: { type: 'string' } }, content: { type: 'string' } } };
  const choices = ['a', { label: 'b', description: 'more' }, { description: 'c' }, { text: 'd' }, { title: 'e', label: ' ' }];
  assert.deepEqual(repairInput(schema, { choices }), { ok: true, input: { choices: ['a', 'b', 'c', 'd', 'e'] } });
  assert.equal(repairInput(schema, { choices: [{ other: 'x' }] }).ok, false);
  assert.equal(repairInput(schema, { content: { title: 'x' } }).ok, false);
});
