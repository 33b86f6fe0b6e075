import { formatCount } from '../../../base/screen/figures.ts';
import type { DrawContext } from '../contract.ts';
import { indentLines, wrapForeign } from './text.ts';

/** Reasoning in full, or one line that says how much there is. */
export const drawThinking = (text: string, context: DrawContext): string[] =>
  isShown(context) ? drawThoughts(splitThoughts(text), false, context) : [drawThoughtCount(text, context)];

export const isShown = ({ showThinking, expanded }: DrawContext): boolean => showThinking || expanded === true;

const drawThoughtCount = (text: string, { style }: DrawContext): string =>
  style('thinking', `∴ Thought · ${formatCount(text.split(/\s+/).filter(Boolean).length, 'word')}`);

/** The lines of reasoning, without blank ones at either end. */
export function splitThoughts(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  const isText = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}

/** Lines of reasoning as they stand on the screen. Those that go on from others have no sign of their own. */
export function drawThoughts(thoughts: readonly string[], goesOn: boolean, { style, columns }: DrawContext): string[] {
  const lines = thoughts.flatMap((line) => wrapForeign(line, Math.max(8, columns - 2)));
  return indentLines(
    lines.map((line) => (line.trim() === '' ? '' : style('thinking', line))),
    goesOn ? '  ' : style('thinking', '∴ '),
    '  ',
  );
}
