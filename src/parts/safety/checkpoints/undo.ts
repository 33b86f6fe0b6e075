import { toErrorMessage } from '../../../base/errors.ts';
import type { ToolCallInfo } from '../../../contracts/safety.ts';
import { hasLocalFiles } from '../../../contracts/terminal.ts';
import type { UndoRecorder } from '../../../contracts/undo.ts';
import { toKeepRequest, outlivesCall, type KeepRequest } from './keep-request.ts';
import { findChanges, captureTarget, createFolderCache, type HeldTarget, type KeepDeps, type CheckpointLabel } from './keep.ts';
import { TooManyFiles } from './scan.ts';
import { FolderTooLarge, type SnapshotBounds } from './snapshot.ts';
import type { Checkpoints, Commit } from './store.ts';
import { isBarred, groupKeepTargets, type CheckpointContext, type KeepTarget } from './targets.ts';

export interface UndoOptions {
  readonly store: Checkpoints;
  /** Where commands run. Only files of this machine can be kept. */
  readonly kind: string;
  readonly bounds: SnapshotBounds;
  readonly context: CheckpointContext;
  /** Takes secrets out of what is written down about a call. */
  readonly mask?: (text: string) => string;
}

/** Of a command, what a list of checkpoints can show. */
const MAX_WORDS = 2_000;
/** The store may be tidied by another process just then; from the second time on nobody can. One more for a folder that turns out too large. */
const TRIES = 3;

/** Keeps files before a call changes them, and notes what it left. Trouble costs the checkpoint, never the call. */
export function createUndo(options: UndoOptions): UndoRecorder {
  const { store, kind, bounds, context } = options;
  const keeper: KeepDeps = { store, knowledge: createFolderCache(store), bounds };
  const open = new WeakMap<ToolCallInfo, readonly HeldTarget[]>();
  /** The checkpoint of the running turn, by folder. */
  const heads = new Map<string, { readonly turnId: string; readonly id: string }>();
  const once = oncePerSession();
  return {
    before: async (call, turnId) => {
      try {
        const request = hasLocalFiles(kind) ? toKeepRequest(call, context.home) : undefined;
        if (request === undefined) return undefined;
        const { targets, why } = targetsFor(request, call, context);
        const head = request.folder !== undefined && request.mutation === 'writes' ? heads.get(request.folder) : undefined;
        const joins = head?.turnId === turnId ? head.id : undefined;
        const what = (options.mask ?? ((text) => text))(request.what).slice(0, MAX_WORDS);
        const label = { sessionId: call.sessionId, turnId, tool: call.tool, what, ...(joins !== undefined && { joins }) };
        const kept = await keepAll(
          targets,
          () => ({ ...label, at: store.tick() }),
          keeper,
          () => groupKeepTargets(request, call.cwd, context),
        );
        open.set(call, kept.held);
        const first = kept.held[0]?.keeping;
        if (first !== undefined && joins === undefined && request.folder !== undefined) heads.set(request.folder, { turnId, id: first.id });
        return once(call.sessionId, kept.why ?? why);
      } catch (error) {
        return once(call.sessionId, `Files could not be kept before this call, so it cannot be rolled back: ${toErrorMessage(error)}`);
      }
    },
    after: async (call) => {
      // As for a call that is cut off, a rollback finds out itself what became of it.
      if (outlivesCall(call)) return;
      try {
        const held = open.get(call) ?? [];
        const ended = await finish(held, keeper);
        if (!ended) for (const [folder, { id }] of heads) if (held[0]?.keeping.id === id) heads.delete(folder);
      } catch {
        // What was kept stays kept: the call then counts as cut off.
      }
    },
  };
}

/** The working folder as a whole where that can be; else what is named. */
function targetsFor(
  request: KeepRequest,
  call: ToolCallInfo,
  context: CheckpointContext,
): { readonly targets: readonly KeepTarget[]; readonly why?: string } {
  const places = groupKeepTargets(request, call.cwd, context);
  const { folder } = request;
  if (folder === undefined) return { targets: places };
  if (isBarred(folder, context))
    return {
      targets: places,
      why: `No full checkpoint of ${folder === context.home ? 'your home folder' : folder}: only files a command names can be restored.`,
    };
  const covered = (target: KeepTarget): boolean => target.root === folder || target.root.startsWith(`${folder}/`);
  return { targets: [{ root: folder, whole: true }, ...places.filter((place) => !covered(place))] };
}

/** All targets in the store and seen, or a throw. A folder over the bounds gives way to what is named in it. */
async function keepAll(
  targets: readonly KeepTarget[],
  label: () => CheckpointLabel,
  keeper: KeepDeps,
  named: () => readonly KeepTarget[],
): Promise<{ readonly held: readonly HeldTarget[]; readonly why?: string }> {
  let why: string | undefined;
  let wanted = targets;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const attempt = (commit: Commit) => tryAll(wanted, label, keeper, commit);
      const held = await (tries === 0 ? attempt(keeper.store.commit) : keeper.store.undisturbed(attempt));
      if (held !== undefined) return { held, ...(why !== undefined && { why }) };
    } catch (error) {
      if (!(error instanceof TooManyFiles || error instanceof FolderTooLarge)) throw error;
      why = `Not everything can be rolled back: ${error.message}. Before commands there, only the files they name are kept.`;
      wanted = named().filter((target) => !target.whole);
    }
  }
  throw new Error('the store was being tidied all the time');
}

/** `undefined` when the store was tidied meanwhile. */
async function tryAll(
  targets: readonly KeepTarget[],
  label: () => CheckpointLabel,
  keeper: KeepDeps,
  commit: Commit,
): Promise<readonly HeldTarget[] | undefined> {
  const generation = keeper.store.generation();
  const held: HeldTarget[] = [];
  let added = 0;
  let first: string | undefined;
  for (const target of targets) {
    const made = label();
    const joined = made.joins === undefined && first !== undefined ? { ...made, joins: first } : made;
    const { added: more, ...each } = await captureTarget(target, joined, keeper, generation);
    first ??= each.keeping.id;
    added += more;
    held.push(each);
  }
  if (held.length === 0) return held;
  const keepings = held.map(({ keeping }) => keeping);
  return (await commit(keepings, generation, added)) ? held : undefined;
}

/** Writes down what the call left. A call that changed nothing leaves no checkpoint. Gives whether there is one. */
async function finish(held: readonly HeldTarget[], keeper: KeepDeps): Promise<boolean> {
  const ends: { readonly id: string; readonly files: Awaited<ReturnType<typeof findChanges>> }[] = [];
  for (const each of held) ends.push({ id: each.keeping.id, files: await findChanges(each, keeper) });
  for (const { tree, keeping } of held) if (tree !== undefined) keeper.knowledge.note(keeping.root);
  if (ends.every(({ files }) => files.length === 0)) {
    keeper.store.drop(ends.map(({ id }) => id));
    return false;
  }
  const at = keeper.store.tick();
  for (const { id, files } of ends) await keeper.store.finish(id, { at, files });
  return true;
}

/** The same words are told once a session. */
function oncePerSession() {
  const told = new Set<string>();
  return (sessionId: string, words: string | undefined): string | undefined => {
    if (words === undefined || told.has(`${sessionId}\0${words}`)) return undefined;
    told.add(`${sessionId}\0${words}`);
    return words;
  };
}
