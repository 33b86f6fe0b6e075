import { splitByWidth, measureWidth } from '../../../base/width.ts';
import { toPrintable } from '../../../base/printable.ts';
import type { CompletedCommand } from '../../../contracts/host.ts';
import type { DrawContext, StyleName } from '../contract.ts';
import { drawMarkdown } from './markdown/live.ts';
import { toMarkdownContext, wrapForeign } from './text.ts';

type DrawResult = (done: CompletedCommand, context: DrawContext) => string[];

/** Commands whose result is more than plain lines. */
const DRAWN: Readonly<Record<string, DrawResult>> = {
  help: drawHelp,
  btw: ({ text }, context) => drawMarkdown(text, toMarkdownContext(context)),
  diff: drawPatch,
  'rollback diff': drawPatch,
  'tools list': drawPairs,
  toolsets: drawPairs,
  'skills list': drawPairs,
  personality: drawPairs,
};

/** What a command gave as painted lines; nothing for one whose plain lines say it all. */
export const drawCommandResult = (done: CompletedCommand, context: DrawContext): string[] | undefined =>
  Object.hasOwn(DRAWN, done.command.name) ? DRAWN[done.command.name]?.(done, context) : undefined;

interface Pair {
  readonly term: string;
  readonly about: string;
}
/** Narrower than this an explanation stands below its term, not beside it. */
const LEAST_BESIDE = 64;
const WIDEST_TERM = 30;

/** Terms on the left and what is to be said of each on the right. */
function drawColumns(pairs: readonly Pair[], { columns, style }: DrawContext, widest = widestTerm(pairs)): string[] {
  const beside = columns >= LEAST_BESIDE ? widest + 4 : undefined;
  return pairs.flatMap(({ term, about }) => {
    const width = measureWidth(term);
    const isBeside = beside !== undefined && width <= beside - 4;
    const indent = beside ?? 4;
    const lines = wrapForeign(about, Math.max(8, columns - indent)).map((line) => `${' '.repeat(indent)}${line}`);
    const painted = wrapForeign(`  ${term}`, columns).map((line) => style('accent', line));
    if (!isBeside) return [...painted, ...lines];
    return [`${painted.join('')}${' '.repeat(indent - 2 - width)}${(lines[0] ?? '').trimStart()}`, ...lines.slice(1)];
  });
}

/** One that is too long stands on a line of its own, and the others need not wait for it. */
const widestTerm = (pairs: readonly Pair[]): number =>
  Math.max(0, ...pairs.map(({ term }) => measureWidth(term)).filter((width) => width <= WIDEST_TERM));

/** The overview by groups; the help of one command is a list of what it takes. */
function drawHelp({ text }: Pick<CompletedCommand, 'text'>, context: DrawContext): string[] {
  if (text.startsWith('/')) return drawPairs({ text }, context);
  const lines = toPrintable(text).split('\n');
  const widest = widestTerm(lines.flatMap((line) => readHelpLine(line) ?? []));
  return lines.flatMap((line) => {
    const pair = readHelpLine(line);
    if (pair !== undefined) return drawColumns([pair], context, widest);
    return wrapForeign(line, context.columns).map((part) => (part === '' ? '' : context.style('heading', part)));
  });
}

/** Other names go behind the words; options are told by the help of one command. */
function readHelpLine(line: string): Pair | undefined {
  const [, names, summary] = /^ {2}(\/.+?): (.+)$/.exec(line) ?? [];
  if (names === undefined || summary === undefined) return undefined;
  const [usage = '', ...others] = names.split(/, (?=\/)/);
  return {
    term: usage.replace(/ \[(?:--[^\]]*|options)\]/g, ''),
    about: others.length === 0 ? summary : `${summary} (also ${others.join(', ')})`,
  };
}

/** Lines such as `name: what it is`; others stay as they are. */
function drawPairs({ text }: Pick<CompletedCommand, 'text'>, context: DrawContext): string[] {
  const drawn: string[] = [];
  let open: Pair[] = [];
  const flush = (): void => {
    drawn.push(...drawColumns(open, context));
    open = [];
  };
  for (const line of toPrintable(text).trimEnd().split('\n')) {
    const [, term, about] = /^ *(\/[^:]*|--[a-z][a-z-]*(?: <[^>]*>)?|(?:\* )?[a-z0-9][\w-]*): (.+)$/.exec(line) ?? [];
    if (term !== undefined && about !== undefined) open.push({ term, about });
    else {
      flush();
      drawn.push(...wrapForeign(line, context.columns));
    }
  }
  flush();
  return drawn;
}

const PATCH_LOOKS: readonly (readonly [start: RegExp, look: StyleName])[] = [
  [/^(?:\+\+\+|---|diff) /, 'strong'],
  [/^@@ /, 'faint'],
  [/^\+/, 'diff.added'],
  [/^-/, 'diff.removed'],
];

/** A unified diff in its colors; a line that is too long goes on below. */
function drawPatch({ text }: Pick<CompletedCommand, 'text'>, { columns, style }: DrawContext): string[] {
  return toPrintable(text)
    .replaceAll('\t', '    ')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const look = PATCH_LOOKS.find(([start]) => start.test(line))?.[1] ?? 'diff.context';
      return splitByWidth(line, columns).map((slice) => (slice === '' ? '' : style(look, slice)));
    });
}
