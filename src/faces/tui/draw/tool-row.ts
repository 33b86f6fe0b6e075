import { toPrintable } from '../../../base/printable.ts';
import { formatDuration } from '../../../base/screen/when.ts';
import { fitWidth, measureWidth } from '../../../base/width.ts';
import type { DrawContext, StyleName, ToolBlock } from '../contract.ts';
import { drawDiffSize } from './diff.ts';
import { wrapForeign } from './text.ts';
import { drawToolResult, summarizeResult } from './tool-result.ts';
import { describeToolCall } from './tool-words.ts';

/** Lines of output that are shown while a call runs. */
const TAIL_LINES = 5;
/** A shorter time says nothing. */
const LEAST_MS = 100;
const FRAMES = ['◐', '◓', '◑', '◒'] as const;
const FRAME_MS = 250;

/** A call: one line that says what is done, what came of it or what it tells on its way below. */
export function drawToolBlock(block: ToolBlock, context: DrawContext): string[] {
  const isOver = block.state === 'finished' || block.state === 'failed';
  return [...drawHead(block, context), ...(isOver ? drawToolResult(block, context) : drawProgress(block, context))];
}

function drawHead(block: ToolBlock, context: DrawContext): string[] {
  const { style, columns } = context;
  const { verb, object, aside } = describeToolCall(block.call);
  const [sign, look] = signOf(block, context.now);
  const end = drawEnd(block, aside, context);
  if (context.expanded === true) return drawWholeHead({ sign: style(look, sign), verb, object, end: end.drawn }, context);
  const room = Math.max(8, columns - 2 - end.columns);
  const shownVerb = fitWidth(verb, room);
  const left = room - measureWidth(shownVerb) - 1;
  const shownObject = object === '' || left < 3 ? '' : ` ${style('text', fitWidth(object, left))}`;
  return [`${style(look, sign)} ${style('tool', shownVerb)}${shownObject}${end.drawn}`];
}

/** The whole of what is done, however long it is. */
function drawWholeHead(
  { sign, verb, object, end }: { readonly sign: string; readonly verb: string; readonly object: string; readonly end: string },
  { style, columns }: DrawContext,
): string[] {
  const lines = object === '' ? [] : wrapForeign(object, Math.max(8, columns - 4));
  return [
    `${sign} ${style('tool', fitWidth(verb, Math.max(8, columns - 24)))}${end}`,
    ...lines.map((line) => `    ${style('text', line)}`),
  ];
}

/** What stands behind the words: details, the size of a change, how long it took. */
function drawEnd(block: ToolBlock, aside: string | undefined, { style, now, columns }: DrawContext) {
  const diff = block.details?.kind === 'diff' && block.details.files.length === 1 ? block.details.files[0] : undefined;
  const known = summarizeResult(block);
  const words = [
    ...(known === '' && aside !== undefined && diff === undefined ? [style('faint', fitWidth(aside, Math.floor(columns / 4)))] : []),
    ...(diff === undefined ? [] : [drawDiffSize(diff, style)]),
    ...(known === '' ? [] : [style('faint', known)]),
    ...[timeOf(block, now)].filter((time) => time !== '').map((time) => style('faint', time)),
  ];
  const plain = words.map((word) => measureDrawn(word));
  return {
    drawn: words.map((word) => `${style('faint', ' · ')}${word}`).join(''),
    columns: plain.reduce((sum, width) => sum + width + 3, 0),
  };
}
const measureDrawn = (drawn: string): number => measureWidth(toPrintable(drawn));

function timeOf({ state, ms, startedAt }: ToolBlock, now: number): string {
  if (state === 'asking') return 'waiting for you';
  if (ms !== undefined) return ms < LEAST_MS ? '' : formatDuration(ms);
  // Whole seconds: tenths that run would only flicker.
  const gone = startedAt === undefined || state !== 'running' ? 0 : Math.floor((now - startedAt) / 1_000);
  return gone < 1 ? '' : `${gone} s`;
}

function signOf({ state, details }: ToolBlock, now: number): readonly [sign: string, look: StyleName] {
  if (details?.kind === 'command' && details.ended === 'exited' && details.exitCode !== 0) return ['!', 'warn'];
  switch (state) {
    case 'planned':
      return ['○', 'faint'];
    case 'asking':
      return ['?', 'question'];
    case 'running':
      return [FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? FRAMES[0], 'accent'];
    case 'finished':
      return ['✓', 'good'];
    case 'failed':
      return ['✗', 'bad'];
  }
}

/** The end of what a call has told, and the newest word of each child. */
function drawProgress({ progress, children = [] }: ToolBlock, { columns, style }: DrawContext): string[] {
  const room = Math.max(1, columns - 4);
  const told = progress
    // A line that is written over, as a progress bar is, shows as it stands now.
    .map((line) =>
      toPrintable(line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
        .replaceAll('\t', '    ')
        .replaceAll('\n', ' '),
    )
    .filter((line) => line.trim() !== '')
    .slice(-TAIL_LINES);
  const notes = children.map(({ note }) => toPrintable(note).split('\n').at(-1) ?? '');
  return [...told, ...notes].map((line) => `  ${style('rule', '│')} ${style('faint', fitWidth(line.trimEnd(), room))}`);
}
