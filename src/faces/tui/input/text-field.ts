import { decodePrintableKey } from '@earendil-works/pi-tui/dist/keys.js';
import { toPrintable } from '../../../base/printable.ts';
import { measureWidth, splitGraphemes } from '../../../base/width.ts';
import { readKey } from './key-names.ts';

/** One line to type into: an answer in own words, a search. */
export interface TextField {
  read(): string;
  set(text: string): void;
  insert(text: string): void;
  /** Whether the key was for it. */
  handleKey(data: string): boolean;
  /** The part of the text around the cursor that fits, and the column of the cursor in it. */
  render(columns: number): { readonly text: string; readonly cursor: number };
}

/** What a key types, if anything. */
export function readTyped(data: string): string | undefined {
  const typed = decodePrintableKey(data) ?? (data >= ' ' && data !== '\x7f' ? data : undefined);
  return typed === undefined ? undefined : toPrintable(typed);
}

export function createTextField(): TextField {
  let before: string[] = [];
  let after: string[] = [];
  const insert = (text: string): void => void before.push(...splitGraphemes(toPrintable(text)));
  const edits: Readonly<Record<string, () => void>> = {
    backspace: () => void before.pop(),
    delete: () => void after.shift(),
    left: () => after.unshift(...before.splice(-1)),
    right: () => before.push(...after.splice(0, 1)),
    home: () => {
      after = [...before.splice(0), ...after];
    },
    end: () => void before.push(...after.splice(0)),
    'ctrl+u': () => void (before = []),
    'ctrl+k': () => void (after = []),
    'ctrl+w': () => void (before = splitGraphemes(before.join('').replace(/\S*\s*$/, ''))),
  };
  const same: Readonly<Record<string, string>> = {
    'ctrl+a': 'home',
    'ctrl+e': 'end',
    'ctrl+b': 'left',
    'ctrl+f': 'right',
    'ctrl+d': 'delete',
  };
  return {
    read: () => [...before, ...after].join(''),
    set: (text) => {
      before = [];
      after = [];
      insert(text);
    },
    insert,
    handleKey: (data) => {
      const key = readKey(data) ?? '';
      const edit = edits[same[key] ?? key];
      const typed = edit === undefined ? readTyped(data) : undefined;
      if (typed !== undefined) insert(typed);
      else edit?.();
      return edit !== undefined || typed !== undefined;
    },
    render: (columns) => renderField(before, after, Math.max(2, columns)),
  };
}

const show = (grapheme: string): string => (grapheme === '\n' ? '↵' : grapheme === '\t' ? '⇥' : grapheme);

/** The end of what is before the cursor counts more than what comes behind it. */
function renderField(before: readonly string[], after: readonly string[], columns: number) {
  let room = columns - 1;
  const shown: string[] = [];
  for (const grapheme of before.map(show).toReversed()) {
    room -= measureWidth(grapheme);
    if (room < 0) break;
    shown.unshift(grapheme);
  }
  const left = shown.join('');
  room = columns - 1 - measureWidth(left);
  let right = '';
  for (const grapheme of after.map(show)) {
    room -= measureWidth(grapheme);
    if (room < 0) break;
    right += grapheme;
  }
  return { text: left + right, cursor: measureWidth(left) };
}
