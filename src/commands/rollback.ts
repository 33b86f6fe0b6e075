import { toPrintable } from '../base/printable.ts';
import { resolveFromNearestParent } from '../base/real-path.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import type { CheckpointLine, CheckpointService, RollbackDiff } from '../contracts/services/undo.ts';
import { findSession, SESSION_REF } from './find-session.ts';
import { diffFiles, restoreFiles, type RollbackSource, type RollbackResult } from './rollback-steps.ts';
import { describeCheckpoints, describeRollback, NO_DIFFERENCE } from './rollback-words.ts';

const FACTS = { category: 'safety', where: ['terminal', 'chat'], whileBusy: 'queue', needs: ['store', 'checkpoints'] } as const;
const SESSION = {
  ...SESSION_REF,
  session:
    'no session is open, so it is not known whose changes are meant. Continue a session: hermes chat --continue -q "/rollback". To restore the files of this folder: hermes checkpoints list',
} as const;
const CHECKPOINT = { kind: 'text', description: 'its number in the list, its id, or the first characters of its id' } as const;
const FILE = { kind: 'text', description: 'only this file' } as const;

/** What `/rollback` came to: without a checkpoint it is the list of them. */
export type ChatRollback =
  | { readonly type: 'list'; readonly checkpoints: readonly CheckpointLine[] }
  | { readonly type: 'diff'; readonly files: readonly RollbackDiff[] }
  | { readonly type: 'restored'; readonly ok: boolean; readonly result: RollbackResult };

function describe(result: ChatRollback): string {
  if (result.type === 'list') return describeCheckpoints(result.checkpoints);
  if (result.type === 'restored') return describeRollback(result.result);
  return result.files.length === 0 ? NO_DIFFERENCE : result.files.map(({ diff }) => toPrintable(diff)).join('\n');
}

export const rollback = defineCommand({
  ...FACTS,
  describe,
  name: 'rollback',
  summary: 'Restore files to how they were before a checkpoint, or list the checkpoints',
  arguments: { session: SESSION, checkpoint: CHECKPOINT, file: FILE },
  options: { all: { kind: 'flag', description: 'also restore files that somebody else changed since' } },
  examples: ['/rollback', '/rollback 1', '/rollback 3 src/main.ts --all'],
  run: async ({ session: ref, checkpoint, file, all }, { store, checkpoints }): Promise<ChatRollback> => {
    const session = await findSession(ref, store);
    if (checkpoint === undefined) return listOf(session, checkpoints);
    const result = await restoreFiles({ checkpoint, file, all }, placeOf(session), checkpoints);
    return { type: 'restored', ok: result.ok, result };
  },
});

export const rollbackDiff = defineCommand({
  ...FACTS,
  describe,
  whileBusy: 'run',
  name: 'rollback diff',
  summary: 'Show what restoring a checkpoint would change',
  arguments: { session: SESSION, checkpoint: CHECKPOINT, file: FILE },
  examples: ['/rollback diff 2', '/rollback diff 2 src/main.ts'],
  run: async ({ session: ref, checkpoint, file }, { store, checkpoints }): Promise<ChatRollback> => {
    const session = await findSession(ref, store);
    if (checkpoint === undefined) return listOf(session, checkpoints);
    return { type: 'diff', files: await diffFiles({ checkpoint, file }, placeOf(session), checkpoints) };
  },
});

export const rollbackList = defineCommand({
  ...FACTS,
  describe,
  whileBusy: 'run',
  name: 'rollback list',
  summary: 'List the checkpoints of this session and its folder, newest first',
  arguments: { session: SESSION },
  examples: ['/rollback list'],
  run: async ({ session: ref }, { store, checkpoints }: { store: SessionStore; checkpoints: CheckpointService }): Promise<ChatRollback> =>
    listOf(await findSession(ref, store), checkpoints),
});

const listOf = (session: Session, checkpoints: CheckpointService): ChatRollback => ({
  type: 'list',
  checkpoints: checkpoints.list(placeOf(session).scope),
});

/** The checkpoints of a session and of its folder. */
const placeOf = ({ id, cwd }: Session): RollbackSource => ({
  base: cwd,
  scope: { folder: resolveFromNearestParent(cwd), sessionId: id },
  sessionId: id,
  say: (words) => `/rollback ${words.join(' ')}`,
});
