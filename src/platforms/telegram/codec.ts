import { closesFence, isRule, isTableRow, isTableRule, parseFence, styleTextLine } from '../../base/markdown/block.ts';
import type { MarkdownPaint } from '../../base/markdown/flow.ts';
import { parseInline, type TextRun } from '../../base/markdown/inline.ts';
import { drawTable } from '../../base/markdown/table.ts';
import { plain } from '../../base/screen/paint.ts';

/** How a piece of Markdown is written for Telegram. */
interface TelegramLook {
  text(words: string): string;
  code(words: string): string;
  fence(code: string, language: string): string;
  quote(line: string): string;
  /** The marks around a stretch; `link:ADDRESS` for one that leads somewhere. */
  marks(style: string): readonly [open: string, close: string];
  /** Whether the address of a link needs no words beside it. */
  readonly hidesAddresses: boolean;
}

/** Wider than this a telephone breaks the lines of a block of code. */
const TABLE_COLUMNS = 48;
const RESERVED = /[_*[\]()~`>#+\-=|{}.!\\]/g;
const escapeCode = (code: string): string => code.replaceAll(/[`\\]/g, String.raw`\$&`);

const STYLED: Readonly<Record<string, string>> = { strong: '*', emphasis: '_', struck: '~' };

const MARKDOWN_V2: TelegramLook = {
  text: (words) => words.replaceAll(RESERVED, String.raw`\$&`),
  code: (words) => `\`${escapeCode(words)}\``,
  fence: (code, language) => `\`\`\`${language.replaceAll(/[`\\]/g, '')}\n${escapeCode(code)}\n\`\`\``,
  quote: (line) => `>${line}`,
  marks: (style) => {
    const mark = STYLED[style];
    return mark === undefined ? ['[', `](${style.slice('link:'.length).replaceAll(/[)\\]/g, String.raw`\$&`)})`] : [mark, mark];
  },
  hidesAddresses: true,
};

const PLAIN: TelegramLook = {
  text: (words) => words,
  code: (words) => words,
  fence: (code) => code,
  quote: (line) => `> ${line}`,
  marks: () => ['', ''],
  hidesAddresses: false,
};

/** MarkdownV2. Every mark it opens it closes in the same line, and whatever is no mark is escaped. */
export const toMarkdownV2 = (markdown: string): string => render(markdown, MARKDOWN_V2);
/** The words alone, for when Telegram does not take the marks. */
export const toPlainText = (markdown: string): string => render(markdown, PLAIN);

function render(markdown: string, look: TelegramLook): string {
  const lines = markdown.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = blockEnd(lines, at);
    out.push(renderBlock(lines.slice(at, end), look));
    at = end;
  }
  return out.join('\n');
}

/** A fence with what is in it, a table, or one line. */
function blockEnd(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  const fence = parseFence(line);
  if (fence !== undefined) {
    const close = lines.findIndex((each, index) => index > at && closesFence(each, fence));
    return close < 0 ? lines.length : close + 1;
  }
  if (!isTable(line, lines[at + 1])) return at + 1;
  const after = lines.findIndex((each, index) => index > at && !isTableRow(each));
  return after < 0 ? lines.length : after;
}
const isTable = (line: string, next = ''): boolean => isTableRow(line) && isTableRule(next);

function renderBlock(lines: readonly string[], look: TelegramLook): string {
  const [first = '', second] = lines;
  const fence = parseFence(first);
  if (fence !== undefined) {
    const isClosed = lines.length > 1 && closesFence(lines.at(-1) ?? '', fence);
    return look.fence(lines.slice(1, isClosed ? -1 : undefined).join('\n'), fence.language);
  }
  if (isTable(first, second)) return look.fence(drawTable(lines, { paint: BARE, columns: TABLE_COLUMNS }).trimEnd(), '');
  return isRule(first) ? look.text('———') : renderLine(first, look);
}

/** Nothing is painted: headings and quotations are only told apart by what is laid over them. */
const heading = (text: string): string => text;
const quote = (text: string): string => text;
const BARE: MarkdownPaint = { ...plain, heading, quote };
/** With a look of its own for what is strong, the signs of a heading need not be shown. */
const SIGNED: MarkdownPaint = { ...BARE, strong: (text) => `**${text}**` };

function renderLine(line: string, look: TelegramLook): string {
  const { first, body, over } = styleTextLine(line, SIGNED);
  const { runs } = parseInline(body, false);
  if (over === quote) return look.quote(renderRuns(runs, look));
  if (over === heading) return renderRuns(runs.map(strengthen), look);
  return look.text(first) + renderRuns(runs, look);
}
const strengthen = (run: TextRun): TextRun => ({ ...run, styles: ['strong', ...run.styles.filter((style) => style !== 'strong')] });

/** Marks stay open from run to run as long as both have them, so that none closes and opens at one place. */
function renderRuns(runs: readonly TextRun[], look: TelegramLook): string {
  let out = '';
  let open: readonly string[] = [];
  const turnTo = (styles: readonly string[]): void => {
    const shared = styles.findIndex((style, index) => open[index] !== style);
    const kept = shared < 0 ? styles.length : shared;
    out += open
      .slice(kept)
      .toReversed()
      .map((style) => look.marks(style)[1])
      .join('');
    out += styles
      .slice(kept)
      .map((style) => look.marks(style)[0])
      .join('');
    open = styles;
  };
  for (const run of runs) {
    if (look.hidesAddresses && run.href !== undefined && run.styles.includes('aside')) continue;
    // Telegram lets code hold nothing and stand in nothing.
    const isCode = run.styles.includes('code');
    turnTo(isCode ? [] : stylesOf(run));
    out += isCode ? look.code(run.text) : look.text(run.text);
  }
  turnTo([]);
  return out;
}

const stylesOf = ({ styles, href }: TextRun): string[] =>
  styles.flatMap((style) => {
    if (style === 'link') return href === undefined ? [] : [`link:${href}`];
    return STYLED[style] === undefined ? [] : [style];
  });
