import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../src/base/json-types.ts';
import { createLineSplitter } from '../../../src/parts/mcp/lines.ts';
import { readTools, withoutProse } from '../../../src/parts/mcp/remote-tools.ts';

const read = (tool: Json) => readTools({ tools: [tool] })[0];

test('what is no tool is left out; hints count only when they are plainly true', () => {
  const tools = readTools({
    tools: [
      7,
      {},
      { name: '' },
      { name: 'x'.repeat(300) },
      { name: 'task', execution: { taskSupport: 'required' } },
      { name: 'a', annotations: { readOnlyHint: 'true', idempotentHint: 1 } },
      { name: 'b', title: 'B', annotations: { readOnlyHint: true, idempotentHint: true } },
    ],
  });
  assert.deepEqual(tools, [
    { name: 'a', description: '', input: { type: 'object', properties: {} }, readOnly: false, idempotent: false, outward: true },
    { name: 'b', description: 'B', input: { type: 'object', properties: {} }, readOnly: true, idempotent: true, outward: false },
  ]);
  for (const page of [undefined, null, [], { tools: 'x' }]) assert.deepEqual(readTools(page), []);
});

test('a schema is an object whatever came, in a form every provider takes', () => {
  const schema = { $schema: 'x', type: 'object', properties: { a: { type: 'string' } }, required: ['a'], anyOf: [{ required: ['a'] }] };
  assert.deepEqual(read({ name: 'x', inputSchema: schema })?.input, {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  });
  for (const inputSchema of [undefined, null, [], 'x', { type: 'array' }, { type: 'object', properties: 7 }])
    assert.deepEqual(read({ name: 'x', ...(inputSchema !== undefined && { inputSchema }) })?.input, { type: 'object', properties: {} });
});

/** What a stranger writes for a parameter, and what of it reaches a provider. */
const PARAMETERS: readonly (readonly [written: Json, kept: Json])[] = [
  [true, {}],
  [7, {}],
  [{ type: 7, description: 3 }, {}],
  [{ type: 'file' }, {}],
  [
    { type: ['string', 'null', 'x'], minLength: -1, maxLength: 9, format: 'uri' },
    { type: ['string', 'null'], maxLength: 9, format: 'uri' },
  ],
  [{ type: 'string', pattern: '(', 'x-secret': 'y', $ref: 'https://evil.example/schema', examples: [] }, { type: 'string' }],
  [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
  [
    { type: 'array', items: true, minItems: 'x', uniqueItems: true },
    { type: 'array', items: {}, uniqueItems: true },
  ],
  [
    { type: 'object', properties: { b: 7 }, required: ['b', 7, 'b'], additionalProperties: false },
    { type: 'object', properties: { b: {} }, required: ['b'], additionalProperties: false },
  ],
  [{ anyOf: [] }, {}],
  [
    { anyOf: [{ type: 'string' }, 7], enum: [], default: { deep: ['x'] } },
    { anyOf: [{ type: 'string' }], default: { deep: ['x'] } },
  ],
];
test('what is no JSON Schema in a parameter is left out, keyword by keyword', () => {
  for (const [written, kept] of PARAMETERS)
    assert.deepEqual(read({ name: 'x', inputSchema: { type: 'object', properties: { a: written } } })?.input, {
      type: 'object',
      properties: { a: kept },
    });
});

test('a schema without bottom is cut off', () => {
  const deep = Array.from({ length: 100_000 }).reduce<Json>((inner) => ({ type: 'object', properties: { a: inner } }), {});
  assert.ok(JSON.stringify(read({ name: 'x', inputSchema: deep })?.input).length < 2_000);
});

test('a schema too large for a prompt loses its prose, then itself', () => {
  const wordy = { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(40_000) } } };
  assert.deepEqual(read({ name: 'x', inputSchema: wordy })?.input, { type: 'object', properties: { a: { type: 'string' } } });
  const wide = { type: 'object', properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`property_${index}`, {}])) };
  assert.deepEqual(read({ name: 'x', inputSchema: wide })?.input, { type: 'object', properties: {} });
});

test('prose goes, names called like prose stay', () => {
  assert.deepEqual(
    withoutProse({
      type: 'object',
      title: 't',
      properties: { description: { type: 'string', description: 'd' }, list: { items: [{ default: 1, enum: ['a'] }] } },
    }),
    { type: 'object', properties: { description: { type: 'string' }, list: { items: [{ enum: ['a'] }] } } },
  );
});

test('lines are whole however they were cut, and none grows without measure', () => {
  const bytes = Buffer.from('one\r\nzwei ü\n\nrest');
  for (let size = 1; size <= bytes.length; size++) {
    const cutter = createLineSplitter(100);
    const lines = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      cutter.add(bytes.subarray(index * size, (index + 1) * size)),
    ).flat();
    assert.deepEqual(lines, ['one', 'zwei ü', '']);
  }
  const cutter = createLineSplitter(4);
  cutter.add(Buffer.from('1234'));
  assert.throws(() => cutter.add(Buffer.from('5')), RangeError);
  assert.deepEqual(cutter.add(Buffer.from('6\n')), ['6']);
});
