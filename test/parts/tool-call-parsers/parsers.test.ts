import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contracts/message.ts';
import type { ParsedPiece } from '../../../src/contracts/tool-call-parser.ts';
import { CALL_FORMATS, findToolCallParser, joinPieces } from '../../../src/parts/tool-call-parsers/all.ts';

type Call = readonly [string, JsonObject];
const ds = (...calls: string[]) =>
  `<｜tool▁calls▁begin｜>${calls.map((one) => `<｜tool▁call▁begin｜>${one}<｜tool▁call▁end｜>`).join('')}<｜tool▁calls▁end｜>`;
const SAMPLES: Readonly<Record<string, readonly (readonly [string, string, readonly Call[]])[]>> = {
  hermes: [
    [
      'Both.\n<tool_call>\n{"name":"a","arguments":{"x":"</tool_call>"}}\n</tool_call>\n<tool_call>{"name":"b"}</tool_call><|im_end|>',
      'Both.',
      [
        ['a', { x: '</tool_call>' }],
        ['b', {}],
      ],
    ],
    ['<think><tool_call>{"name":"a"}</tool_call></think>No.', 'No.', []],
    ['<tool_call>{"nam</tool_call><tool_call>{"name":"b","arguments":"{\\"q\\":1}"}</tool_call>', '', [['b', { q: 1 }]]],
  ],
  qwen: [['<tool_call>{"name":"a","arguments":{}}</tool_call>', '', [['a', {}]]]],
  longcat: [
    ['Hi <longcat_tool_call>{"name":"t","arguments":{"k":[1,{"z":null}]}}</longcat_tool_call>', 'Hi', [['t', { k: [1, { z: null }] }]]],
  ],
  mistral: [
    [
      'Sure.[TOOL_CALLS] [{"name":"a","arguments":{"x":1}},{"name":"b","arguments":{}}]</s>',
      'Sure.',
      [
        ['a', { x: 1 }],
        ['b', {}],
      ],
    ],
    [
      '[TOOL_CALLS]a{"x":1}[TOOL_CALLS]b[CALL_ID]abc123def[ARGS]{"y":2}</s>',
      '',
      [
        ['a', { x: 1 }],
        ['b', { y: 2 }],
      ],
    ],
    ['[TOOL_CALLS] [{"name":"a","arguments":{"x":1}},{"na', '', [['a', { x: 1 }]]],
  ],
  llama3_json: [
    [
      '<|python_tag|>{"name":"a","parameters":{"q":"x"}}; {"name":"b","parameters":{}}<|eom_id|>',
      '',
      [
        ['a', { q: 'x' }],
        ['b', {}],
      ],
    ],
  ],
  qwen3_coder: [
    [
      'Go.\n<tool_call>\n<function=w>\n<parameter=path>\n/a b\n</parameter>\n<parameter=n>\n3\n</parameter>\n<parameter=code>\n  if x:\n\n</parameter>\n</function>\n</tool_call>',
      'Go.',
      [['w', { path: '/a b', n: 3, code: '  if x:\n' }]],
    ],
  ],
  deepseek_v3: [[`t${ds('function<｜tool▁sep｜>get\n```json\n{"a":\n1}\n```')}`, 't', [['get', { a: 1 }]]]],
  deepseek_v3_1: [
    [
      ds('get<｜tool▁sep｜>{"x":1}', 'two<｜tool▁sep｜>{}'),
      '',
      [
        ['get', { x: 1 }],
        ['two', {}],
      ],
    ],
    [
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get\n```json\n{}\n```<｜tool▁call▁end｜>',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get\n```json\n{}\n```<｜tool▁call▁end｜>',
      [],
    ],
  ],
  kimi_k2: [
    [
      'Ok.<|tool_calls_section_begin|><|tool_call_begin|>functions.ns.b:0<|tool_call_argument_begin|>{"q":"x"}<|tool_call_end|><|tool_calls_section_end|>',
      'Ok.',
      [['ns.b', { q: 'x' }]],
    ],
  ],
  glm45: [
    ['<tool_call>w\n<arg_key>c</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>', '', [['w', { c: 'Rome' }]]],
    ['<tool_call>now</tool_call>', '', [['now', {}]]],
  ],
  glm47: [
    [
      '<tool_call>w<arg_key>c</arg_key><arg_value>01234</arg_value><arg_key>t</arg_key><arg_value>True</arg_value></tool_call>',
      '',
      [['w', { c: '01234', t: true }]],
    ],
  ],
};

