import type { SeededRandom } from '../../../src/testing/seeded-random.ts';

/** A head from a grammar; one in ten has words that are not plain. */
export const randomHead = (chance: SeededRandom): string => table(chance, chance.hits(0.1) ? ODD : USUAL, 0, 1);

interface Words {
  readonly scalars: readonly [string, ...string[]];
  readonly keys: readonly [string, ...string[]];
}
const USUAL: Words = {
  keys: ['name', 'description', 'version', 'metadata', 'hermes', 'tags', 'requires_tools', 'a-b', 'x1'],
  scalars: [
    'word',
    'two words',
    '1.10',
    '007',
    'true',
    'null',
    '~',
    '2020-01-01',
    '0x1f',
    '.inf',
    '1e3',
    'a:b',
    'c#',
    "it's",
    '/usr/bin',
    '(x)',
    '"q"',
    "'s'",
    '"a: b"',
    "'# x'",
    '数据',
    '$HOME',
    '+1',
    'x - y',
    'a, b',
    '<<',
    '=',
    '\\n',
  ],
};
const ODD: Words = {
  keys: [...USUAL.keys, '__proto__', '<<', '"name"', '?', '1', 'a b', '- a', '...'],
  scalars: [
    ...USUAL.scalars,
    '',
    '&a b',
    '*a',
    '!t x',
    '|',
    '>-',
    '{a: b}',
    '"\\n"',
    "'a''b'",
    'a: b',
    'a # b',
    '- a',
    '-',
    '?',
    ':',
    '%x',
    '@x',
    '[a]',
    'a:',
    '---',
    '\u00a0x',
    '\u2028',
    'x\r',
    '\ufeff',
    '\0',
    '"open',
    '[a',
    '"a" b',
  ],
};

const EOL = ['\n', '\n', '\n', '\r\n', '\n\n', '\n# note\n', '\n   # note\n', ' \n'] as const;
function table(chance: SeededRandom, words: Words, indent: number, depth: number): string {
  const keys = chance.shuffled(words.keys).slice(0, chance.int(1, 5));
  if (chance.hits(0.02)) keys.push(...keys.slice(0, 1));
  return keys.map((key) => `${' '.repeat(indent)}${key}:${value(chance, words, indent, depth)}`).join('');
}
function value(chance: SeededRandom, words: Words, indent: number, depth: number): string {
  const scalar = () => chance.pick(words.scalars);
  const end = () => chance.pick(EOL);
  const kind = chance.weighed({ scalar: 6, nothing: 1, flow: 2, list: 2, table: depth < 4 ? 3 : 0 });
  if (kind === 'scalar') return ` ${scalar()}${end()}`;
  if (kind === 'nothing') return end();
  if (kind === 'flow') return ` [${chance.list(0, 4, scalar).join(chance.pick([', ', ',', ' , ']))}]${end()}`;
  if (kind === 'table') return `${end()}${table(chance, words, indent + chance.pick([2, 2, 2, 4, 1]), depth + 1)}`;
  const before = ' '.repeat(indent + chance.pick([0, 2, 2, 4]));
  return `${end()}${chance.list(1, 4, () => `${before}- ${scalar()}${end()}`).join('')}`;
}

const SIGNS: readonly [string, ...string[]] = [
  ' ',
  ...'\n\t\r:#-,[]{}"\'&*!|>%@`?~.=<\\0aZ_é\u00a0\u2028\ufeff'.split(''),
  '\n  ',
  ': ',
  ' #',
  '- ',
  '\n- ',
];
const EDITS = {
  putIn: (before: string, after: string, sign: string) => before + sign + after,
  takeOut: (before: string, after: string) => before + after.slice(1),
  putOver: (before: string, after: string, sign: string) => before + sign + after.slice(1),
  double: (before: string, after: string) => before + after.slice(0, 6) + after,
};
/** A few characters put in, taken out, put in another's place or doubled. */
export function edited(chance: SeededRandom, text: string): string {
  let now = text;
  for (let edits = chance.int(1, 4); edits > 0; edits--) {
    const at = chance.int(0, now.length);
    const edit = EDITS[chance.weighed({ putIn: 3, takeOut: 2, putOver: 2, double: 1 })];
    now = edit(now.slice(0, at), now.slice(at), chance.pick(SIGNS));
  }
  return now;
}
