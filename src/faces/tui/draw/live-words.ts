import type { Block, DrawContext, LiveBlock } from '../contract.ts';
import { drawBlock } from './block.ts';
import { createLiveMarkdown } from './markdown/live.ts';
import { toMarkdownContext } from './text.ts';

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
  let [text, given] = ['', ''];
  /** Words that are over: nothing of the line that goes on, and no blank line that may be the end. */
  const settled = () => text.slice(0, text.lastIndexOf('\n') + 1).trimEnd();
  const linesOf = (words: string, context: DrawContext): string[] =>
    words.trim() === '' ? [] : drawBlock({ kind: 'thinking', text: words }, context);
  /** What follows words that were given out stands below them, without a sign of its own. */
  const after = (words: string, context: DrawContext): string[] => {
    if (given === '') return linesOf(words, context);
    const rest = words.slice(given.length).replace(/^[^\S\n]*\n/, '');
    if (rest.trim() === '') return [];
    const blank = /^\s*\n/.exec(rest)?.[0].split('\n').length ?? 1;
    const drawn = linesOf(rest, context).map((line, index) => (index === 0 ? line.replace('∴ ', '  ') : line));
    return [...Array.from({ length: blank - 1 }, () => ''), ...drawn];
  };
  return {
    kind: 'thinking',
    extend: (longer) => void (text = longer),
    takeSettled: (context) => {
      if (!context.showThinking || settled().length <= given.length) return [];
      const lines = after(settled(), context);
      given = settled();
      return lines;
    },
    render: (context) => (given !== '' && !context.showThinking ? [] : after(text.trimEnd(), context)),
    get begun() {
      return given !== '';
    },
    finish: (block, context) => {
      if (!block.text.startsWith(given)) return undefined;
      const lines = given !== '' && !context.showThinking ? [] : after(block.text.trimEnd(), context);
      [text, given] = [block.text, block.text.trimEnd()];
      return lines;
    },
  };
}
