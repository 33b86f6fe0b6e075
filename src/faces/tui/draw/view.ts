import { takeFinished, type LiveItem, type Transcript, type TranscriptItem } from '../transcript/state.ts';
import type { Block, DrawContext } from '../contract.ts';
import { drawBelow, drawGap, toAbove, type BlockAbove } from './block.ts';
import { createLiveWords, type LiveWords, type WordsBlock } from './live-words.ts';

/** A transcript on a screen: what is to be printed for good now, and what is live below it. */
export interface DrawnTranscript {
  readonly printed: readonly string[];
  readonly live: readonly string[];
  /** The transcript without what is printed. */
  readonly rest: Transcript;
}
/**
 * Draws a transcript as it changes. It remembers only what of the live words was given out already: whatever is printed for
 * a finished block, in one piece or in many, are the lines the block draws.
 */
export interface TranscriptView {
  draw(state: Transcript, context: DrawContext): DrawnTranscript;
}

const ANEW = '… the reply broke off here and starts anew';
const REVISED = '… the reply was changed before it was stored; this is how it reads now';

const isWordsBlock = (block: Block): block is WordsBlock => block.kind === 'answer' || block.kind === 'thinking';

export function createTranscriptView(): TranscriptView {
  const streams = new Map<string, LiveWords>();
  /** Words that were given out to their end before they were stored, as they were then. */
  const complete = new Map<string, string>();
  /** The last block of which something is printed. */
  let before: BlockAbove | undefined;

  const below = (block: Block, lines: readonly string[], context: DrawContext): string[] => {
    if (lines.length === 0) return [];
    const gap = drawGap(before, block, context);
    before = toAbove(block, lines);
    return [...gap, ...lines];
  };
  const note = (text: string, context: DrawContext): string[] => below({ kind: 'note', text }, [context.style('faint', text)], context);

  /** Words of which lines are printed and that are void now. */
  function takeVoid(known: ReadonlySet<string>, context: DrawContext): string[] {
    return [...streams].flatMap(([key, words]) => {
      if (known.has(key)) return [];
      streams.delete(key);
      complete.delete(key);
      return words.begun && words.kind === 'answer' ? note(ANEW, context) : [];
    });
  }

  function finish({ key, block }: TranscriptItem, context: DrawContext): string[] {
    const words = streams.get(key);
    const whole = complete.get(key);
    streams.delete(key);
    complete.delete(key);
    if (words?.begun !== true || !isWordsBlock(block)) return below(block, drawBelow(before, block, context), context);
    // What was printed of it is above: no gap.
    const rest = whole === undefined ? words.finish(block, context) : whole.trimEnd() === block.text.trimEnd() ? [] : undefined;
    if (rest !== undefined) return rest;
    return block.kind === 'thinking' ? [] : [...note(REVISED, context), ...below(block, drawBelow(before, block, context), context)];
  }

  const streamOf = ({ key }: LiveItem, block: WordsBlock): LiveWords => {
    const known = streams.get(key) ?? createLiveWords(block.kind);
    streams.set(key, known);
    known.extend(block.text);
    return known;
  };

  /** Prints what is final of live words that have nothing live before them; says whether they are printed to their end. */
  function settle(item: LiveItem, block: WordsBlock, isLast: boolean, context: DrawContext): { lines: string[]; isOver: boolean } {
    if (complete.has(item.key)) return { lines: [], isOver: true };
    const words = streamOf(item, block);
    const isBegun = words.begun;
    // Thoughts are over when words follow, and would hold those back until all is stored.
    const isOver = item.state === 'streamed' && !isLast;
    const lines = isOver ? (words.finish(block, context) ?? []) : words.takeSettled(context);
    if (isOver) complete.set(item.key, block.text);
    return { lines: isBegun ? lines : below(block, lines, context), isOver };
  }

  return {
    draw: (state, context) => {
      const [finished, rest] = takeFinished(state);
      const known = new Set([...finished, ...rest.live].map(({ key }) => key));
      const printed = [...takeVoid(known, context), ...finished.flatMap((item) => finish(item, context))];
      let at = 0;
      for (const [index, item] of rest.live.entries()) {
        if (!isWordsBlock(item.block)) break;
        const { lines, isOver } = settle(item, item.block, index === rest.live.length - 1, context);
        printed.push(...lines);
        if (!isOver) break;
        at = index + 1;
      }
      return { printed, live: drawLive(rest.live.slice(at), streamOf, before, context), rest };
    },
  };
}

/** What is live, below what is printed. */
function drawLive(
  items: readonly LiveItem[],
  streamOf: (item: LiveItem, block: WordsBlock) => LiveWords,
  printed: BlockAbove | undefined,
  marked: DrawContext,
): string[] {
  // Marks are for what stays: rows of the frame are soon others.
  const { marks: _, ...context } = marked;
  let before = printed;
  return items.flatMap((item) => {
    const { block } = item;
    const words = isWordsBlock(block) ? streamOf(item, block) : undefined;
    const lines = words === undefined ? drawBelow(before, block, context) : words.render(context);
    if (lines.length === 0) return [];
    const gap = words?.begun === true ? [] : drawGap(before, block, context);
    before = toAbove(block, lines);
    return [...gap, ...lines];
  });
}
