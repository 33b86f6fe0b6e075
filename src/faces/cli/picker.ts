import { fitWidth, measureWidth, padEndTo } from '../../base/width.ts';
import type { Paint } from '../../base/screen/paint.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { ChoiceOption, ChoiceQuestion } from '../../contracts/command.ts';

/** A list of which one row is picked: by arrows, or by typing a part of its name. */
export interface PickerState {
  readonly question: ChoiceQuestion;
  readonly filter: string;
  /** The row of those that are left which is marked. */
  readonly marked: number;
}
export type PickerStep = PickerState | { readonly picked: string } | 'cancelled';

export function openPicker(question: ChoiceQuestion): PickerState {
  const marked = question.choices.findIndex(({ value }) => value === question.suggested);
  return { question, filter: '', marked: Math.max(marked, 0) };
}

const KEYS: Readonly<Record<string, (state: PickerState) => PickerStep>> = {
  '\x1b[A': (state) => move(state, -1),
  '\x1bOA': (state) => move(state, -1),
  '\x10': (state) => move(state, -1),
  '\x1b[B': (state) => move(state, 1),
  '\x1bOB': (state) => move(state, 1),
  '\x0e': (state) => move(state, 1),
  '\r': pick,
  '\n': pick,
  '\x7f': (state) => ({ ...state, filter: Array.from(state.filter).slice(0, -1).join(''), marked: 0 }),
  '\b': (state) => ({ ...state, filter: Array.from(state.filter).slice(0, -1).join(''), marked: 0 }),
  '\x1b': (state) => (state.filter === '' ? 'cancelled' : { ...state, filter: '', marked: 0 }),
  '\x03': () => 'cancelled',
  '\x04': () => 'cancelled',
};

/** What one key does. Keys that mean nothing here change nothing. */
export function pressKey(state: PickerState, key: string): PickerStep {
  const known = KEYS[key];
  if (known !== undefined) return known(state);
  return /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(key) ? { ...state, filter: state.filter + key, marked: 0 } : state;
}

function move(state: PickerState, by: number): PickerState {
  const count = listLeft(state).length;
  return count === 0 ? state : { ...state, marked: (state.marked + by + count) % count };
}

function pick(state: PickerState): PickerStep {
  const row = listLeft(state)[state.marked];
  return row === undefined ? state : { picked: row.value };
}

/** Names that match, then notes that do: `local` finds the servers of this machine. */
function listLeft({ question, filter }: PickerState): readonly ChoiceOption[] {
  const holds = (text = ''): boolean => text.toLowerCase().includes(filter.toLowerCase());
  const { true: named = [], false: others = [] } = Object.groupBy(question.choices, ({ value }) => (holds(value) ? 'true' : 'false'));
  return [...named, ...others.filter(({ note }) => holds(note))];
}

/** Rows that are shown at once. */
const MAX_ROWS = 8;

/** The picker as lines, none wider than the terminal. */
export function drawPicker(state: PickerState, columns: number, paint: Paint): string[] {
  const left = listLeft(state);
  const first = Math.max(0, Math.min(state.marked - Math.floor(MAX_ROWS / 2), left.length - MAX_ROWS));
  const shown = left.slice(first, first + MAX_ROWS);
  const names = Math.min(Math.max(0, ...shown.map(({ value }) => measureWidth(value))), columns - 2);
  const rows = shown.map((choice, index) => drawRow(choice, first + index === state.marked, { names, columns, paint }));
  const rest = left.length > shown.length ? `, ${left.length - shown.length} more` : '';
  const hint =
    state.filter === ''
      ? `  ↑↓ Enter, or type a name${rest}`
      : `  ${toVisibleLine(state.filter)}▏${left.length === 0 ? 'nothing matches' : rest.slice(2)}`;
  return [fitWidth(`? ${toVisibleLine(state.question.question)}`, columns), ...rows, paint.faint(fitWidth(hint, columns))];
}

interface RowRoom {
  readonly names: number;
  readonly columns: number;
  readonly paint: Paint;
}
/** A note that has no room for its first words is left out. */
const LEAST_NOTE = 8;

function drawRow({ value, note = '' }: ChoiceOption, isMarked: boolean, { names, columns, paint }: RowRoom): string {
  const name = padEndTo(fitWidth(toVisibleLine(value), names), names);
  const room = columns - names - 4;
  const words = room < LEAST_NOTE ? '' : fitWidth(toVisibleLine(note), room);
  return isMarked ? `${paint.strong(`❯ ${name}`)}  ${words}`.trimEnd() : `  ${name}  ${paint.faint(words)}`.trimEnd();
}
