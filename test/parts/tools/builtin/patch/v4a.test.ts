import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePatch } from '../../../../../src/parts/tools/builtin/patch/v4a-parse.ts';
import { planPatch } from '../../../../../src/parts/tools/builtin/patch/v4a-plan.ts';

test('a patch with all four operations is read as written, framed or not, with either line end', () => {
  const body = [
    '*** Update File: a.ts',
    '@@ class A @@',
    ' keep',
    '-old',
    '+new',
    'unmarked',
    '',
    '*** Add File: b.ts',
    '+one',
    '+',
    '+two',
    '*** Delete File: c.ts',
    '*** Move File: d.ts -> e/d.ts',
    '*** End of File',
  ];
  const expected = {
    ok: true,
    operations: [
      {
        kind: 'update',
        path: 'a.ts',
        hunks: [
          {
            hint: 'class A',
            lines: [
              { mark: ' ', text: 'keep' },
              { mark: '-', text: 'old' },
              { mark: '+', text: 'new' },
              { mark: ' ', text: 'unmarked' },
            ],
          },
        ],
      },
      { kind: 'add', path: 'b.ts', text: 'one\n\ntwo\n' },
      { kind: 'delete', path: 'c.ts' },
      { kind: 'move', path: 'd.ts', to: 'e/d.ts' },
    ],
  };
  const framed = ['*** Begin Patch', ...body, '*** End Patch', ''];
  assert.deepEqual(parsePatch(body.join('\n')), expected);
  assert.deepEqual(parsePatch(framed.join('\n')), expected);
  assert.deepEqual(parsePatch(framed.join('\r\n')), expected);
});

test('mistakes are told with their line and their cure', () => {
  const table: readonly [string, RegExp][] = [
    ['', /holds no operation/],
    ['*** Begin Patch\n*** End Patch', /holds no operation/],
    ['hello\n*** Add File: a', /line 1: expected/],
    ['*** Update File: a', /line 1: Update File a has no hunk/],
    ['*** Update File: a\n@@ only a hint @@', /has no hunk/],
    ['*** Update File:  \n-a', /line 1: Update File names no path/],
    ['*** Add File: a\n+x\nno plus', /line 3: every line of a new file begins with \+/],
    ['*** Delete File: a\n-x', /line 2: Delete File takes no lines/],
    ['*** Move File: a', /with both paths/],
    ['*** Move File: a -> ', /with both paths/],
    ['*** Delete File: a\n*** Move to: b', /line 2: .*Move File: old\/path -> new\/path/],
    ['*** Rename File: a', /is not known/],
  ];
  for (const [patch, expected] of table) {
    const parsed = parsePatch(patch);
    assert.match(parsed.ok ? 'was read' : parsed.why, expected, patch);
  }
});

/** Plans a patch over files that are only in memory; gives what would change, or the problems. */
async function plan(files: Readonly<Record<string, string>>, ...lines: readonly string[]): Promise<unknown> {
  const parsed = parsePatch(lines.join('\n'));
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.why);
  const planned = await planPatch(parsed.operations, async (path) => {
    if (path.startsWith('locked')) throw new Error('permission denied');
    return { place: { path, real: path, shown: path, homes: [] }, before: files[path] };
  });
  return planned.ok ? Object.fromEntries(planned.changed.map(({ place, now }) => [place.path, now])) : planned.problems;
}

test('hunks change whole lines, one after the other', async () => {
  const text = 'one\ntwo\nthree\nfour\nfive\n';
  assert.deepEqual(await plan({ a: text }, '*** Update File: a', '@@', ' one', '-two', '+2', '@@', '-four', ' five', '+six'), {
    a: 'one\n2\nthree\nfive\nsix\n',
  });
  assert.deepEqual(await plan({ a: text }, '*** Update File: a', '-three'), { a: 'one\ntwo\nfour\nfive\n' });
  assert.deepEqual(await plan({ a: 'xtwo\ntwo\n' }, '*** Update File: a', '-two', '+2'), { a: 'xtwo\n2\n' });
  assert.deepEqual(await plan({ a: 'one\nlast' }, '*** Update File: a', '-last', '+end'), { a: 'one\nend' });
});

test('a hint chooses between equal places, and an addition needs one that is unique', async () => {
  const text = 'class A\n  run\nclass B\n  run\n';
  assert.deepEqual(await plan({ a: text }, '*** Update File: a', '@@ class B @@', '-  run', '+  walk'), {
    a: 'class A\n  run\nclass B\n  walk\n',
  });
  assert.match(String(await plan({ a: text }, '*** Update File: a', '-  run', '+  walk')), /stands at 2 places/);
  assert.deepEqual(await plan({ a: text }, '*** Update File: a', '@@ class A', '+  init'), {
    a: 'class A\n  init\n  run\nclass B\n  run\n',
  });
  assert.match(String(await plan({ a: text }, '*** Update File: a', '@@ class', '+  init')), /stands at 2 places/);
  assert.match(String(await plan({ a: text }, '*** Update File: a', '@@ class Z', '+  init')), /not in the file/);
  assert.match(String(await plan({ a: text }, '*** Update File: a', '+  init')), /only adds lines and has no context/);
});

test('a hunk of context only is inert, and a patch that changes nothing is refused', async () => {
  assert.match(String(await plan({ a: 'x\n' }, '*** Update File: a', ' whatever')), /changes nothing/);
  assert.deepEqual(await plan({ a: 'x\ny\n' }, '*** Update File: a', ' not there', '@@', '-y', '+z'), { a: 'x\nz\n' });
});

test('later operations see earlier ones, and all problems are told', async () => {
  assert.deepEqual(await plan({ a: 'x\n' }, '*** Move File: a -> b', '*** Update File: b', '-x', '+y', '*** Add File: a', '+new'), {
    a: 'new\n',
    b: 'y\n',
  });
  assert.deepEqual(await plan({ a: 'x\n' }, '*** Delete File: a', '*** Add File: a', '+again'), { a: 'again\n' });
  assert.deepEqual(
    await plan(
      { a: 'x\n', b: 'y\n' },
      '*** Add File: a',
      '+n',
      '*** Move File: a -> b',
      '*** Update File: none',
      '-x',
      '*** Add File: locked',
      '+x',
      '*** Delete File: gone',
    ),
    [
      'a: Add File, but the file exists; use Update File, or Delete File before it',
      'a: Move File, but b exists',
      'none: there is no such file',
      'locked: permission denied',
      'gone: there is no such file',
    ],
  );
});

test('a file is moved by a line below its name, as other agents write it', () => {
  assert.deepEqual(parsePatch('*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch'), {
    ok: true,
    operations: [
      {
        kind: 'update',
        path: 'a',
        hunks: [
          {
            hint: '',
            lines: [
              { mark: '-', text: 'x' },
              { mark: '+', text: 'y' },
            ],
          },
        ],
      },
      { kind: 'move', path: 'a', to: 'b' },
    ],
  });
  assert.deepEqual(parsePatch('*** Update File: a\n*** Move to: b'), { ok: true, operations: [{ kind: 'move', path: 'a', to: 'b' }] });
});
