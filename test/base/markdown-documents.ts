import { foldMarkdown, type MarkdownFold } from '../../src/base/markdown/fold.ts';
import { parseMarkdown } from '../../src/base/markdown/tree.ts';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';

const WORDS = [
  'a',
  'of',
  'word',
  'longer',
  'sentence.',
  'Really?',
  'x_y_z',
  '2*3',
  'über',
  '中文字符很多',
  '、日本語。',
  '한국어',
  '👩‍👩‍👧',
  '🇩🇪',
  'é́́',
  '😀',
  '&amp;',
  '\\*',
  '-',
  '1.',
  '#5',
  'https://a.b/c_d?e=f',
] as const;

const word = (chance: SeededRandom): string => (chance.hits(0.02) ? 'long'.repeat(chance.int(10, 60)) : chance.pick(WORDS));
const words = (chance: SeededRandom, most: number): string => chance.list(1, most, () => marked(chance)).join(' ');

function marked(chance: SeededRandom): string {
  const inner = (): string => chance.list(1, 4, () => word(chance)).join(' ');
  const kind = chance.weighed({ plain: 14, strong: 1, emphasis: 1, strike: 1, spoiler: 1, code: 2, link: 1, open: 0.3 });
  if (kind === 'plain') return word(chance);
  if (kind === 'strong') return `**${inner()}**`;
  if (kind === 'emphasis') return `*${inner()}*`;
  if (kind === 'strike') return `~~${inner()}~~`;
  if (kind === 'spoiler') return `||${inner()}||`;
  if (kind === 'code') return `\`${inner()}\``;
  return kind === 'link' ? `[${inner()}](https://e.f/${chance.int(1, 999)})` : chance.pick(['**', '`', '[', '_']) + inner();
}

function code(chance: SeededRandom): string {
  const fence = chance.pick(['```', '~~~', '````']);
  const lines = chance.list(0, 14, () => (chance.hits(0.2) ? '' : `${'  '.repeat(chance.int(0, 3))}${words(chance, 8)}`));
  return [`${fence}${chance.pick(['', 'ts', 'python'])}`, ...lines, fence].join('\n');
}

function table(chance: SeededRandom): string {
  const columns = chance.int(1, 4);
  const row = (make: () => string): string => `| ${Array.from({ length: columns }, make).join(' | ')} |`;
  return [
    row(() => chance.pick(['$', '%%%%'])),
    row(() => '---'),
    ...chance.list(0, 12, () => row(() => word(chance).replaceAll('|', '/'))),
  ].join('\n');
}

function list(chance: SeededRandom, depth: number): string {
  const mark = chance.pick(['- ', '1. ', '- [x] ', '* ']);
  const indent = ' '.repeat(mark === '1. ' ? 3 : 2);
  const set = (text: string): string => text.replaceAll(/\n(?=.)/g, `\n${indent}`);
  const inner = (): string => (depth > 0 && chance.hits(0.4) ? `\n${block(chance, depth - 1)}` : '');
  return chance.list(1, 6, (index) => `${mark.replace('1', String(index + 1))}${set(words(chance, 12) + inner())}`).join('\n');
}

const quote = (chance: SeededRandom, depth: number): string =>
  chance
    .list(1, 3, () => block(chance, depth - 1))
    .join('\n\n')
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

function block(chance: SeededRandom, depth: number): string {
  const kind = chance.weighed({
    words: 6,
    lines: 2,
    heading: 1,
    code: 2,
    table: 1,
    rule: 0.3,
    list: depth > 0 ? 3 : 0,
    quote: depth > 0 ? 1 : 0,
  });
  if (kind === 'words') return words(chance, 60);
  if (kind === 'lines') return chance.list(1, 8, () => words(chance, 10)).join('\n');
  if (kind === 'heading') return `${'#'.repeat(chance.int(1, 4))} ${words(chance, 6)}`;
  if (kind === 'code') return code(chance);
  if (kind === 'table') return table(chance);
  if (kind === 'list') return list(chance, depth);
  return kind === 'quote' ? quote(chance, depth) : '---';
}

/** A document as a model writes it, with everything in it that is hard to cut. */
export const randomDocument = (chance: SeededRandom, depth = 2): string =>
  chance.list(1, chance.pick([1, 2, 3, 8]), () => block(chance, depth)).join(chance.pick(['\n\n', '\n\n', '\n']));

const escape = (text: string): string => text.replaceAll(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
const join = (parts: readonly string[]): string => parts.join('');
/** A look with escapes, and with tables set in columns. */
const WIRE: MarkdownFold<string, string> = {
  text: escape,
  strong: (children) => `*${join(children)}*`,
  emphasis: (children) => `_${join(children)}_`,
  strike: (children) => `~${join(children)}~`,
  spoiler: (children) => `||${join(children)}||`,
  inlineCode: (text) => `\`${text.replaceAll(/[`\\]/g, '\\$&')}\``,
  link: (children, { href }) => `[${join(children)}](${href.replaceAll(/[)\\]/g, '\\$&')})`,
  image: ({ alt, href }) => `[${escape(alt)}](${href})`,
  break: () => '\n',
  paragraph: join,
  heading: (children) => `*${join(children)}*`,
  list: (items) => items.map(({ number, blocks }) => `${number === undefined ? '•' : `${number}\\.`} ${blocks.join('\n  ')}`).join('\n'),
  quote: (blocks) => `>${blocks.join('\n\n').replaceAll('\n', '\n>')}`,
  code: ({ text, language }) => `\`\`\`${language}\n${text.replaceAll(/[`\\]/g, '\\$&')}\n\`\`\``,
  table: ({ head, rows }) => {
    const lines = [head, ...rows].map((row) => row.map(join));
    const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
    return `\`\`\`\n${lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' ')).join('\n')}\n\`\`\``;
  },
  rule: () => '———',
  html: escape,
};
export const renderWire = (markdown: string): string => foldMarkdown(parseMarkdown(markdown), WIRE).join('\n\n');

/** Words alone, to compare; what stands above a table is said again with each part of it. */
const SAID: MarkdownFold<string, string> = {
  ...WIRE,
  text: (text) => text,
  inlineCode: (text) => text,
  list: (items) => items.map(({ blocks }) => join(blocks)).join(''),
  code: ({ text }) => text,
  table: ({ rows }) => rows.map((row) => row.map(join).join('')).join(''),
};
export const renderWords = (markdown: string): string => foldMarkdown(parseMarkdown(markdown), SAID).join('\n');