const shown = ({ content, calls }: ReturnType<typeof joinPieces>) => [content, calls.map((call) => [call.name, call.arguments])];

test('every format reads its calls and its words', () => {
  assert.deepEqual(Object.keys(SAMPLES).toSorted(), CALL_FORMATS.map(({ name }) => name).toSorted());
  for (const [name, samples] of Object.entries(SAMPLES))
    for (const [text, content, calls] of samples)
      assert.deepEqual(shown(findToolCallParser(name).parse(text)), [content, calls], `${name}: ${text}`);
});

test('a text gives the same wherever it is cut, and every beginning of it is read without a throw', () => {
  for (const [name, samples] of Object.entries(SAMPLES))
    for (const [text] of samples) {
      const parser = findToolCallParser(name);
      const whole = parser.parse(text);
      for (let at = 0; at <= text.length; at++) {
        const run = parser.begin();
        const pieces: ParsedPiece[] = [...run.step(text.slice(0, at))];
        const told = pieces.filter(({ type }) => type === 'call').length;
        assert.ok(told <= whole.calls.length, `${name}: no call of a beginning is missing from the whole`);
        assert.deepEqual(joinPieces([...pieces, ...run.step(text.slice(at)), ...run.end()]), whole, `${name} cut at ${at}: ${text}`);
        for (const call of parser.parse(text.slice(0, at)).calls)
          assert.ok(
            whole.calls.some((one) => one.name === call.name && JSON.stringify(one.arguments) === JSON.stringify(call.arguments)),
            `${name}: a cut call is none (${at})`,
          );
      }
      const letters = parser.begin();
      assert.deepEqual(
        joinPieces([...Array.from(text).flatMap((letter) => letters.step(letter)), ...letters.end()]),
        whole,
        `${name} letter by letter`,
      );
    }
});

test('a schema decides what a value is, an alias is a name, and an unknown name is told with those that exist', () => {
  const tools = [{ name: 'w', description: '', input: { type: 'object', properties: { c: { type: 'string' } } } }];
  const text = '<tool_call>w<arg_key>c</arg_key><arg_value>123</arg_value></tool_call>';
  assert.deepEqual(findToolCallParser('glm47').parse(text, tools).calls[0]?.arguments, { c: '123' });
  assert.deepEqual(findToolCallParser('glm47').parse(text).calls[0]?.arguments, { c: 123 });
  assert.equal(findToolCallParser('llama4_json').name, 'llama3_json');
  assert.equal(findToolCallParser('mistral').callId('0123456789abcdef0123456789abcdef'), '012345678');
  assert.match(findToolCallParser('hermes').callId('0123456789abcdef0123456789abcdef'), /^call_[0-9a-f]{24}$/);
  assert.throws(() => findToolCallParser('nobody'), /no tool-call parser nobody\. Known: hermes/);
});

test('a long call in very small pieces', () => {
  // Read anew from its beginning for each piece, this would take minutes.
  const code = 'if (a) { return "</tool_call>"; }\n'.repeat(2_000);
  const text = `<tool_call>${JSON.stringify({ name: 'write', arguments: { code } })}</tool_call>`;
  const run = findToolCallParser('hermes').begin();
  const pieces: ParsedPiece[] = [];
  for (let at = 0; at < text.length; at += 4) pieces.push(...run.step(text.slice(at, at + 4)));
  assert.deepEqual([...pieces, ...run.end()], [{ type: 'call', call: { name: 'write', arguments: { code } } }]);
});
