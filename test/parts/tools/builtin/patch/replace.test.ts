import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceIn } from '../../../../../src/parts/tools/builtin/patch/replace.ts';
import { STRATEGIES } from '../../../../../src/parts/tools/builtin/patch/strategies.ts';

interface Case {
  readonly by: string;
  readonly text: string;
  readonly old: string;
  readonly fresh: string;
  readonly gives: string;
}

/** One row and more per strategy: what the file has, what the model sent, what must come out. */
const CASES: readonly Case[] = [
  { by: 'exact', text: 'a = 1\nb = 2\n', old: 'b = 2', fresh: 'b = 3', gives: 'a = 1\nb = 3\n' },
  { by: 'exact', text: 'one two three', old: ' two', fresh: '', gives: 'one three' },
  {
    by: 'line-trimmed',
    text: 'if (x) {\n    go();\n}\n',
    old: 'if (x) {\n  go();\n}',
    fresh: 'if (x) {\n  go();\n  stop();\n}',
    gives: 'if (x) {\n    go();\n    stop();\n}\n',
  },
  {
    by: 'line-trimmed',
    text: 'def f():\n        a()\n        b()\n',
    old: 'a()\nb()',
    fresh: 'a()\nif c:\n    d()\nb()',
    gives: 'def f():\n        a()\n        if c:\n            d()\n        b()\n',
  },
  {
    by: 'line-trimmed',
    text: 'x\n\tone();   \n\ttwo();\n',
    old: '\tone();\n\ttwo();\n',
    fresh: '\tone();\n\tthree();\n',
    gives: 'x\n\tone();   \n\tthree();\n',
  },
  { by: 'line-trimmed', text: '    deep();\n', old: '        deep();', fresh: '        deeper();', gives: '    deeper();\n' },
  { by: 'line-trimmed', text: 'a\n  last', old: 'last \n', fresh: 'final\n', gives: 'a\n  final' },
  { by: 'whitespace-normalised', text: 'let  x   =\t1; // keep\n', old: 'let x = 1;', fresh: 'let x = 2;', gives: 'let x = 2; // keep\n' },
  {
    by: 'indentation-flexible',
    text: 'call(\n    one,\n    two);\n',
    old: 'call(\none,\ntwo)',
    fresh: 'call(\none,\nthree)',
    gives: 'call(\n    one,\n    three);\n',
  },
  { by: 'escape-normalised', text: 'first\nsecond\nthird\n', old: 'first\\nsecond', fresh: 'first\\n2nd', gives: 'first\n2nd\nthird\n' },
  {
    by: 'escape-normalised',
    text: 'key:\tvalue\nend\n',
    old: 'key:\\tvalue\\nend',
    fresh: 'key:\\tother\\nend',
    gives: 'key:\tother\nend\n',
  },
  { by: 'trimmed-boundary', text: 'x = foo(a);\n', old: '\n\nfoo(a) \n', fresh: '\n\nbar(a) \n', gives: 'x = bar(a);\n' },
  {
    by: 'unicode-normalised',
    text: 'say(“hello” — it’s fine…)\n',
    old: 'say("hello" - it\'s fine...)',
    fresh: 'say("hello" - it\'s done...)',
    gives: 'say(“hello” — it’s done…)\n',
  },
  { by: 'unicode-normalised', text: 'a\u00a0b − c\n', old: 'a b - c', fresh: 'a b - d', gives: 'a\u00a0b − d\n' },
  {
    by: 'block-anchor',
    text: 'function go() {\n  const total = sum(list, start);\n  return total;\n}\nrest\n',
    old: 'function go() {\n  const total = sum(list, begin);\n  return total;\n}',
    fresh: 'function go() {\n  const total = sum(list, begin);\n  return total * 2;\n}',
    gives: 'function go() {\n  const total = sum(list, start);\n  return total * 2;\n}\nrest\n',
  },
  {
    by: 'context-aware',
    text: 'alpha one two\nbeta one two\ngamma one two\ndelta one two\nother\n',
    old: 'alpha 1 2\nbeta one two\ngamma one two\ndelta xxx yyy zzz',
    fresh: 'alpha 1 2\nbeta one two\ngamma THREE\ndelta xxx yyy zzz',
    gives: 'alpha one two\nbeta one two\ngamma THREE\ndelta one two\nother\n',
  },
];

