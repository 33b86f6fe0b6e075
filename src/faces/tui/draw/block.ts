import { measurePaintedWidth } from '../../../base/markdown/flow.ts';
import { formatCount, formatWhole } from '../../../base/screen/figures.ts';
import { measureWidth } from '../../../base/width.ts';
import { formatClockTime, formatDuration, formatMoment } from '../../../base/screen/when.ts';
import type { CompactionReport, EntryOrigin } from '../../../contracts/entry.ts';
import type { AsideBlock, Block, DrawContext, StyleName } from '../contract.ts';
import { foldLines } from './fold.ts';
import { drawMarkdown } from './markdown/live.ts';
import { indentLines, toMarkdownContext, wrapForeign } from './text.ts';
import { drawThinking } from './thinking.ts';
import { drawToolBlock } from './tool-row.ts';

type OfKind<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

/** A block as lines, none wider than the columns. Given the same block and context it always draws the same. */
export function drawBlock(block: Block, context: DrawContext): string[] {
  switch (block.kind) {
    case 'user':
      return drawUser(block, context);
    case 'thinking':
      return drawThinking(block.text, context);
    case 'answer':
      return drawMarkdown(block.text, toMarkdownContext(context));
    case 'tool':
      return drawToolBlock(block, context);
    case 'outcome':
      return drawOutcome(block, context);
    case 'aside':
      return drawAside(block, context);
    case 'typed':
      return drawTyped(block.text, context);
    default:
      return drawMarker(describeMarker(block), context);
  }
}

/** What the last block printed was, as far as what stands below it depends on it. */
export interface BlockAbove {
  readonly kind: Block['kind'];
  /** Whether it has more than one line. */
  readonly tall: boolean;
  /** The tool of a call. */
  readonly tool?: string;
}
/** Markers of one line each: several read as one list. */
const MARKERS: ReadonlySet<Block['kind']> = new Set(['note', 'compaction', 'model', 'rewind']);

/** Whether an empty line stands between two blocks. Rows of calls without more, markers and asides read as one list. */
function needsGap(above: BlockAbove, block: Block): boolean {
  if (above.kind === 'tool' && block.kind === 'tool') return above.tall;
  if (block.kind === 'outcome' && block.outcome === 'answered') return false;
  if (above.kind === 'typed' && block.kind === 'aside') return false;
  if (above.kind === 'aside' && block.kind === 'aside') return block.command !== undefined;
  return !(MARKERS.has(above.kind) && MARKERS.has(block.kind));
}

/** What stands between two blocks. What comes of a message begins there for the terminal. */
export function drawGap(above: BlockAbove | undefined, block: Block, { marks }: DrawContext): string[] {
  if (above === undefined || !needsGap(above, block)) return [];
  return [above.kind === 'user' && marks !== undefined ? marks.output : ''];
}
export const toAbove = (block: Block, lines: readonly string[]): BlockAbove => ({
  kind: block.kind,
  tall: lines.length > 1,
  ...(block.kind === 'tool' && { tool: block.call.name }),
});

/** The lines of a block below another. Of calls alike in a row only the first may be wanted; one that failed is always told. */
export const drawBelow = (above: BlockAbove | undefined, block: Block, context: DrawContext): string[] =>
  block.kind === 'tool' && context.toolCalls === 'new' && above?.tool === block.call.name && block.state !== 'failed'
    ? []
    : drawBlock(block, context);

/** Blocks below each other, as they are printed. */
export function drawBlocks(blocks: readonly Block[], context: DrawContext): string[] {
  let above: BlockAbove | undefined;
  return blocks.flatMap((block) => {
    const lines = drawBelow(above, block, context);
    if (lines.length === 0) return [];
    const gap = drawGap(above, block, context);
    above = toAbove(block, lines);
    return [...gap, ...lines];
  });
}

/** Who else than the person at the keyboard may have sent a message. */
const SENDERS: Readonly<Partial<Record<EntryOrigin, string>>> = {
  cron: 'scheduled',
  hook: 'from a hook',
  system: 'from Hermes',
  nudge: 'told the model',
};
/** A message of the machine's is told in so many lines. */
const MACHINE_LINES = { head: 2, tail: 0 } as const;
/** Of a long message, such as one with a paste in it. */
const USER_LINES = { head: 8, tail: 3 } as const;

function drawUser({ text, origin, at, attachments = [] }: OfKind<'user'>, context: DrawContext): string[] {
  const { style, columns, marks } = context;
  const sender = SENDERS[origin];
  const sign = origin === 'steer' ? '↪' : (context.sign ?? DEFAULT_SIGN);
  const indent = ' '.repeat(measureWidth(sign) + 1);
  const room = Math.max(8, columns - indent.length);
  if (sender !== undefined) {
    const lines = wrapForeign(`${sender}: ${text}`, room).map((line) => style('faint', line));
    return foldLines(indentLines(lines, style('faint', '› '), '  '), MACHINE_LINES, context);
  }
  const lines = text === '' ? [] : wrapForeign(text, room).map((line) => (line === '' ? '' : style('user', line)));
  const named = attachments.length === 0 ? [] : wrapForeign(`[${attachments.join(', ')}]`, room).map((line) => style('faint', line));
  const drawnSign = `${style('prompt', sign)} `;
  const first = marks === undefined ? drawnSign : `${marks.prompt}${drawnSign}${marks.input}`;
  return addTime(foldLines(indentLines([...lines, ...named], first, indent), USER_LINES, context), at, context);
}

