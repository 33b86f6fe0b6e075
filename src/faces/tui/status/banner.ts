import { toOneLine, toPrintable } from '../../../base/printable.ts';
import { formatCount } from '../../../base/screen/figures.ts';
import { fitWidth, measureWidth } from '../../../base/width.ts';
import type { DrawContext } from '../contract.ts';
import { wrapForeign } from '../draw/text.ts';

/** What is told when the terminal face starts. */
export interface BannerFacts {
  readonly name: string;
  readonly version: string;
  readonly model: string;
  readonly provider: string;
  /** Whether the provider's cache is used: where, and how long it keeps a prompt (`5m`); nothing where it is off. */
  readonly caching: string;
  readonly tools: number;
  readonly skills: number;
  readonly folder: string;
  readonly session?: string;
  /** Set when a stored session goes on. */
  readonly resumed?: { readonly title?: string; readonly messages: number };
  /** Keys worth knowing, each with what it does: `Ctrl-C interrupts`. */
  readonly hints: readonly string[];
  /** The owner's own picture and words. */
  readonly logo?: string;
  readonly welcome?: string;
}

const LABEL_COLUMNS = 10;
const MAX_LOGO_LINES = 12;

/** A few aligned lines: what runs, where, and how to go on. */
export function drawBanner(facts: BannerFacts, { columns, style }: Pick<DrawContext, 'columns' | 'style'>): string[] {
  const { name, version, resumed, welcome } = facts;
  const title = `${style('heading', toOneLine(name))} ${style('faint', version)}`;
  const rows = rowsOf(facts).flatMap(([label, text]) => drawRow(label, text, columns, style));
  const hints = fillLines(facts.hints, columns).map((line) => style('faint', line));
  const going =
    resumed === undefined
      ? []
      : wrapForeign(
          `Resumed ${resumed.title === undefined ? 'the session' : `“${toOneLine(resumed.title)}”`} with ${formatCount(resumed.messages, 'message')}`,
          columns,
        ).map((line) => style('text', line));
  return [
    ...drawLogo(facts.logo, columns, style),
    title,
    ...rows,
    ...going,
    ...(welcome === undefined ? [] : wrapForeign(welcome, columns).map((line) => style('text', line))),
    ...hints,
  ];
}

/** A picture that is too wide for the screen is left out. */
function drawLogo(logo: string | undefined, columns: number, style: DrawContext['style']): string[] {
  const lines = logo === undefined ? [] : toPrintable(logo).replace(/\n+$/, '').split('\n').slice(0, MAX_LOGO_LINES);
  return lines.some((line) => measureWidth(line) > columns) ? [] : lines.map((line) => style('accent', line.trimEnd()));
}

function rowsOf({ model, provider, caching, tools, skills, folder, session }: BannerFacts): readonly (readonly [string, string])[] {
  return [
    ['model', `${model} (${provider})`],
    ['cache', `Prompt caching: ${caching}`],
    ['tools', `${formatCount(tools, 'tool')}, ${formatCount(skills, 'skill')}`],
    ['folder', folder],
    ...(session === undefined ? [] : [['session', session] as const]),
  ];
}

function drawRow(label: string, text: string, columns: number, style: DrawContext['style']): string[] {
  const words = toOneLine(text);
  if (words === '') return [];
  const room = Math.max(8, columns - LABEL_COLUMNS);
  return wrapForeign(words, room).map(
    (line, index) => `${style('faint', (index === 0 ? label : '').padEnd(LABEL_COLUMNS))}${style('text', line)}`,
  );
}

/** Short texts in as few lines as they take. */
function fillLines(texts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && measureWidth(`${last} · ${text}`) <= columns) lines[lines.length - 1] = `${last} · ${text}`;
    else lines.push(fitWidth(text, columns));
  }
  return lines;
}