test('every strategy finds what the ones before it cannot', () => {
  for (const { by, text, old, fresh, gives } of CASES) {
    assert.deepEqual(replaceIn(text, { old, new: fresh }, { all: false }), { ok: true, text: gives, count: 1, how: by }, `${by}: ${old}`);
  }
  assert.deepEqual(new Set(CASES.map(({ by }) => by)), new Set(STRATEGIES.map(({ name }) => name)));
  assert.equal(STRATEGIES.length, 9);
});

const why = (text: string, old: string, fresh: string, all = false): string => {
  const replaced = replaceIn(text, { old, new: fresh }, { all });
  return replaced.ok ? `changed by ${replaced.how}: ${replaced.text}` : replaced.why;
};

test('edits that cannot be meant are refused', () => {
  assert.match(why('a', '', 'b'), /old_string is empty/);
  assert.match(why('a', ' \n\t', 'b'), /old_string is empty/);
  assert.match(why('a', 'a', 'a'), /are the same/);
  assert.match(why('a', 'a\r\nb', 'a\nb'), /are the same/);
  assert.match(why('abc\n', 'nothing like it', 'x'), /not in the file/);
});

test('several places are listed, at most five', () => {
  const told = why('x = 1;\n'.repeat(7), 'x = 1;', 'x = 2;');
  assert.equal(
    told,
    [
      'the text stands at 7 places; give more lines around the one you mean, or set replace_all:',
      ...[1, 2, 3, 4, 5].map((line) => `L${line}: x = 1;`),
      '… and 2 more',
    ].join('\n'),
  );
});

test('replace_all changes every place and keeps each indentation', () => {
  assert.deepEqual(replaceIn('a\n  go( 1 );\n    go( 1 );\n', { old: '\tgo( 1 );', new: '\tstop( 1 );' }, { all: true }), {
    ok: true,
    text: 'a\n  stop( 1 );\n    stop( 1 );\n',
    count: 2,
    how: 'line-trimmed',
  });
});

test('likeness is never enough for replace_all', () => {
  const row = CASES.find(({ by }) => by === 'context-aware');
  const anchored = CASES.find(({ by }) => by === 'block-anchor');
  for (const found of [row, anchored]) assert.match(why(found?.text ?? '', found?.old ?? '', found?.fresh ?? '', true), /not in the file/);
});

test('two places that are equally like are not chosen between', () => {
  const block = 'start here\nmiddle of one\nanother line\nclosing words\n';
  assert.match(why(`${block}---\n${block}`, 'start there\nmiddle of one\nanother line\nclosing word', 'x'), /stands at 2 places/);
});

test('quotes escaped once too often are refused, unless the file has them so', () => {
  assert.match(why("  say('hi');\n", "say(\\'hi\\');\n", "say(\\'ho\\');\n"), /not in the file|without the backslash/);
  assert.match(
    why("go() {\n  say('hi');\n  a b c;\n}\n", "go() {\n  say(\\'hi\\');\n  a b c;\n}", "go() {\n  say(\\'ho\\');\n  a b c;\n}"),
    /without the backslash/,
  );
  assert.match(why("say(\\'hi\\');\n", "say(\\'hi\\');", "say(\\'ho\\');"), /^changed by exact/);
});

test('indentation that cannot be reconciled is refused', () => {
  const tabs = '\tif (a) {\n\t\tb();\n\t}\n';
  assert.equal(why(tabs, '  if (a) {\n    b();\n  }', '  if (a) {\n    c();\n  }'), 'changed by line-trimmed: \tif (a) {\n\t\tc();\n\t}\n');
  assert.match(why(tabs, '  if (a) {\n    b();\n  }', '  if (a) {\n      deeper();\n    b();\n  }'), /indentation/);
  assert.match(why('a:\n  b\n', '    b', '    b2\n  c\nd'), /indentation/);
});

