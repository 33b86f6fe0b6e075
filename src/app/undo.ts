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
