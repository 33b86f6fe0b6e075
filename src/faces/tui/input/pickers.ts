import { abbreviateHome } from '../../../base/home.ts';
import { formatAgo } from '../../../base/screen/when.ts';
import type { CommandHelp } from '../../../contracts/command.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { KeyWidget } from '../contract.ts';
import { createPicker } from './picker.ts';

/** What every picker is told: what happens with the choice, and when to draw again. */
export interface PickerDeps<Item> {
  readonly onPick: (item: Item) => void;
  readonly onCancel: () => void;
  readonly onChange: () => void;
}

export type SessionItem = Pick<Session, 'id' | 'title' | 'cwd' | 'updatedAt'> & {
  /** Of a search: the words it was found by. */
  readonly found?: string;
};

/** Sessions by what is in them: all of them while nothing is typed, those the store finds else. */
export const createSessionPicker = (
  find: (query: string, signal: AbortSignal) => Promise<readonly SessionItem[]>,
  now: () => number,
  deps: PickerDeps<SessionItem>,
): KeyWidget =>
  createPicker({
    ...deps,
    title: 'Resume a session',
    items: find,
    toRow: ({ title, cwd, updatedAt, found }) => ({
      label: title ?? 'Untitled',
      summary: [formatAgo(updatedAt, now()), found?.replaceAll(HIT_MARKS, '') ?? abbreviateHome(cwd)].join(' · '),
    }),
    none: 'No session found.',
  });

/** What the store puts around what was found. */
// oxlint-disable-next-line no-control-regex -- they are meant
const HIT_MARKS = /[\u0002\u0003]/g;

export interface ModelItem {
  readonly model: string;
  readonly provider: string;
  /** Such as its window and price. */
  readonly about?: string;
}
export const createModelPicker = (items: readonly ModelItem[], current: string, deps: PickerDeps<ModelItem>): KeyWidget =>
  createPicker({
    ...deps,
    title: `Choose a model (now ${current})`,
    items,
    toRow: ({ model, provider, about }) => ({ label: model, summary: [provider, ...(about === undefined ? [] : [about])].join(' · ') }),
    none: 'No model found. Type /model NAME to use one that is not listed.',
  });

/** Finds a command. It is put into the editor, never run. */
export const createPalette = (items: readonly CommandHelp[], deps: PickerDeps<CommandHelp>): KeyWidget =>
  createPicker({
    ...deps,
    title: 'Find a command',
    items,
    toRow: ({ line, summary }) => ({ label: line, summary }),
    textOf: ({ name, aliases, summary }) => [name, ...aliases, summary].join(' '),
    none: 'No command found.',
  });

export const createHistorySearch = (entries: readonly string[], deps: PickerDeps<string>): KeyWidget =>
  createPicker({
    ...deps,
    title: 'Search what you sent before',
    items: [...new Set(entries.toReversed())],
    toRow: (entry) => ({ label: entry }),
    none: 'You sent nothing like this.',
  });

/** Shows each theme while it is selected. */
export const createThemePicker = (
  names: readonly string[],
  deps: PickerDeps<string> & { readonly onMove: (name: string) => void },
): KeyWidget => createPicker({ ...deps, title: 'Choose a theme', items: names, toRow: (name) => ({ label: name }) });
