import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GUARD_BOUNDS } from '../../../src/agent/bounds.ts';
import { checkForLoop, type WatchedCall } from '../../../src/agent/guard.ts';
import { createTextBlock, type Json } from '../../../src/contracts/message.ts';
import type { GuardState } from '../../../src/contracts/turn.ts';

const FRESH: GuardState = { calls: {}, failing: {}, strangers: 0 };
interface Seen {
  readonly name?: string;
  readonly input?: Json;
  readonly result?: string;
  readonly failed?: boolean;
  readonly known?: boolean;
  readonly idempotent?: boolean;
  readonly refused?: boolean;
}
const seen = ({
  name = 'look',
  input = {},
  result = 'same',
  failed = false,
  known = true,
  idempotent = true,
  refused = false,
}: Seen): WatchedCall => ({
  name,
  input,
  result: { role: 'tool', callId: 'c', name, content: [createTextBlock(result, 'tool')], failed },
  known,
  idempotent,
  refused,
  unseen: false,
});

function verdicts(all: readonly Seen[], start = FRESH): { readonly guard: GuardState; readonly types: readonly string[] } {
  let guard = start;
  const types = all.map((one) => {
    const [next, verdict] = checkForLoop(guard, seen(one));
    guard = next;
    return verdict.type;
  });
  return { guard, types };
}
const times = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));

const { same_call_failing, same_tool_failing, reads_failing, refused, no_progress } = GUARD_BOUNDS;
const ladder = (warn: number, halt: number): string[] =>
  times(halt, (index) => (index + 1 >= halt ? 'halt' : index + 1 >= warn ? 'warn' : 'fine'));

const CASES: readonly (readonly [name: string, calls: readonly Seen[], types: readonly string[]])[] = [
  [
    'the same call with the same failure',
    times(same_call_failing.halt, () => ({ failed: true })),
    ladder(same_call_failing.warn, same_call_failing.halt),
  ],
  [
    'one tool failing in ever new ways',
    times(same_tool_failing.halt, (index) => ({ failed: true, result: `${index}`, input: { index }, idempotent: false })),
    ladder(same_tool_failing.warn, same_tool_failing.halt),
  ],
  [
    'reads of ever other files that are not there',
    times(reads_failing.halt, (index) => ({ failed: true, result: `${index}`, input: { index } })),
    ladder(reads_failing.warn, reads_failing.halt),
  ],
  ['an idempotent call without news', times(no_progress.halt, () => ({})), ladder(no_progress.warn, no_progress.halt)],
  ['a call that may bring news by itself', times(9, () => ({ idempotent: false })), times(9, () => 'fine')],
  ['ever new results', times(9, (index) => ({ result: `${index}` })), times(9, () => 'fine')],
  ['ever new arguments', times(9, (input) => ({ input })), times(9, () => 'fine')],
  [
    'unknown tools are not tools that fail',
    times(9, (index) => ({ failed: true, known: false, result: `${index}` })),
    times(9, () => 'fine'),
  ],
  [
    'calls that are refused in ever new ways: told once, and ended late',
    times(refused.halt, (index) => ({ failed: true, refused: true, result: `${index}`, input: { index } })),
    times(refused.halt, (index) => (index + 1 >= refused.halt ? 'halt' : index + 1 === refused.warn ? 'warn' : 'fine')),
  ],
  [
    'the same refusal after other work, as often as there is work',
    times(2 * refused.halt, (index) => (index % 2 === 0 ? { failed: true, refused: true } : { result: `${index}`, input: { index } })),
    times(2 * refused.halt, (index) => (index % 2 === 0 && index >= 2 ? 'warn' : 'fine')),
  ],
  [
    'refusals are no failures of their tool',
    times(2 * same_tool_failing.halt, (index) => ({ failed: true, refused: index % 2 === 0, result: `${index}`, input: { index } })).slice(
      0,
      -3,
    ),
    times(2 * same_tool_failing.halt, (index) => (index % 2 === 1 && (index + 1) / 2 >= same_tool_failing.warn ? 'warn' : 'fine')).slice(
      0,
      -3,
    ),
  ],
  ['a success between failures starts anew', [{ failed: true }, { result: 'ok' }, { failed: true }], ['fine', 'fine', 'fine']],
  ['the order of keys makes no new call', [{ input: { a: 1, b: 2 } }, { input: { b: 2, a: 1 } }], ['fine', 'warn']],
];
for (const [name, calls, types] of CASES) test(name, () => assert.deepEqual(verdicts(calls).types, types));

test('before tools are taken away the model is told so', () => {
  let guard = FRESH;
  const words = times(same_tool_failing.halt - 1, (index) => {
    const [next, verdict] = checkForLoop(guard, seen({ failed: true, result: `${index}`, input: { index }, idempotent: false }));
    guard = next;
    return verdict.type === 'warn' ? verdict.words : '';
  });
  assert.match(words.at(-1) ?? '', /^look has brought nothing 7 times\. Once more, and tools are disabled/);
});

test('the memory does not grow with the turn', () => {
  const { guard } = verdicts(times(500, (index) => ({ name: `ghost_${index}`, input: { index }, failed: true, known: false })));
  assert.ok(JSON.stringify(guard).length < 10_000, `${JSON.stringify(guard).length} bytes`);
});

const others = (round: number): Seen[] => times(40, (index) => ({ input: { round, index } }));
test('a call that keeps coming back is remembered, however many others came between its first time and now', () => {
  const { types } = verdicts([{}, ...others(1), {}, ...others(2), {}]);
  assert.deepEqual([types[0], types[41], types[82]], ['fine', 'warn', 'warn']);
});

test('names that objects have by themselves are names like others', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const failures = times(same_tool_failing.halt, (index) => ({
      name,
      failed: true,
      result: `${index}`,
      input: { index },
      idempotent: false,
    }));
    assert.deepEqual(verdicts(failures).types, ladder(same_tool_failing.warn, same_tool_failing.halt), name);
  }
});
