import { toFileToolArtefacts, type FileWork } from '../../agent/artefacts.ts';
import { isObject } from '../../base/json.ts';
import type { ToolCall } from '../../contracts/message.ts';
import type { Artefacts } from '../../contracts/ports.ts';
import type { Session } from '../../contracts/session-store.ts';
import { resolveFromNearestParent } from '../../base/real-path.ts';
import { toKeepRequest } from '../../parts/safety/checkpoints/keep-request.ts';
import { collectSessionChanges, type SessionChange } from '../../parts/safety/checkpoints/changes.ts';
import type { Checkpoints } from '../../parts/safety/checkpoints/store.ts';
import { isBarred, type CheckpointContext } from '../../parts/safety/checkpoints/targets.ts';
import { hasLocalFiles } from '../../contracts/terminal.ts';
import { openCheckpointStore, createCheckpointContext } from '../../parts/safety/checkpoints/open.ts';
import type { LazyUndoOptions } from '../../parts/safety/checkpoints/open.ts';

/** What a session did to files: by its file tools, and by the checkpoints of all its calls where they are kept. */
export function collectArtefacts({ home, settings, kind }: LazyUndoOptions, session: Session, work: FileWork): Artefacts {
  if (!settings['checkpoints.enabled'] || !hasLocalFiles(kind)) return toFileToolArtefacts(work.files);
  const store = openCheckpointStore(home, settings);
  const { files: kept, complete } = collectSessionChanges(store.records(), session.id);
  const whole = complete && work.calls.every((call) => isKeptWhole(call, session, store, createCheckpointContext(home)));
  return sorted(joined(work.files, kept), whole ? 'all' : 'partly');
}

/** Checkpoints know better what became of a file in the end; a file tool knows by what name it was called. */
function joined(byTools: FileWork['files'], kept: readonly SessionChange[]): readonly SessionChange[] {
  const known = new Map(kept.map((change) => [change.path, change]));
  const named = byTools.map((change) => ({
    shared: false,
    ...(known.get(resolveFromNearestParent(change.path)) ?? change),
    path: change.path,
  }));
  const told = new Set(byTools.map(({ path }) => resolveFromNearestParent(path)));
  const others = kept.filter(({ path }) => !told.has(path));
  return [...named, ...others.toSorted((a, b) => (a.path < b.path ? -1 : 1))];
}

const sorted = (changes: readonly SessionChange[], known: Artefacts['known']): Artefacts => {
  const those = (fits: (change: SessionChange) => boolean) => changes.filter(fits).map(({ path }) => path);
  return {
    written: those(({ fate, shared }) => !shared && fate === 'written'),
    deleted: those(({ fate, shared }) => !shared && fate === 'deleted'),
    shared: those(({ fate, shared }) => shared && fate !== 'as_before'),
    known,
  };
};

/** Before a command the folder it runs in is kept, unless that is too large or the owner's home itself: then only what it names is. */
function isKeptWhole({ name, input }: ToolCall, { id, cwd }: Session, store: Checkpoints, context: CheckpointContext): boolean {
  const call = { tool: name, input: isObject(input) ? input : {}, cwd, sessionId: id, effects: { kind: 'write', resources: [] } } as const;
  const folder = toKeepRequest(call, context.home)?.folder;
  return folder === undefined || (!isBarred(folder, context) && store.rows(folder) !== undefined);
}
