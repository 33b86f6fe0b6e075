import { decodePrintableKey } from '@earendil-works/pi-tui/dist/keys.js';
import { CURSOR_MARKER } from '@earendil-works/pi-tui/dist/tui.js';
import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js';
import { toPrintable } from '../../../base/printable.ts';
import { fitWidth } from '../../../base/width.ts';
import type { Cursor, DrawContext, KeyWidget } from '../contract.ts';
import type { InputHistory } from './history.ts';
import { isPaste, pastedText, PASTE } from './paste.ts';
import { PiEditor } from './pi-editor.ts';

/**
 * What a person types a message into.
 *
 * Promises:
 * - what is read is the whole text: a long paste stands as a chip such as `[paste #1 +5000 lines]` and is sent in full, its
 *   tabs too;
 * - no control character of what was typed, pasted or set reaches the terminal, and no line is wider than the columns;
 * - one paste is one step of undo, and pasted line breaks submit nothing.
 */
export interface InputEditor extends KeyWidget {
  /** All of the text. */
  read(): string;
  isEmpty(): boolean;
  set(text: string): void;
  insert(text: string): void;
  /** As if Enter had been pressed: behind a backslash at the end of a line the text goes on, else it is submitted. */
  submit(): void;
  /** Gives the whole text for somebody to send, keeps it in the history and empties the editor; nothing when there is no text. */
  take(): string | undefined;
  newLine(): void;
  /** Puts the text aside and empties the editor, or brings back what was put aside last. Gives what it did. */
  stash(): 'stashed' | 'restored' | 'nothing';
  /** The line of the cursor up to it, for completion; and whether nothing but that line's end follows. */
  before(): { readonly text: string; readonly atEnd: boolean; readonly firstLine: boolean };
  /** Puts a text in place of so many characters before the cursor. */
  complete(count: number, text: string): void;
}

export interface InputEditorDeps {
  readonly history: InputHistory;
  readonly onSubmit: (text: string) => void;
  /** The text or the cursor is another: draw again. */
  readonly onChange: () => void;
  /** Sees a paste first; `true` when it took it. One with nothing in it is sent when the clipboard holds a picture. */
  readonly onPaste?: (text: string) => boolean;
  /** What would complete the text, drawn faintly behind its end. */
  readonly ghost?: () => string;
  /** What stands before the first line; one column wide. */
  readonly sign?: string;
}

