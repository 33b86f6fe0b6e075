import { wrapText } from '../../../../base/screen/wrap.ts';
import type { CursorPosition, DrawContext, StyleName } from '../../contract.ts';

/** A question as it is drawn and answered, without what keeps keys away from it that were not meant for it. */
export interface DialogView {
  render(context: DrawContext): { readonly lines: string[]; readonly cursor?: CursorPosition };
  /** What the key answers; nothing when it answers nothing. */
  handleKey(data: string): DialogAnswer | undefined;
  /** Takes pasted text as something typed that is still to be sent. Absent where pasted text is refused. */
  paste?(text: string): void;
  /** Throws away what was typed, once nobody needs it any more. */
  forget?(): void;
}
export interface DialogAnswer {
  readonly words: string;
}

/** Words of ours, set in by two columns. */
export const drawWords = (words: string, name: StyleName, { columns, style }: DrawContext): string[] =>
  words === '' ? [] : wrapText(words, columns - 2).map((line) => style(name, `  ${line}`));
