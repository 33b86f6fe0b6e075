import type { Block, DrawContext, LiveBlock } from '../contract.ts';
import { createLiveMarkdown } from './markdown/live.ts';
import { toMarkdownContext } from './text.ts';
import { drawThinking, drawThoughts, isShown, splitThoughts } from './thinking.ts';

export type WordsBlock = Extract<Block, { readonly kind: 'answer' | 'thinking' }>;

/** Words of a reply that is being written. */
export interface LiveWords extends LiveBlock {
  readonly kind: WordsBlock['kind'];
  /** The words as far as they are there. */
  extend(text: string): void;
  /** Whether any line was given out. */
  readonly begun: boolean;
  /** The lines that are still to be printed of the block these words became; `undefined` when it does not begin with what was given out. */
  finish(block: WordsBlock, context: DrawContext): string[] | undefined;
}

export const createLiveWords = (kind: WordsBlock['kind']): LiveWords => (kind === 'answer' ? createLiveAnswer() : createLiveThinking());

function createLiveAnswer(): LiveWords {
  const markdown = createLiveMarkdown();
  const words: LiveWords = {
    kind: 'answer',
    extend: (text) => markdown.extend(text),
    takeSettled: (context) => markdown.takeSettled(toMarkdownContext(context)),
    render: (context) => markdown.render(toMarkdownContext(context)),
    get begun() {
      return markdown.begun;
    },
    finish: ({ text }, context) => {
      if (!markdown.agrees(text)) return undefined;
      markdown.extend(text);
      return [...words.takeSettled(context), ...words.render(context)];
    },
  };
  return words;
}

/** Thoughts go out by whole lines of theirs when they are shown, else as the one line that counts them. */
function createLiveThinking(): LiveWords {
  let text = '';
  /** The lines that were given out; `counted` when one line stands for all. */
  let given: readonly string[] = [];
  let counted = false;
  /** Of a text that goes on the last line is not over, and blank ones may be its end. */
  const settled = (): readonly string[] => splitThoughts(text.slice(0, Math.max(0, text.search(/[^\r\n]*\r?$/))));
  const after = (words: string, context: DrawContext): string[] => {
    if (counted || words.trim() === '') return [];
    if (!isShown(context)) return given.length > 0 ? [] : drawThinking(words, context);
    return drawThoughts(splitThoughts(words).slice(given.length), given.length > 0, context);
  };
  return {
    kind: 'thinking',
    extend: (longer) => void (text = longer),
    takeSettled: (context) => {
      const over = settled();
      if (counted || !isShown(context) || over.length <= given.length) return [];
      const lines = drawThoughts(over.slice(given.length), given.length > 0, context);
      given = over;
      return lines;
    },
    render: (context) => after(text, context),
    get begun() {
      return counted || given.length > 0;
    },
    finish: (block, context) => {
      const thoughts = splitThoughts(block.text);
      if (given.some((line, index) => line !== thoughts[index])) return undefined;
      const lines = after(block.text, context);
      [text, given, counted] = [block.text, thoughts, counted || !isShown(context)];
      return lines;
    },
  };
}
