import { UsageError } from '../../../base/errors.ts';
import type { Home } from '../../../base/home.ts';
import { visibleLine } from '../../../base/visible.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import type { Undo } from '../../../contracts/undo.ts';
import type { Values } from '../../../contracts/settings.ts';
import type { trashSettings } from '../trash/settings.ts';
import type { checkpointSettings } from './settings.ts';

export type UndoSettings = Values<typeof checkpointSettings> & Values<typeof trashSettings>;

export interface LazyUndoOptions {
  readonly home: Home;
  readonly settings: UndoSettings;
  /** Where commands run. */
  readonly kind: string;
  readonly secrets?: Pick<Secrets, 'mask'>;
}

/** Checkpoints around calls, loaded with the first one: many turns change nothing. */
export function openUndo(options: LazyUndoOptions): Undo | undefined {
  if (!options.settings['checkpoints.enabled']) return undefined;
  let opened: Promise<Undo> | undefined;
  const undo = (): Promise<Undo> => (opened ??= import('./open.ts').then(({ undoFor }) => undoFor(options)));
  return {
    before: async (call, turnId) => (await undo()).before(call, turnId),
    after: async (call, turnId) => (await undo()).after(call, turnId),
  };
}

/**
 * How tools take a file away; `undefined` where they let the place itself do it. A sandbox has other files under the same
 * names, its home above all: moved from out here, it would be the owner's that goes. Its own `rm` knows the trash.
 */
export const removeToTrash = (home: Home, settings: UndoSettings, kind: string): ((path: string) => Promise<void>) | undefined =>
  kind === 'local' ? async (path) => void (await (await import('./open.ts')).trashOf(home, settings).put(path, 'patch')) : undefined;

/** What `/rollback` in a chat asks for. */
export interface RollbackWish {
  readonly action: 'list' | 'diff' | 'restore';
  /** A number of the list, or the beginning of an id. */
  readonly ref?: string;
  readonly file?: string;
  readonly all?: boolean;
}

/** The flags each wish knows. */
const FLAGS: Readonly<Record<RollbackWish['action'], readonly string[]>> = { list: [], diff: [], restore: ['--all'] };

/** `/rollback`, `/rollback N [FILE] [--all]`, `/rollback diff N [FILE]`. A flag it does not know is told: it is no file. */
export function asRollback(words: string | undefined): RollbackWish | undefined {
  const found = /^\s*\/rollback(?:\s+(.*\S))?\s*$/s.exec(words ?? '');
  if (found === null) return undefined;
  const given = (found[1] ?? '').split(/\s+/).filter((word) => word !== '');
  const flags = given.filter((word) => word.startsWith('--'));
  const wish = wishOf(given.filter((word) => !word.startsWith('--')));
  const unknown = flags.find((flag) => !FLAGS[wish.action].includes(flag));
  if (unknown !== undefined)
    throw new UsageError(
      `/rollback does not know ${visibleLine(unknown)} here: it is /rollback [N [FILE] [--all]] or /rollback diff N [FILE].`,
    );
  return { ...wish, ...(flags.includes('--all') && { all: true }) };
}

function wishOf([first, second, ...more]: readonly string[]): RollbackWish {
  if (first === undefined || first === 'list') return { action: 'list' };
  if (first === 'diff') return second === undefined ? { action: 'list' } : { action: 'diff', ref: second, ...fileOf(more) };
  return { action: 'restore', ref: first, ...fileOf(second === undefined ? [] : [second, ...more]) };
}
const fileOf = (words: readonly string[]): { readonly file?: string } => (words.length === 0 ? {} : { file: words.join(' ') });
