import type { SeededRandom } from '../../src/testing/seeded-random.ts';

/** A settings file as somebody may have written it: valid, and odd in every way YAML allows. Every comment in it is unique. */
export function writeConfigFile(chance: SeededRandom): string {
  const comments = createComments(chance);
  const shape = chance.weighed({ block: 12, json: 1, empty: 1, remarks: 1 });
  const text = SHAPES[shape](chance, comments);
  const ended = chance.hits(0.85) ? text : text.replace(/\n+$/, '');
  return chance.hits(0.2) ? ended.replaceAll('\n', '\r\n') : ended;
}

type WriteComment = (likelihood?: number) => string;

const SHAPES: Readonly<Record<'block' | 'json' | 'empty' | 'remarks', (chance: SeededRandom, comment: WriteComment) => string>> = {
  block: (chance, comment) => {
    const head = chance.hits(0.15) ? `---${comment(0.5)}\n` : '';
    const sections = chance.shuffled(SECTIONS).filter(() => chance.hits(0.6));
    const indent = ' '.repeat(chance.hits(0.1) ? 2 : 0);
    const body = sections.flatMap((section) => [...remarks(chance, comment, indent), ...section(chance, comment, indent)]);
    return `${head}${[...shared(chance, comment, indent), ...body, ...remarks(chance, comment, '')].join('\n')}\n`;
  },
  json: (chance) =>
    JSON.stringify(
      { agent: { max_turns: 3, disabled_toolsets: ['web'] }, x_odd: [{ a: null }], mcp_servers: { old: { command: 'x' } } },
      null,
      chance.int(0, 4),
    ),
  empty: (chance) => chance.pick(['', '\n', '{}\n']),
  remarks: (_chance, comment) => `#${comment(1)}\n\n #${comment(1)}\n`,
};

function createComments(chance: SeededRandom): WriteComment {
  let count = 0;
  return (likelihood = 0.3) => {
    if (!chance.hits(likelihood)) return '';
    count += 1;
    return `${' '.repeat(chance.int(1, 3))}# note ${count} ${chance.pick(['', 'größe', '注意: yes', '{not: yaml}', '- no item', "it's", '🎛️'])}·`;
  };
}

function remarks(chance: SeededRandom, comment: WriteComment, indent: string): string[] {
  const lines = chance.list(0, 2, () => chance.pick(['', `${indent}${comment(1).trimStart()}`, `      ${comment(1).trimStart()}`]));
  return lines;
}

type WriteSection = (chance: SeededRandom, comment: WriteComment, indent: string) => string[];

/** `key:` and rows below it, in a block or between brackets, in any indentation. */
function writeSection(name: string, rows: Readonly<Record<string, string>>): WriteSection {
  return (chance, comment, indent) => {
    const key = quoteKey(chance, name);
    const kept = Object.entries(rows).filter(() => chance.hits(0.7));
    if (kept.length === 0) return [chance.hits(0.5) ? `${indent}${key}:${comment()}` : `${indent}${key}: {}${comment()}`];
    const flow = kept.every(([, value]) => !value.includes('\n'));
    if (flow && chance.hits(0.15)) return [`${indent}${key}: {${kept.map(([one, value]) => `${one}: ${value}`).join(', ')}}${comment()}`];
    if (flow && chance.hits(0.15)) {
      const inner = kept.map(([one, value]) => `${indent}    ${quoteKey(chance, one)}: ${value},${comment()}`);
      return [`${indent}${key}: {${comment()}`, ...inner, `${indent}  }${comment()}`];
    }
    const step = indent + ' '.repeat(chance.pick([1, 2, 3, 4, 7]));
    const lines = kept.flatMap(([one, value]) => [
      ...(chance.hits(0.15) ? [`${step}${comment(1).trimStart()}`] : []),
      ...(chance.hits(0.1) ? [''] : []),
      ...`${step}${quoteKey(chance, one)}:${' '.repeat(chance.int(1, 3))}${value}`
        .split('\n')
        .map((line, index, all) => (index === 0 && all.length === 1 ? `${line}${comment()}` : index === 0 ? line : `${step}${line}`)),
    ]);
    return [`${indent}${key}:${comment()}`, ...lines];
  };
}
const quoteKey = (chance: SeededRandom, key: string): string => chance.pick([key, key, key, `"${key}"`, `'${key}'`]);

const SECTIONS: readonly WriteSection[] = [
  writeSection('agent', {
    max_turns: '0x1F',
    api_max_retries: "'2'",
    disabled_toolsets: '[web, "image_gen"]',
  }),
  writeSection('terminal', { timeout: '90', env_passthrough: '\n  - LANG  # why\n  -  "MY_*"', backend: 'local' }),
  writeSection('model', { default: '"vendor/model-1"', context_length: '64_000'.replace('_', ''), max_tokens: '1000' }),
  writeSection('mcp_servers', {
    old: '{command: server, args: [--flag, "a, b"]}',
    other: '\n  command: second\n  # its place\n  args:\n  - x',
  }),
  writeSection('x_vendor', { ключ: 'значение', 'a.b': '1.50', deep: '{more: [1, {x: y}]}', note: '|\n  two\n\n  lines' }),
  (chance, comment, indent) => [
    `${indent}command_allowlist:${comment()}`,
    ...chance
      .list(1, 3, (at) => `${indent}${chance.pick(['', '  '])}- word_${at}`)
      .map((line, _index, all) => line.replace(/^ *- /, `${/^ */.exec(all[0] ?? '')?.[0] ?? ''}- `) + comment()),
  ],
  (_chance, comment, indent) => [`${indent}_config_version: 23${comment()}`],
  (_chance, comment, indent) => [`${indent}x_text: >-${comment()}`, `${indent}   folded`, `${indent}   text`],
  (_chance, comment, indent) => [`${indent}"x: odd": ~${comment()}`],
  (_chance, comment, indent) => [
    `${indent}x_list:${comment()}`,
    `${indent}- {a: 1}${comment()}`,
    `${indent}-`,
    `${indent}  - nested${comment()}`,
  ],
];

/** Values that several settings share by an anchor. */
const shared: WriteSection = (chance, comment, indent) =>
  chance.hits(0.25)
    ? [
        `${indent}x_base: &base${comment()}`,
        `${indent}  memory_char_limit: &limit 2000${comment()}`,
        `${indent}  user_char_limit: *limit${comment()}`,
        chance.hits(0.5)
          ? `${indent}memory: *base${comment()}`
          : `${indent}compression: {threshold: &half 0.5, target_ratio: 0.2}${comment()}`,
      ]
    : [];
