import { Editor, type EditorTheme } from '@earendil-works/pi-tui/dist/components/editor.js';

/**
 * pi-tui's editor without its frame. The package is pinned to one version, so what it keeps to itself may be used where it
 * offers no other way: the text of pastes (it copies them with every step of undo) and the words before the cursor.
 */
export class PiEditor extends Editor {
  hiddenAbove = 0;
  hiddenBelow = 0;
  private readonly size: { rows: number };

  constructor(requestRender: () => void) {
    const size = { rows: 24 };
    // It asks for a new frame and for the height of the terminal, and for nothing else of a whole screen.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of the interface is never called
    super({ requestRender, terminal: size } as unknown as ConstructorParameters<typeof Editor>[0], PLAIN);
    this.size = size;
    this.focused = true;
  }

  protected override renderTopBorder(_width: number, hiddenLineCount: number): string {
    this.hiddenAbove = hiddenLineCount;
    return '';
  }
  protected override renderBottomBorder(_width: number, hiddenLineCount: number): string {
    this.hiddenBelow = hiddenLineCount;
    return '';
  }

  /** The lines of the text alone; `show` gives a line as it may be seen, with as many characters of the same width. */
  renderText(width: number, rows: number, show: (line: string) => string = asIs): string[] {
    this.size.rows = rows;
    const { state } = this.internals();
    const { lines } = state;
    state.lines = lines.map(show);
    try {
      return this.render(width).slice(1, -1);
    } finally {
      state.lines = lines;
    }
  }

  /** A text that may be drawn, in place of so many characters before the cursor. */
  replaceBeforeCursor(count: number, text: string): void {
    this.insertTextAtCursor(text);
    const { state } = this.internals();
    const line = state.lines[state.cursorLine] ?? '';
    const end = state.cursorCol - text.length;
    state.lines[state.cursorLine] = line.slice(0, end - count) + line.slice(end);
    state.cursorCol -= count;
    this.onChange?.(this.getText());
  }

  /** What stands now is the beginning: a text that was sent does not come back by undo. */
  forgetUndo(): void {
    this.internals().undoStack.clear();
  }

  /** The pastes that stand as chips in the text: what is kept for each, by the number of its chip. */
  get chips(): Map<number, string> {
    return this.internals().pastes;
  }

  private internals(): EditorInternals {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its fields are private in name only
    return this as unknown as EditorInternals;
  }
}

interface EditorInternals {
  readonly state: { lines: string[]; cursorLine: number; cursorCol: number };
  readonly pastes: Map<number, string>;
  readonly undoStack: { clear(): void };
}

const asIs = (text: string): string => text;
const PLAIN: EditorTheme = {
  borderColor: asIs,
  selectList: { selectedPrefix: asIs, selectedText: asIs, description: asIs, scrollInfo: asIs, noMatch: asIs },
};
