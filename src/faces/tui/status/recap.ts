import { toOneLine } from '../../../base/printable.ts';
import { formatCount } from '../../../base/screen/figures.ts';
import { takeStart } from '../../../base/text.ts';
import { fitWidth } from '../../../base/width.ts';
import type { Block, DrawContext } from '../contract.ts';
import { describeOutcome } from '../draw/block.ts';
import { drawMarkdown } from '../draw/markdown/live.ts';
import { toMarkdownContext, wrapForeign } from '../draw/text.ts';

/** So many exchanges, and so much of each: enough to remember by. */
const LIMITS = { exchanges: 10, userChars: 300, lines: 3 } as const;

interface Exchange {
  readonly asked: string;
  /** What was said while the turn ran. */
  readonly joined: readonly string[];
  readonly answered: string;
  /** How the turn ended, if not with an answer. */
  readonly ended?: string;
}

/** Whether so many blocks of a log's end have more exchanges than are shown: then the rest of the log is not needed for a recap. */
export const hasMoreExchanges = (blocks: readonly Block[], than: number): boolean => toExchanges(blocks).length > than;

/** What was said last in a session that goes on: the last exchanges, each cut short. Of the end of a log nobody knows how many came before. */
export function drawRecap(
  blocks: readonly Block[],
  { columns, style }: Pick<DrawContext, 'columns' | 'style'>,
  most: number = LIMITS.exchanges,
  isEnd = false,
): string[] {
  const all = toExchanges(blocks);
  const shown = all.slice(-most);
  const earlier = all.length - shown.length;
  const room = Math.max(8, columns - 2);
  const drawSaid = (text: string, sign: string): string[] =>
    drawShort(text, LIMITS.userChars, room).map((line, index) => `${style('prompt', index === 0 ? sign : ' ')} ${style('faint', line)}`);
  const drawn = shown.flatMap(({ asked, joined, answered, ended }) => [
    ...drawSaid(asked, '❯'),
    ...joined.flatMap((text) => drawSaid(text, '↪')),
    ...drawAnswer(answered, room).map((line) => `  ${style('faint', line)}`),
    ...(ended === undefined ? [] : drawSaid(ended, '■')),
  ]);
  return [
    ...(earlier > 0 ? [style('faint', isEnd ? '… earlier exchanges' : `… ${formatCount(earlier, 'earlier exchange')}`)] : []),
    ...drawn,
  ];
}

/** The first lines of an answer as they read, without its colors. */
function drawAnswer(text: string, room: number): string[] {
  const drawn = drawMarkdown(takeStart(text, MAX_READ), toMarkdownContext({ ...PLAIN, columns: room }));
  return cutLines(
    drawn.filter((line) => line.trim() !== ''),
    room,
  );
}
/** Characters of an answer that are looked at. */
const MAX_READ = 1_000;
const PLAIN: DrawContext = { columns: 80, rows: 24, style: (_, text) => text, now: 0, showThinking: false };

function drawShort(text: string, chars: number, room: number): string[] {
  const words = toOneLine(text);
  return words === '' ? [] : cutLines(wrapForeign(words.length > chars ? `${takeStart(words, chars).trimEnd()}…` : words, room), room);
}

function cutLines(lines: readonly string[], room: number): string[] {
  return lines.length <= LIMITS.lines
    ? [...lines]
    : [...lines.slice(0, LIMITS.lines - 1), fitWidth(`${lines[LIMITS.lines - 1] ?? ''}…`, room)];
}

/** What the person said, and the last words they got for it. */
function toExchanges(blocks: readonly Block[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const block of blocks) {
    const last = exchanges.at(-1);
    if (block.kind === 'user' && block.origin === 'user') exchanges.push({ asked: block.text, joined: [], answered: '' });
    else if (block.kind === 'user' && block.origin === 'steer' && last !== undefined)
      exchanges[exchanges.length - 1] = { ...last, joined: [...last.joined, block.text] };
    else if (block.kind === 'answer' && last !== undefined) exchanges[exchanges.length - 1] = { ...last, answered: block.text };
    else if (block.kind === 'outcome' && block.outcome !== 'answered' && last !== undefined)
      exchanges[exchanges.length - 1] = { ...last, ended: describeOutcome(block) };
    else if (block.kind === 'rewind') exchanges.length = Math.max(0, exchanges.length - block.turns);
  }
  return exchanges;
}
