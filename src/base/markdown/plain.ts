import { foldMarkdown, type FoldedItem, type MarkdownFold } from './fold.ts';
import { parseMarkdown } from './tree.ts';

const join = (parts: readonly string[]): string => parts.join('');
const beside = (label: string, href: string): string => {
  if (label === '') return href;
  return label === href || `mailto:${label}` === href ? label : `${label} (${href})`;
};

/** The words without their marks, for a place that knows no look: an address stands behind its link. */
export const PLAIN_FOLD: MarkdownFold<string, string> = {
  text: (text) => text,
  strong: join,
  emphasis: join,
  strike: join,
  spoiler: join,
  inlineCode: (text) => text,
  link: (children, { href }) => beside(join(children), href),
  image: ({ alt, href }) => beside(alt, href),
  break: () => '\n',
  paragraph: join,
  heading: join,
  list: (items) => items.map(plainItem).join('\n'),
  quote: (blocks) => indent(blocks.join('\n\n'), '> '),
  code: ({ text }) => text,
  table: ({ head, rows }) => [head, ...rows].map((row) => row.map(join).join(' | ')).join('\n'),
  rule: () => '---',
  html: (text) => text,
};

export const renderPlain = (markdown: string): string => foldMarkdown(parseMarkdown(markdown), PLAIN_FOLD).join('\n\n');

function plainItem({ item, number, blocks }: FoldedItem<string>): string {
  const mark = number === undefined ? '•' : `${number}.`;
  const box = item.checked === undefined ? '' : item.checked ? '☑ ' : '☐ ';
  const [first = '', ...others] = blocks.join('\n').split('\n');
  return [`${mark} ${box}${first}`, ...others.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
}

const indent = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => `${mark}${line}`.trimEnd())
    .join('\n');
