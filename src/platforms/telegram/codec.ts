import { foldMarkdown, type FoldedItem, type FoldedTable, type MarkdownFold } from '../../base/markdown/fold.ts';
import { parseMarkdown } from '../../base/markdown/tree.ts';
import { measureWidth } from '../../base/width.ts';

/** Words with the marks around them, the outer ones first; `link:ADDRESS` for one that leads somewhere. */
interface MarkedRun {
  readonly text: string;
  readonly marks: readonly string[];
  /** Telegram lets code hold nothing and stand in nothing. */
  readonly isCode?: true;
}
type MarkedWords = readonly MarkedRun[];
/** A line as it goes out. One that is fixed is not set in: marks at its beginning, or the blanks of code, count there. */
interface TelegramLine {
  readonly text: string;
  readonly isFixed?: true;
}
type TelegramLines = readonly TelegramLine[];

const MARKS: Readonly<Record<string, string>> = { strong: '*', emphasis: '_', strike: '~', spoiler: '||' };
/** Wider than this a telephone breaks the lines of a table. */
const MAX_TABLE_COLUMNS = 48;
const COLUMN_GAP = '  ';

const escapeText = (text: string): string => text.replaceAll(/[_*[\]()~`>#+\-=|{}.!\\]/g, String.raw`\$&`);
const escapeCode = (text: string): string => text.replaceAll(/[`\\]/g, String.raw`\$&`);
const plainRun = (text: string): MarkedWords => (text === '' ? [] : [{ text, marks: [] }]);
const within =
  (mark: string) =>
  (children: readonly MarkedWords[]): MarkedWords =>
    children.flat().map((run) => ({ ...run, marks: [mark, ...run.marks.filter((each) => each !== mark)] }));

const toLines = (words: MarkedWords): TelegramLines =>
  renderRuns(words)
    .split('\n')
    .map((text) => ({ text }));
const BLANK: TelegramLine = { text: '' };
const apart = (blocks: readonly TelegramLines[]): TelegramLines =>
  blocks.filter((block) => block.length > 0).flatMap((block, at) => (at === 0 ? block : [BLANK, ...block]));

const MARKDOWN_V2: MarkdownFold<MarkedWords, TelegramLines> = {
  text: plainRun,
  strong: within('strong'),
  emphasis: within('emphasis'),
  strike: within('strike'),
  spoiler: within('spoiler'),
  inlineCode: (text) => [{ text, marks: [], isCode: true }],
  link: (children, { href }) => linked(children.flat(), href),
  image: ({ alt, href }) => linked(plainRun(alt === '' ? href : alt), href),
  break: () => plainRun('\n'),
  paragraph: (children) => toLines(children.flat()),
  heading: (children) => toLines(within('strong')(children)),
  list: (items) => items.flatMap(itemLines),
  // A quotation within another is only shown by its sign.
  quote: (blocks, { quotes }) =>
    apart(blocks).map(({ text }) => (quotes > 0 ? { text: `\\> ${text}` } : { text: `>${text}`, isFixed: true })),
  code: ({ text, language }, { quotes }) => codeLines(text, language, quotes > 0),
  table: (cells, _, { quotes }) => tableLines(cells, quotes > 0),
  rule: () => [{ text: '———' }],
  html: (text) => toLines(plainRun(text)),
};

/** MarkdownV2. Every mark it opens it closes in the same line, and whatever is no mark is escaped. */
export const toMarkdownV2 = (markdown: string): string =>
  apart(foldMarkdown(parseMarkdown(markdown), MARKDOWN_V2))
    .map(({ text }) => text)
    .join('\n');

/** Only pages and mail can be opened there; another address stands behind its words. */
function linked(words: MarkedWords, href: string): MarkedWords {
  if (/^(?:https?|mailto|tg):[!-~]+$/.test(href)) return within(`link:${href}`)([words.length === 0 ? plainRun(href) : words]);
  const shown = words.map(({ text }) => text).join('');
  return href === '' || href === shown ? words : [...words, ...plainRun(` (${href})`)];
}

