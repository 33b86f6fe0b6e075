import type { DrawContext } from '../../../../src/faces/tui/contract.ts';

/** A context without styles: what is drawn is the text itself. */
export const drawContext = (changes: Partial<DrawContext> = {}): DrawContext => ({
  columns: 80,
  rows: 24,
  style: (_name, text) => text,
  now: 0,
  showThinking: false,
  ...changes,
});

/** A paste as a terminal sends it. */
export const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;
