import { foldInline, foldMarkdown, type FoldedItem, type MarkdownFold } from '../../base/markdown/fold.ts';
import type { MarkdownCell } from '../../base/markdown/nodes.ts';
import { PLAIN_FOLD } from '../../base/markdown/plain.ts';
import { parseMarkdown } from '../../base/markdown/tree.ts';
import { measureWidth, padEndTo } from '../../base/width.ts';

/** Stands beside a mark until it is known whether a letter follows: Slack reads marks only between words. */
const EDGE = '\uE000';
const NOTHING = '\u200B';

const join = (parts: readonly string[]): string => parts.join('');

/** A mark around each line: Slack's looks end with the line. */
const mark = (sign: string) => (children: readonly string[]) =>
  join(children)
    .split('\n')
    .map((line) => (line.trim() === '' ? line : `${EDGE}${sign}${line}${sign}${EDGE}`))
    .join('\n');

const MRKDWN: MarkdownFold<string, string> = {
  text: (text) => escapeText(text),
  strong: (children) => mark('*')([dropMark(join(children), '*')]),
  emphasis: (children) => mark('_')([dropMark(join(children), '_')]),
  strike: (children) => mark('~')([dropMark(join(children), '~')]),
  spoiler: join,
  // Nothing can stand for a backtick within backticks.
  inlineCode: (text) => (text.includes('`') ? escapeText(text) : `${EDGE}\`${escapeSigns(text)}\`${EDGE}`),
  link: (children, { href }) => link(join(children), href),
  image: ({ alt, href }) => link(escapeText(alt), href),
  break: () => '\n',
  paragraph: join,
  heading: (children) => mark('*')([dropMark(join(children), '*')]),
  list: (items) => items.map(renderItem).join('\n'),
  quote: (blocks) => prefixLines(blocks.join('\n\n'), '> '),
  code: ({ text }) => fence(text),
  // Within a fence there are no looks: cells are plain words.
  table: (_, { head, rows }) => fence(drawTable([head, ...rows].map((row) => row.map(plainCell)))),
  rule: () => '———',
  html: (text) => escapeText(text),
};

/** Markdown as Slack's own markup, mrkdwn. */
export function renderMrkdwn(markdown: string): string {
  const blocks = foldMarkdown(parseMarkdown(markdown.replaceAll(EDGE, '')), MRKDWN);
  return settleEdges(blocks.join('\n\n'));
}

const settleEdges = (text: string): string =>
  text.replaceAll(/(?<=[\p{L}\p{N}])\uE000|\uE000(?=[\p{L}\p{N}])/gu, NOTHING).replaceAll(EDGE, '');

/** A mark within the same mark would close it. */
const dropMark = (text: string, sign: string): string => text.replaceAll(`${EDGE}${sign}`, '').replaceAll(`${sign}${EDGE}`, '');

const escapeSigns = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Words as they are: a sign that Slack would take for a mark is kept from being one. A person's mention stays a mention. */
const escapeText = (text: string): string =>
  escapeSigns(text)
    .replaceAll(/&lt;@([UW][A-Z0-9]+)&gt;/g, '<@$1>')
    .replaceAll(/(?<![\p{L}\p{N}])([*_~`])(?=\S)/gu, `$1${NOTHING}`);

function link(label: string, href: string): string {
  const words = label.replaceAll(EDGE, '');
  if (!/^(?:https?|mailto):/i.test(href)) return words === '' ? escapeText(href) : `${label} (${escapeText(href)})`;
  const address = escapeSigns(href).replaceAll('|', '%7C');
  return words === '' || words === address ? `<${address}>` : `<${address}|${words.replaceAll('\n', ' ')}>`;
}

const fence = (text: string): string => `\`\`\`\n${escapeSigns(text).replaceAll('```', `\`\`${NOTHING}\``)}\n\`\`\``;

function renderItem({ item, number, blocks }: FoldedItem<string>): string {
  const sign = number === undefined ? '•' : `${number}.`;
  const box = item.checked === undefined ? '' : item.checked ? '☑ ' : '☐ ';
  const [first = '', ...others] = blocks.join('\n').split('\n');
  return [`${sign} ${box}${first}`, ...others.map((line) => (line === '' ? '' : `    ${line}`))].join('\n');
}

const prefixLines = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => `${prefix}${line}`.trimEnd())
    .join('\n');

const plainCell = (cell: MarkdownCell): string => foldInline(cell, PLAIN_FOLD).join('');

function drawTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => measureWidth(row[column] ?? ''))));
  const drawRow = (row: readonly string[]) =>
    widths
      .map((width, column) => padEndTo(row[column] ?? '', width))
      .join('  ')
      .trimEnd();
  return [drawRow(head), widths.map((width) => '-'.repeat(width)).join('  '), ...others.map(drawRow)].join('\n');
}

/** What a person wrote in Slack, as Markdown. */
export function readMrkdwn(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, index) => unescapeSigns(index % 2 === 1 ? part : readWords(part)))
    .join('');
}

const readWords = (text: string): string =>
  text
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '**$1**')
    .replaceAll(/(?<![\p{L}\p{N}~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\p{L}\p{N}~])/gu, '~~$1~~')
    .replaceAll(/<#([A-Z0-9]+)\|([^>]*)>/g, (_, id: string, name: string) => (name === '' ? `#${id}` : `#${name}`))
    .replaceAll(/<!(here|channel|everyone)(?:\|[^>]*)?>/g, '@$1')
    .replaceAll(/<((?:https?|mailto):[^|>]+)\|([^>]*)>/g, (_, url: string, label: string) => readLink(url, label))
    .replaceAll(/<((?:https?|mailto):[^|>]+)>/g, '$1');

const readLink = (url: string, label: string): string => (url === label || url === `mailto:${label}` ? label : `[${label}](${url})`);

const unescapeSigns = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