function itemLines({ item, number, blocks }: FoldedItem<TelegramLines>): TelegramLines {
  const box = item.checked === undefined ? '' : item.checked ? '☑ ' : '☐ ';
  const mark = `${number === undefined ? '•' : `${number}\\.`} ${box}`;
  const [first = BLANK, ...others] = blocks.flat();
  const rest = others.map((line) => (line.isFixed === true || line.text === '' ? line : { text: `  ${line.text}` }));
  return first.isFixed === true ? [{ text: mark.trimEnd() }, first, ...rest] : [{ text: `${mark}${first.text}` }, ...rest];
}

/** In a quotation each line needs the quotation's mark, which a block of code would show. */
function codeLines(code: string, language: string, isQuoted: boolean): TelegramLines {
  // Telegram refuses marks around nothing.
  if (code.trim() === '') return [];
  const lines = code.split('\n');
  if (isQuoted) return lines.map((text) => ({ text: text === '' ? '' : `\`${escapeCode(text)}\`` }));
  const all = [`\`\`\`${language.replaceAll(/[`\\]/g, '')}`, ...lines.map(escapeCode), '```'];
  return all.map((text) => ({ text, isFixed: true }));
}

/** Columns in a block of code; a table that is too wide for that as a list for each row. */
function tableLines({ head, rows }: FoldedTable<MarkedWords>, isQuoted: boolean): TelegramLines {
  const words = (cell: readonly MarkedWords[] = []): string =>
    cell
      .flat()
      .map(({ text }) => text.replaceAll('\n', ' '))
      .join('');
  const table = [head, ...rows].map((row) => row.map(words));
  const widths = head.map((_, column) => Math.max(...table.map((row) => measureWidth(row[column] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width + COLUMN_GAP.length, -COLUMN_GAP.length);
  if (total > MAX_TABLE_COLUMNS) return apart(rows.map((row) => rowLines(head, row)));
  const draw = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - measureWidth(cell)))
      .join(COLUMN_GAP)
      .trimEnd();
  const [names = [], ...others] = table;
  const rule = widths.map((width) => '─'.repeat(width)).join(COLUMN_GAP);
  return codeLines([draw(names), rule, ...others.map(draw)].join('\n'), '', isQuoted);
}

function rowLines(head: FoldedTable<MarkedWords>['head'], [title = [], ...cells]: FoldedTable<MarkedWords>['head']): TelegramLines {
  const name = (column: number): MarkedWords => (head[column] ?? []).flat();
  const listed = cells.map((cell, index) => [...plainRun('• '), ...name(index + 1), ...plainRun(': '), ...cell.flat()]);
  return [within('strong')(title), ...listed].flatMap(toLines);
}

/** Marks stay open from run to run as long as both have them, so that none closes and opens at one place; none goes over a line. */
function renderRuns(runs: MarkedWords): string {
  let out = '';
  let open: readonly string[] = [];
  const turnTo = (marks: readonly string[]): void => {
    const differ = marks.findIndex((mark, index) => open[index] !== mark);
    const kept = differ < 0 ? marks.length : differ;
    out += open.slice(kept).toReversed().map(closing).join('') + marks.slice(kept).map(opening).join('');
    open = marks;
  };
  for (const { text, marks, isCode } of runs.flatMap(splitRun)) {
    turnTo(isCode === true || text === '\n' ? [] : marks);
    out += isCode === true ? `\`${escapeCode(text)}\`` : escapeText(text);
  }
  turnTo([]);
  return out;
}
const splitRun = (run: MarkedRun): MarkedWords =>
  run.text
    .split(/(\n)/)
    .filter((text) => text !== '')
    .map((text) => ({ ...run, text }));

const opening = (mark: string): string => MARKS[mark] ?? '[';
const closing = (mark: string): string => MARKS[mark] ?? `](${mark.slice('link:'.length).replaceAll(/[)\\]/g, String.raw`\$&`)})`;
