import type { Home } from '../../../base/home.ts';
import type { LazyUndoOptions, UndoSettings } from './open.ts';
import type { Terminal } from '../../../contracts/terminal.ts';
import type { UndoRecorder } from '../../../contracts/undo.ts';

/** Checkpoints around calls, loaded with the first one: many turns change nothing. */
export function openUndo(options: LazyUndoOptions): UndoRecorder | undefined {
  if (!options.settings['checkpoints.enabled']) return undefined;
  let opened: Promise<UndoRecorder> | undefined;
  const undo = (): Promise<UndoRecorder> => (opened ??= import('./open.ts').then(({ undoFor }) => undoFor(options)));
  return {
    before: async (call, turnId) => (await undo()).before(call, turnId),
    after: async (call, turnId) => (await undo()).after(call, turnId),
  };
}

/**
 * How tools take a file away; `undefined` where they let the place itself do it. A sandbox has other files under the same
 * names, in `/tmp` above all: moved from out here, it would be the owner's that goes.
 */
export function removeToTrash(home: Home, settings: UndoSettings, terminal: Terminal): ((path: string) => Promise<void>) | undefined {
  if (terminal.kind !== 'local' && terminal.kind !== 'sandbox') return undefined;
  return async (path) => {
    const isHere = terminal.kind === 'local' || terminal.wall?.files.isPlain(path) === true;
    if (isHere) await (await import('./open.ts')).openHomeTrash(home, settings).put(path, 'patch');
    else await terminal.files.remove(path);
  };
}
