import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../src/base/json-types.ts';
import { toToolOutput } from '../../../src/parts/mcp/results.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const shown = (result: Json): (string | readonly [string, string])[] =>
  toToolOutput(result, 'mcp server s').content.map((block) => (block.type === 'text' ? block.text : [block.mime, block.data]));

/** What a server answers, and what of it the model gets. */
const ROWS: readonly (readonly [what: string, result: Json, shown: readonly unknown[]])[] = [
  [
    'words',
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    ['a', 'b'],
  ],
  ['letters nobody sees', { content: [{ type: 'text', text: 'a\u{e0041}\u{e0042}b' }] }, ['ab']],
  ['a picture', { content: [{ type: 'image', mimeType: 'image/png', data: PNG }] }, [['image/png', PNG]]],
  ['a picture with a wrong label', { content: [{ type: 'image', mimeType: 'image/jpeg', data: PNG }] }, [['image/png', PNG]]],
  [
    'what is no picture',
    { content: [{ type: 'image', mimeType: 'image/png', data: 'bm90IGEgcGljdHVyZQ==' }] },
    ['[picture, image/png, 15 bytes, left out: it is damaged, too large or of a kind models cannot see]'],
  ],
  [
    'broken base64',
    { content: [{ type: 'image', mimeType: 'image/png', data: `${PNG}!!!!` }] },
    ['[picture, image/png, 21 bytes, left out: it is damaged, too large or of a kind models cannot see]'],
  ],
  ['sound', { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] }, ['[audio, audio/wav, left out]']],
  [
    'a link',
    { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a', description: 'the file', mimeType: 'text/plain' }] },
    ['[resource file:///a: a (the file, text/plain)]'],
  ],
  ['a text resource', { content: [{ type: 'resource', resource: { uri: 'x://1', text: 'inside' } }] }, ['[resource x://1]\ninside']],
  [
    'a picture resource',
    { content: [{ type: 'resource', resource: { uri: 'x://1', mimeType: 'image/png', blob: PNG } }] },
    [['image/png', PNG]],
  ],
  [
    'another resource',
    { content: [{ type: 'resource', resource: { uri: 'x://1', mimeType: 'application/zip', blob: 'AAAA' } }] },
    ['[resource x://1, application/zip, 3 bytes left out]'],
  ],
  ['structured content alone', { content: [], structuredContent: { a: 1 } }, ['{"a":1}']],
  [
    'structured content said twice',
    { content: [{ type: 'text', text: '{ "b": 2, "a": 1 }' }], structuredContent: { a: 1, b: 2 } },
    ['{ "b": 2, "a": 1 }'],
  ],
  [
    'content sent twice, the value wrapped as `result`',
    { content: [{ type: 'text', text: '42' }], structuredContent: { result: 42 } },
    ['42'],
  ],
  [
    'content sent twice, words wrapped as `result`',
    { content: [{ type: 'text', text: 'sunny, 20 degrees' }], structuredContent: { result: 'sunny, 20 degrees' } },
    ['sunny, 20 degrees'],
  ],
  [
    'content sent twice, one text for each item',
    {
      content: [
        { type: 'text', text: '{"id": 1}' },
        { type: 'text', text: '{"id": 2}' },
      ],
      structuredContent: { result: [{ id: 1 }, { id: 2 }] },
    },
    ['{"id": 1}', '{"id": 2}'],
  ],
  [
    'content sent twice, between words',
    { content: [{ type: 'text', text: 'Found:\n{\n  "id": 1\n}' }], structuredContent: { id: 1 } },
    ['Found:\n{\n  "id": 1\n}'],
  ],
  [
    'fewer items in the words than in the structured content',
    { content: [{ type: 'text', text: '{"id":1}' }], structuredContent: { result: [{ id: 1 }, { id: 2 }] } },
    ['{"id":1}', '{"result":[{"id":1},{"id":2}]}'],
  ],
  [
    'structured content beside words',
    { content: [{ type: 'text', text: 'sunny' }], structuredContent: { sky: 'clear' } },
    ['sunny', '{"sky":"clear"}'],
  ],
  ['an unknown kind', { content: [{ type: 'smell' }] }, ['[content of the unknown kind "smell" left out]']],
  ['an old form', { toolResult: { x: 1 } }, ['{"x":1}']],
  ['nothing', {}, ['[no content]']],
  ['nonsense', { content: 'text' }, ['[no content]']],
  ['nonsense inside', { content: [7, null] }, ['[content of the unknown kind "" left out]', '[content of the unknown kind "" left out]']],
];
for (const [what, result, expected] of ROWS) test(`a result with ${what}`, () => assert.deepEqual(shown(result), expected));

test('every result is foreign, and a failure is one', () => {
  const { foreign, failed, content } = toToolOutput(
    {
      content: [
        { type: 'text', text: 'no' },
        { type: 'image', data: PNG },
      ],
      isError: true,
    },
    'mcp server s',
  );
  assert.deepEqual([foreign, failed, content.map(({ trust }) => trust)], ['mcp server s', true, ['foreign', 'foreign']]);
});

test('a failure says so in words: chat completions have no mark for it', () => {
  const text = (content: readonly Json[]) => shown({ content, isError: true });
  assert.deepEqual(text([{ type: 'text', text: 'no such record' }]), ['[The call failed; the server says:]\nno such record']);
  assert.deepEqual(text([]), ['[The call failed; the server says:]\n[no content]']);
  assert.equal(text([{ type: 'image', data: PNG, mimeType: 'image/png' }])[0], '[The call failed; the server says:]\n');
});
