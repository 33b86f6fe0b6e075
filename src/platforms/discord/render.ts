import { fenceCode } from '../../base/markdown/code.ts';
import { foldMarkdown, type FoldedItem, type FoldedTable, type MarkdownFold } from '../../base/markdown/fold.ts';
import { parseMarkdown } from '../../base/markdown/tree.ts';
import { measureWidth } from '../../base/width.ts';

const join = (parts: readonly string[]): string => parts.join('');
const wrap = (mark: string) => (children: readonly string[]) => `${mark}${join(children)}${mark}`;

/** Discord's own Markdown: it knows no tables, rules, pictures or deep headings, so these become what it does show. */
const DISCORD: MarkdownFold<string, string> = {
  text: escapeText,
  strong: wrap('**'),
  emphasis: wrap('*'),
  strike: wrap('~~'),
  spoiler: wrap('||'),
  inlineCode: (text) => quoteInline(text),
  link: (children, { href }) => linkTo(join(children), href),
  image: ({ alt, href }) => linkTo(escapeText(alt), href),
  break: () => '\n',
  paragraph: (children) => escapeStarts(join(children)),
  heading: (children, { level }) =>
    level <= 3 ? `${'#'.repeat(level)} ${join(children).replace(/#+$/, String.raw`\$&`)}` : `**${join(children)}**`,
  list: (items) => items.map(listItem).join('\n'),
  quote: (blocks) => indent(blocks.join('\n\n'), '> '),
  code: ({ text, language }) => fenceCode(text).replace(/^`+/, (ticks) => `${ticks}${/^[\w+#.-]*$/.test(language) ? language : ''}`),
  table: drawTable,
  rule: () => '───',
  html: (text) => escapeStarts(escapeText(text)),
};

export const renderDiscord = (markdown: string): string => foldMarkdown(parseMarkdown(markdown), DISCORD).join('\n\n');

/** Signs that Discord would take for marks are shielded; an address stays as it is, or it would not be one any more. */
function escapeText(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*_~`|]/g, String.raw`\$&`)))
    .join('');
}

/** A line of text that begins like a heading, a quote or an item is still text. */
const escapeStarts = (text: string): string =>
  text.replaceAll(/^(\s*)(-#|#{1,3}|>{1,3}|[-+])(?=\s|$)/gm, String.raw`$1\$2`).replaceAll(/^(\s*\d+)\.(?=\s|$)/gm, String.raw`$1\.`);

function linkTo(label: string, href: string): string {
  // A label that is the address itself is refused as a link.
  return label === '' || label === href || !/^https?:/.test(href) ? (href === '' ? label : plainLink(label, href)) : `[${label}](${href})`;
}
const plainLink = (label: string, href: string): string => (label === '' || label === href ? href : `${label} (${href})`);

function quoteInline(text: string): string {
  const ticks = text.includes('`') ? '``' : '`';
  return ticks === '`' ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function listItem({ item, number, blocks }: FoldedItem<string>): string {
  const mark = number === undefined ? '-' : `${number}.`;
  const box = item.checked === undefined ? '' : item.checked ? '☑ ' : '☐ ';
  const [first = '', ...others] = blocks.join('\n').split('\n');
  const inner = ' '.repeat(mark.length + 1);
  return [`${mark} ${box}${first}`, ...others.map((line) => (line === '' ? '' : `${inner}${line}`))].join('\n');
}

/** Columns of equal width in a block of code, where nothing is a mark. */
function drawTable({ head, rows }: FoldedTable<string>): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => unescape(join(cell))));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => measureWidth(row[column] ?? ''))));
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => `${row[column] ?? ''}${' '.repeat(width - measureWidth(row[column] ?? ''))}`)
      .join('  ')
      .trimEnd();
  const [first = [], ...others] = cells;
  return fenceCode([line(first), widths.map((width) => '─'.repeat(width)).join('  '), ...others.map(line)].join('\n'));
}
const unescape = (text: string): string => text.replaceAll(/\\([\\*_~`|])/g, '$1').replaceAll('\n', ' ');

const indent = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => `${mark}${line}`.trimEnd())
    .join('\n');
