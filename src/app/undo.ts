import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { Undo } from '../contracts/undo.ts';
import type { Settings } from './settings.ts';

export interface UndoQuestion {
  readonly home: Home;
  readonly settings: Settings;
  /** Where commands run. */
  readonly kind: string;
  readonly secrets?: Pick<Secrets, 'mask'>;
}

/** Checkpoints around calls, loaded with the first one: many turns change nothing. */
export function openUndo(question: UndoQuestion): Undo | undefined {
  if (!question.settings['checkpoints.enabled']) return undefined;
  let opened: Promise<Undo> | undefined;
  const undo = (): Promise<Undo> => (opened ??= import('./undo-store.ts').then(({ undoFor }) => undoFor(question)));
  return {
    before: async (call, turnId) => (await undo()).before(call, turnId),
    after: async (call, turnId) => (await undo()).after(call, turnId),
  };
}

/**
 * How tools take a file away; `undefined` where they let the place itself do it. A sandbox has other files under the same
 * names, its home above all: moved from out here, it would be the owner's that goes. Its own `rm` knows the trash.
 */
export const removeToTrash = (home: Home, settings: Settings, kind: string): ((path: string) => Promise<void>) | undefined =>
  kind === 'local' ? async (path) => void (await (await import('./undo-store.ts')).trashOf(home, settings).put(path, 'patch')) : undefined;

/** What `/rollback` in a chat asks for. */
export interface RollbackWish {
  readonly action: 'list' | 'diff' | 'restore';
  /** A number of the list, or the beginning of an id. */
  readonly ref?: string;
  readonly file?: string;
  readonly all?: boolean;
}

/** `/rollback`, `/rollback N [FILE] [--all]`, `/rollback diff N`. A wish that cannot be read lists what there is. */
export function asRollback(words: string | undefined): RollbackWish | undefined {
  const found = /^\s*\/rollback(?:\s+(.*\S))?\s*$/s.exec(words ?? '');
  if (found === null) return undefined;
  const given = (found[1] ?? '').split(/\s+/).filter((word) => word !== '');
  const all = given.includes('--all');
  const [first, second, ...more] = given.filter((word) => word !== '--all');
  if (first === undefined || first === 'list') return { action: 'list' };
  if (first === 'diff') return second === undefined ? { action: 'list' } : { action: 'diff', ref: second, ...fileOf(more) };
  return { action: 'restore', ref: first, ...fileOf(second === undefined ? [] : [second, ...more]), ...(all && { all }) };
}
const fileOf = (words: readonly string[]): { readonly file?: string } => (words.length === 0 ? {} : { file: words.join(' ') });
