import { decodePrintableKey } from '@earendil-works/pi-tui/dist/keys.js';
import { toPrintable } from '../../../base/printable.ts';
import type { CursorPosition, KeyWidget } from '../contract.ts';
import { CHIP, drawEditor, TAB, type EditorLook } from './editor-lines.ts';
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

export interface InputEditorDeps extends EditorLook {
  readonly history: InputHistory;
  readonly onSubmit: (text: string) => void;
  /** The text or the cursor is another: draw again. */
  readonly onChange: () => void;
  /** Sees a paste first; `true` when it took it. One with nothing in it is sent when the clipboard holds a picture. */
  readonly onPaste?: (text: string) => boolean;
}

const DELETE = '\x7f';

export function createEditor(deps: InputEditorDeps): InputEditor {
  const pi = new PiEditor(deps.onChange);
  const texts = createChipTexts(pi);
  let cursor: CursorPosition | undefined;
  for (const text of deps.history.entries().slice(-MAX_RECALLED)) if (!isLong(text)) pi.addToHistory(toEditable(text));
  pi.onChange = deps.onChange;
  pi.disableSubmit = true; // keys are read before they come here

  const read = (): string => texts.expand(pi.getText()).replaceAll(TAB, '\t');
  const set = (text: string): void => {
    pi.setText(isLong(text) ? '' : toEditable(text));
    if (isLong(text)) insertPasted(text);
  };
  const insertPasted = (text: string): void => {
    pi.handleInput(`${PASTE.begin}${toEditable(text)}${PASTE.end}`);
    texts.keep();
  };
  const take = (): string | undefined => {
    const text = read().trim();
    if (text === '') return undefined;
    if (deps.history.add(text) && !isLong(text)) pi.addToHistory(toEditable(text));
    set('');
    pi.forgetUndo();
    texts.forget();
    return text;
  };
  const paste = (text: string): void => {
    if (deps.onPaste?.(text) !== true && text !== '') insertPasted(text);
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
      const drawn = drawEditor(pi, context, deps);
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
/** A text longer than this would make every key slow: it stands as a chip, also when it was not pasted. */
const MAX_SHOWN_CHARACTERS = 20_000;
const MAX_SHOWN_LINES = 300;
const isLong = (text: string): boolean =>
  text.length > MAX_SHOWN_CHARACTERS || text.split('\n', MAX_SHOWN_LINES + 1).length > MAX_SHOWN_LINES;

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
