import { wrapText } from '../../../base/screen/wrap.ts';
import { fitWidth } from '../../../base/width.ts';
import type { CursorPosition, KeyWidget } from '../contract.ts';
import { rank } from './fuzzy.ts';
import { readKey } from './key-names.ts';
import { drawMenu, type MenuRow } from './menu.ts';
import { isPaste, pastedText } from './paste.ts';
import { createTextField } from './text-field.ts';

/** A list to choose one from, searched by what is typed. */
export interface PickerOptions<Item> {
  readonly title: string;
  /** What there is for a query; the items themselves, when they are all there. */
  readonly items: readonly Item[] | ((query: string, signal: AbortSignal) => Promise<readonly Item[]>);
  readonly toRow: (item: Item) => MenuRow;
  /** What a query is compared with; the label and the summary when left out. */
  readonly textOf?: (item: Item) => string;
  readonly onPick: (item: Item) => void;
  readonly onCancel: () => void;
  /** Something else is selected: for a look at it before it is chosen. */
  readonly onMove?: (item: Item) => void;
  readonly onChange: () => void;
  /** Said when there is nothing to choose from. */
  readonly none?: string;
  readonly query?: string;
}

/** Rows that the rest of the screen needs. */
const OTHERS = 8;
const LEAST_ROWS = 3;
const MAX_ROWS = 15;
const MAX_FOUND = 200;

export function createPicker<Item>(options: PickerOptions<Item>): KeyWidget {
  const { title, toRow, onPick, onCancel, onMove, onChange, none = 'Nothing found.' } = options;
  const field = createTextField();
  field.set(options.query ?? '');
  let found: readonly Item[] = [];
  let [selected, cursor]: [number, CursorPosition | undefined] = [0, undefined];
  let looking = new AbortController();
  // Enter typed right behind the query means what the query finds, not what was listed before.
  let [isLooking, isChosen] = [false, false];
  const textOf = options.textOf ?? ((item: Item) => Object.values(toRow(item)).join(' '));
  const find = (query: string, signal: AbortSignal): Promise<readonly Item[]> =>
    typeof options.items === 'function' ? options.items(query, signal) : rank(query, options.items, { textOf, most: MAX_FOUND, signal });
  const look = (): void => {
    looking.abort();
    looking = new AbortController();
    const { signal } = looking;
    [isLooking, isChosen] = [true, false];
    void find(field.read(), signal)
      .catch(() => [])
      .then((items) => {
        if (signal.aborted) return;
        isLooking = false;
        found = items;
        select(0);
        if (isChosen) choose();
      });
  };
  const select = (index: number): void => {
    selected = Math.max(0, Math.min(index, found.length - 1));
    const item = found[selected];
    if (item !== undefined) onMove?.(item);
    onChange();
  };
  const choose = (): void => {
    const item = found[selected];
    isChosen = isLooking;
    if (item !== undefined && !isLooking) onPick(item);
  };
  const leave = (): void => (looking.abort(), onCancel());
  const keys: Readonly<Record<string, () => void>> = {
    escape: leave,
    'ctrl+c': leave,
    up: () => select(selected === 0 ? found.length - 1 : selected - 1),
    down: () => select(selected === found.length - 1 ? 0 : selected + 1),
    'ctrl+p': () => select(selected - 1),
    'ctrl+n': () => select(selected + 1),
    pageup: () => select(selected - MAX_ROWS),
    pagedown: () => select(selected + MAX_ROWS),
    enter: choose,
  };
  look();
  return {
    handleKey: (data) => {
      const action = keys[readKey(data) ?? ''];
      if (action !== undefined) return action();
      if (isPaste(data)) field.insert(pastedText(data).replaceAll(/\s+/g, ' '));
      else if (!field.handleKey(data)) return;
      look();
      onChange();
    },
    render: (context) => {
      const { columns, rows, style } = context;
      const room = Math.max(LEAST_ROWS, Math.min(MAX_ROWS, rows - OTHERS));
      const { text, cursor: column } = field.render(columns - 2);
      cursor = { row: 1, column: column + 2 };
      const list =
        found.length === 0
          ? wrapText(none, columns).map((line) => style('faint', line))
          : drawMenu(found.map(toRow), selected, context, room);
      const help = fitWidth('Enter chooses, Esc closes', columns);
      return [style('question', fitWidth(title, columns)), `> ${text}`, ...list, style('faint', help)];
    },
    cursor: () => cursor,
  };
}