test('what is already so is a success without a change', () => {
  assert.deepEqual(replaceIn('const limit = 20;\n', { old: 'const limit = 10;', new: 'const limit = 20;' }, { all: false }), {
    ok: true,
    text: 'const limit = 20;\n',
    count: 0,
    how: 'already applied',
  });
  const inserted = 'open the door\nwalk through it\nclose the door\nsit down now\n';
  const replaced = replaceIn(inserted, { old: 'open the door\nclose the door\nsit down now', new: inserted.trimEnd() }, { all: false });
  assert.equal(replaced.ok && replaced.count, 0);
  assert.match(why('b = 2\n', 'a = 1', 'b = 2'), /not in the file/, 'too short to prove anything');
});

test('new text that merely stands elsewhere does not make a missed edit one that is already made', () => {
  const two = 'def a(x):\n    result = x\n    return result\n\ndef b(x):\n    result = None\n    return None\n';
  assert.equal(
    why(two, '    return Nothing', '    return result'),
    [
      'the text is not in the file. The nearest lines are:',
      'L3:     return result',
      'L7:     return None',
      'The new text stands at L3: if that is the place, the change is already made.',
    ].join('\n'),
  );
  assert.match(why(two, '    return response', '    return result'), /not in the file/, 'half a word is no context');
  const both = 'open the file\nread it all\n\nopen the file\nread a lot\n';
  assert.match(why(both, 'open the file\nread half', 'open the file\nread it all'), /stands at L1/, 'context at two places proves nothing');
  const everywhere = 'open the file\nread it all\n\nopen the file\nread it all\n';
  assert.equal(why(everywhere, 'open the file\nread half', 'open the file\nread it all'), `changed by already applied: ${everywhere}`);
});

test('a written tab becomes a real one only where the file has real ones', () => {
  assert.deepEqual(replaceIn('a\tb \nc\n', { old: 'a\tb\nc', new: 'a\tb\nx\\ty' }, { all: false }), {
    ok: true,
    text: 'a\tb \nx\ty\n',
    count: 1,
    how: 'line-trimmed',
  });
  assert.deepEqual(replaceIn('a b \nc\n', { old: 'a b\nc', new: 'a b\nx\\ty' }, { all: false }), {
    ok: true,
    text: 'a b \nx\\ty\n',
    count: 1,
    how: 'line-trimmed',
  });
});

test('in a file with both kinds of line ends the ones of the place are kept', () => {
  assert.deepEqual(replaceIn('a\r\nb\r\nc\nd\n', { old: 'a\nb', new: 'a\nx\nb' }, { all: false }), {
    ok: true,
    text: 'a\r\nx\r\nb\r\nc\nd\n',
    count: 1,
    how: 'line-trimmed',
  });
});

test('a text that is not found shows the nearest place', () => {
  const text = Array.from({ length: 30 }, (_, index) => `step ${index} does thing number ${index}`).join('\n');
  assert.match(
    why(text, 'step 7 does thing number 7\ncompletely other words here\nnothing of this exists\nneither does this', 'x'),
    /nearest place is:\nL8: step 7/,
  );
});

test('a megabyte is searched by all nine strategies in well under a second', () => {
  const hard: readonly [name: string, text: string, old: string][] = [
    [
      'code',
      Array.from({ length: 25_000 }, (_, index) => `  const value${index} = compute(${index}, options);`).join('\n'),
      Array.from({ length: 60 }, (_, index) => `zzz ${index} compute(options, other${index})`).join('\n'),
    ],
    ['equal lines', '}\n'.repeat(500_000), `${'}\n'.repeat(300)}{\n}`],
    ['blank lines', '\n'.repeat(1_000_000), `a\n${'\n'.repeat(50)}b`],
    ['one line', 'ab '.repeat(350_000), 'ab  ba'],
  ];
  for (const [name, text, old] of hard) {
    const ms = cpuMs(() => assert.equal(replaceIn(text, { old, new: 'something else' }, { all: false }).ok, false, name));
    assert.ok(ms < 1_500, `${name}: ${ms.toFixed(0)} ms`);
  }
  const ms = cpuMs(() => {
    const many = replaceIn('x = 1;\n'.repeat(150_000), { old: 'x = 1;', new: 'x = 2;' }, { all: true });
    assert.equal(many.ok && many.count, 150_000);
  });
  assert.ok(ms < 1_000, `replace_all: ${ms.toFixed(0)} ms`);
});

/** Time of the processor, not of the wall: other work on the machine does not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