const DEFAULT_SIGN = '❯';
const GUTTER = 2;
const DELETE = '\x7f';
/** Stands for a tab while it is edited: the editor would make four blanks of it. A code point that no text has. */
const TAB = '\ufdd0';
const SHOWN_TAB = '⇥';
// oxlint-disable-next-line no-control-regex -- how the editor draws a cursor of its own
const DRAWN_CURSOR = /\x1b\[(?:7|0)m/g;
const CHIP = /\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g;

export function createEditor(deps: InputEditorDeps): InputEditor {
  const pi = new PiEditor(deps.onChange);
  const texts = createChipTexts(pi);
  let cursor: Cursor | undefined;
  for (const text of deps.history.entries().slice(-MAX_RECALLED)) pi.addToHistory(toEditable(text));
  pi.onChange = deps.onChange;
  pi.disableSubmit = true; // keys are read before they come here

  const read = (): string => texts.expand(pi.getText()).replaceAll(TAB, '\t');
  const set = (text: string): void => pi.setText(toEditable(text));
  const take = (): string | undefined => {
    const text = read().trim();
    if (text === '') return undefined;
    if (deps.history.add(text)) pi.addToHistory(toEditable(text));
    set('');
    pi.forgetUndo();
    texts.forget();
    return text;
  };
  const paste = (text: string): void => {
    if (deps.onPaste?.(text) === true || text === '') return;
    pi.handleInput(`${PASTE.begin}${toEditable(text)}${PASTE.end}`);
    texts.keep();
  };
  return {
    read,
    set,
    take,
    isEmpty: () => pi.getText() === '',
    insert: (text) => pi.insertTextAtCursor(toEditable(text)),
    newLine: () => pi.handleInput('\n'),
    submit: () => {
      if (continuesLine(pi)) {
        pi.replaceBeforeCursor(1, '');
        return pi.handleInput('\n');
      }
      const text = take();
      if (text !== undefined) deps.onSubmit(text);
    },
    stash: createStash(read, set),
    before: () => readBefore(pi),
    complete: (count, text) => pi.replaceBeforeCursor(count, toEditable(text)),
    handleKey: (data) => {
      if (isPaste(data)) return paste(pastedText(data));
      const typed = decodePrintableKey(data) ?? (data >= ' ' && data !== DELETE ? data : undefined);
      pi.handleInput(typed === undefined ? data : toEditable(typed));
    },
    render: (context) => {
      const drawn = drawText(pi, context, deps);
      cursor = drawn.cursor;
      return drawn.lines;
    },
    cursor: () => cursor,
  };
}

/** Texts that were set aside come back in the opposite order. */
function createStash(read: () => string, set: (text: string) => void): InputEditor['stash'] {
  const stashed: string[] = [];
  return () => {
    const text = read();
    if (text.trim() !== '') {
      stashed.push(text);
      set('');
      return 'stashed';
    }
    const last = stashed.pop();
    if (last === undefined) return 'nothing';
    set(last);
    return 'restored';
  };
}

function readBefore(pi: PiEditor): ReturnType<InputEditor['before']> {
  const { line, col } = pi.getCursor();
  const lines = pi.getLines();
  const text = lines[line] ?? '';
  return { text: text.slice(0, col), atEnd: line === lines.length - 1 && col === text.length, firstLine: line === 0 };
}

/** The editor itself keeps no more. */
const MAX_RECALLED = 100;

/** A text as the editor may hold it: what it draws is safe to draw. */
const toEditable = (text: string): string => toPrintable(text).replaceAll('\t', TAB);

const continuesLine = (pi: PiEditor): boolean => {
  const { line, col } = pi.getCursor();
  const text = pi.getLines()[line] ?? '';
  return col === text.length && text.endsWith('\\');
};

/** The texts of chips, kept beside the editor: it would copy them with every step that can be undone. */
function createChipTexts(pi: PiEditor) {
  const texts: string[] = [];
  const MARK = '\ufdd1';
  return {
    /** Takes over what the editor has kept. */
    keep: () => {
      for (const [id, text] of pi.chips) {
        if (text.startsWith(MARK)) continue;
        pi.chips.set(id, `${MARK}${texts.length}`);
        texts.push(text);
      }
    },
    /** Nobody can bring them back any more. */
    forget: () => {
      texts.length = 0;
    },
    expand: (text: string): string =>
      text.replaceAll(CHIP, (chip, id: string) => texts[Number(pi.chips.get(Number(id))?.slice(MARK.length) ?? NaN)] ?? chip),
  };
}

function drawText(pi: PiEditor, context: DrawContext, { ghost, sign = DEFAULT_SIGN }: InputEditorDeps) {
  const { columns, rows, style } = context;
  const room = Math.max(1, columns - GUTTER);
  const above = (lines: string[], hidden: number, arrow: string): string[] =>
    hidden === 0 ? lines : [...lines, style('faint', fitWidth(`  ${arrow} ${hidden} more`, columns))];
  const drawn = pi.renderText(room, rows);
  const lines = above([], pi.hiddenAbove, '↑');
  let cursor: Cursor | undefined;
  for (const [index, raw] of drawn.entries()) {
    const at = raw.indexOf(CURSOR_MARKER);
    const isLast = index === drawn.length - 1 && pi.hiddenBelow === 0;
    const text = raw.replace(CURSOR_MARKER, '').replaceAll(DRAWN_CURSOR, '').trimEnd();
    const begins = index === 0 && pi.hiddenAbove === 0 ? style('prompt', sign) : ' ';
    const before = at < 0 ? '' : raw.slice(0, at);
    if (at >= 0) cursor = { row: lines.length, column: GUTTER + visibleWidth(before) };
    const suffix = at >= 0 && isLast && before.length >= text.length ? fitGhost(ghost?.() ?? '', room - visibleWidth(before)) : '';
    lines.push(`${begins} ${paint(suffix === '' ? text : before, style)}${suffix === '' ? '' : style('faint', suffix)}`);
  }
  return { lines: above(lines, pi.hiddenBelow, '↓'), cursor };
}

const fitGhost = (text: string, columns: number): string =>
  columns < 2 ? '' : fitWidth(toPrintable(text).split('\n', 1)[0] ?? '', columns);

const paint = (text: string, style: DrawContext['style']): string =>
  text.replaceAll(TAB, style('faint', SHOWN_TAB)).replaceAll(CHIP, (chip) => style('accent', chip));
