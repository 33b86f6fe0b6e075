import { measurePaintedWidth } from '../../../base/markdown/flow.ts';
import { toOneLine, toPrintable } from '../../../base/printable.ts';
import { formatDuration } from '../../../base/screen/when.ts';
import { fitWidth, measureWidth } from '../../../base/width.ts';
import type { DrawContext, StyleName, ToolBlock } from '../contract.ts';
import { drawDiffSize } from './diff.ts';
import { wrapForeign } from './text.ts';
import { drawToolResult, summarizeResult } from './tool-result.ts';
import { describeToolCall } from '../../../commands/tool-words.ts';

/** Lines of output that are shown while a call runs. */
const TAIL_LINES = 5;
/** A shorter time says nothing. */
const LEAST_MS = 100;
const FRAMES = ['◐', '◓', '◑', '◒'] as const;
const FRAME_MS = 250;

/** A call: one line that says what is done, what came of it or what it tells on its way below. */
export function drawToolBlock(block: ToolBlock, context: DrawContext): string[] {
  const isOver = block.state === 'finished' || block.state === 'failed';
  const { toolCalls, expanded } = context;
  if (toolCalls === 'off' && expanded !== true) return [];
  const whole = toolCalls === 'verbose' ? { ...context, expanded: true } : context;
  return [...drawHead(block, context), ...(isOver ? drawToolResult(block, whole) : drawProgress(block, context))];
}

function drawHead(block: ToolBlock, context: DrawContext): string[] {
  const { style, columns } = context;
  const { verb, object, aside } = describeToolCall(block.call);
  const [sign, look] = signOf(block, context.now);
  const end = drawEnd(block, aside, context);
  const room = Math.max(8, columns - 2 - end.columns);
  const shownVerb = fitWidth(verb, room);
  const left = room - measureWidth(shownVerb) - 1;
  if (context.expanded === true && measureWidth(object) > left) {
    const whole = wrapForeign(object, Math.max(8, columns - 4)).map((line) => `    ${style('text', line)}`);
    return [`${style(look, sign)} ${style('tool', shownVerb)}${end.drawn}`, ...whole];
  }
  const shownObject = object === '' || left < 3 ? '' : ` ${style('text', fitWidth(object, left))}`;
  return [`${style(look, sign)} ${style('tool', shownVerb)}${shownObject}${end.drawn}`];
}

/** What stands behind the words: details, the size of a change, how long it took. */
function drawEnd(block: ToolBlock, aside: string | undefined, { style, now, columns }: DrawContext) {
  const diff = block.details?.kind === 'diff' && block.details.files.length === 1 ? block.details.files[0] : undefined;
  const known = summarizeResult(block);
  const source = nameSource(block);
  const words = [
    ...(known === '' && aside !== undefined && diff === undefined ? [style('faint', fitWidth(aside, Math.floor(columns / 4)))] : []),
    ...(diff === undefined ? [] : [drawDiffSize(diff, style)]),
    ...(known === '' ? [] : [style('faint', known)]),
    ...(source === '' ? [] : [style('faint', fitWidth(source, Math.floor(columns / 3)))]),
    ...[timeOf(block, now)].filter((time) => time !== '').map((time) => style('faint', time)),
  ];
  // Where there is little room, the last words go first: what is done says most.
  let [drawn, left] = ['', columns - LEAST_WORDS];
  for (const word of words) {
    const width = measurePaintedWidth(word) + 3;
    if (width > left) break;
    [drawn, left] = [`${drawn}${style('faint', ' · ')}${word}`, left - width];
  }
  return { drawn, columns: columns - LEAST_WORDS - left };
}
/** Columns of a row that are kept for its sign and the beginning of its words. */
const LEAST_WORDS = 10;

/** Who stands behind the result, unless the call names them already. */
function nameSource({ call, source = '' }: ToolBlock): string {
  return source === '' || describeToolCall(call).object.includes(source) ? '' : `from ${toOneLine(source)}`;
}

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