const DEFAULT_SIGN = '❯';

/** When a message came, behind its last line or below it; the day too where everything is shown. */
function addTime(lines: readonly string[], at: number, { timestamps, expanded, style, columns }: DrawContext): string[] {
  const last = lines.at(-1);
  if ((timestamps !== true && expanded !== true) || last === undefined) return [...lines];
  const time = expanded === true ? formatMoment(at) : formatClockTime(at).slice(0, 5);
  const fits = measurePaintedWidth(last) + time.length + 2 <= columns;
  return fits ? [...lines.slice(0, -1), `${last}  ${style('faint', time)}`] : [...lines, `  ${style('faint', time)}`];
}

function drawOutcome(block: OfKind<'outcome'>, context: DrawContext): string[] {
  const { outcome, at } = block;
  const { style, columns } = context;
  if (outcome === 'answered')
    return addTime([''], at, context)
      .filter((line) => line !== '')
      .map((line) => line.trimStart());
  const look: StyleName = outcome === 'failed' ? 'bad' : 'warn';
  const lines = wrapForeign(describeOutcome(block), Math.max(8, columns - 2)).map((line) => style(look, line));
  return addTime(indentLines(lines, style(look, outcome === 'failed' ? '✗ ' : '■ '), '  '), at, context);
}

/** How a turn ended, in words. */
export const describeOutcome = ({ outcome, exitReason, text }: OfKind<'outcome'>): string =>
  text.trim() === '' ? describeEnd(outcome, exitReason) : text.trim();

/** Words for an outcome whose text is the model's and stands above it. */
const describeEnd = (outcome: string, exitReason: string): string =>
  ENDS.get(exitReason) ?? (outcome === 'partial' ? 'The answer is not complete.' : `Stopped: ${exitReason.replaceAll('_', ' ')}.`);
const ENDS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    interrupted: 'Interrupted.',
    terminated: 'Stopped: the program was told to end.',
    truncated: 'The answer was cut off at its length limit.',
    cut_off: 'The answer broke off: the connection to the provider was lost.',
    turn_limit: 'Stopped: the turn reached its limit of model calls (agent.max_turns).',
    token_budget: 'Stopped: the token budget of this session is used up.',
    money_budget: 'Stopped: the money budget of this session is used up.',
    loop_guard: 'Stopped: tool calls kept failing or repeating without progress.',
    invalid_tool_calls: 'Stopped: the model kept calling tools that do not exist.',
  }),
);

const drawMarker = (text: string, { style, columns }: DrawContext): string[] =>
  indentLines(
    wrapForeign(text, Math.max(8, columns - 2)).map((line) => style('faint', line)),
    style('faint', '· '),
    '  ',
  );

function describeMarker(block: OfKind<'note' | 'compaction' | 'model' | 'rewind'>): string {
  switch (block.kind) {
    case 'note':
      return block.text;
    case 'compaction':
      return describeCompactionReport(block.report);
    case 'model':
      return `Now using ${block.to} instead of ${block.from} (${block.cause})`;
    case 'rewind':
      return `Took back ${formatCount(block.turns, 'turn')}. Files stay as they are.`;
  }
}

function describeCompactionReport({
  outcome,
  tokensBefore,
  tokensAfter,
  messagesBefore,
  messagesAfter,
  why,
  ms,
}: CompactionReport): string {
  if (outcome === 'refused') return `The conversation was not compressed: ${why ?? 'no reason was given'}`;
  const how = outcome === 'digest' ? ', without a model' : '';
  return `Compressed the conversation: ${formatWhole(tokensBefore)} → ${formatWhole(tokensAfter)} tokens, ${messagesBefore} → ${formatCount(messagesAfter, 'message')} in ${formatDuration(ms)}${how}. The log keeps everything.`;
}

const drawTyped = (text: string, { style, columns }: DrawContext): string[] =>
  indentLines(
    wrapForeign(text, Math.max(8, columns - 2)).map((line) => style('faint', line)),
    style('faint', '❯ '),
    '  ',
  );

const TONES: Readonly<Record<AsideBlock['tone'], StyleName>> = { plain: 'text', good: 'good', warn: 'warn', bad: 'bad', banner: 'text' };

function drawAside({ text, tone, drawn, command }: AsideBlock, { style, columns }: DrawContext): string[] {
  if (command !== undefined) {
    const head = wrapForeign(command, Math.max(8, columns - 2)).map((line) => style('user', line));
    const output = text.trimEnd() === '' ? [] : wrapForeign(text.trimEnd(), Math.max(8, columns - 2));
    return [...indentLines(head, style(tone === 'plain' ? 'prompt' : TONES[tone], '! '), '  '), ...indentLines(output, '  ', '  ')];
  }
  // What does not fit loses its look and is wrapped.
  if (drawn === true)
    return text
      .replace(/\n$/, '')
      .split('\n')
      .flatMap((line) => (measurePaintedWidth(line) <= columns ? [line] : wrapForeign(line, columns)));
  return wrapForeign(text.trimEnd(), columns).map((line) => (line === '' ? '' : style(TONES[tone], line)));
}
