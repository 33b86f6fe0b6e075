import { toErrorMessage } from '../../../../base/errors.ts';
import type { Location } from '../files/locate.ts';
import { requireText, type FileContent } from './content.ts';
import { replaceIn } from './replace.ts';
import { toLineNumber, findOccurrences, toSourceLines } from './source.ts';
import type { Hunk, Operation } from './operations.ts';

/** A file as the plan sees it: what the disk has and what it will have. `undefined` is: no such file. */
export interface FileDraft {
  readonly place: Location;
  readonly before: FileContent | undefined;
  readonly now: FileContent | undefined;
  /** Came here by a move: line ends and mode are those of this file. */
  readonly like?: Location;
  /** Its text as it was is thrown away unseen: by Delete File, also when another file is added in its place. */
  readonly dropped?: true;
}
export type PatchPlan =
  /** `loose`: which hunks did not stand there letter for letter, and how they were found. */
  | { readonly ok: true; readonly changed: readonly FileDraft[]; readonly loose: readonly string[] }
  /** `missed`: a hunk did not find its place. */
  | { readonly ok: false; readonly problems: readonly string[]; readonly missed: boolean };

/** Reads a file for the plan; throws when it is there but cannot be read, for that does not make its place free. */
export type LoadDraft = (path: string) => Promise<Pick<FileDraft, 'place' | 'before'>>;

/** Plays all operations on copies, later ones seeing earlier ones. Nothing is written; every problem is told. */
export async function planPatch(operations: readonly Operation[], load: LoadDraft): Promise<PatchPlan> {
  const files = openDrafts(load);
  const problems: string[] = [];
  let missed = false;
  for (const operation of operations) {
    try {
      await perform(operation, files);
    } catch (error) {
      problems.push(`${operation.path}: ${toErrorMessage(error)}`);
      missed ||= error instanceof HunkMiss;
    }
  }
  const changed = files.drafts().filter(({ before, now }) => before !== now);
  if (problems.length === 0 && changed.length === 0) problems.push('the patch changes nothing: all it wants is already so');
  return problems.length > 0 ? { ok: false, problems, missed } : { ok: true, changed, loose: files.loose };
}

class HunkMiss extends Error {}

type DraftFiles = ReturnType<typeof openDrafts>;

function openDrafts(load: LoadDraft) {
  const drafts = new Map<string, FileDraft>();
  const loose: string[] = [];
  return {
    loose,
    open: async (path: string): Promise<FileDraft> => {
      const loaded = await load(path);
      const draft = drafts.get(loaded.place.real) ?? { ...loaded, now: loaded.before };
      drafts.set(draft.place.real, draft);
      return draft;
    },
    put: (draft: FileDraft, now: FileContent | undefined): void => void drafts.set(draft.place.real, { ...draft, now }),
    drafts: (): FileDraft[] => [...drafts.values()],
  };
}

async function perform(operation: Operation, files: DraftFiles): Promise<void> {
  const draft = await files.open(operation.path);
  if (operation.kind === 'add') {
    if (draft.now !== undefined) throw new Error('Add File, but the file exists; use Update File, or Delete File before it');
    return files.put(draft, operation.text);
  }
  if (draft.now === undefined) throw new Error('there is no such file');
  if (operation.kind === 'delete') return files.put({ ...draft, dropped: true }, undefined);
  if (operation.kind === 'update') {
    const { shown } = draft.place;
    const say = (how: string, index: number) => void files.loose.push(`${shown}, hunk ${index + 1}: found by ${how} matching.`);
    const start = requireText(draft.now, shown);
    return files.put(
      draft,
      operation.hunks.reduce((text, hunk, index) => applyHunk(text, hunk, index, say), start),
    );
  }
  const target = await files.open(operation.to);
  if (target.now !== undefined) throw new Error(`Move File, but ${operation.to} exists`);
  files.put({ ...target, like: draft.like ?? draft.place }, draft.now);
  files.put(draft, undefined);
}

function applyHunk(text: string, { hint, line, lines }: Hunk, index: number, say: (how: string, index: number) => void): string {
  const side = (mark: '-' | '+') => lines.filter((each) => each.mark === ' ' || each.mark === mark).map((each) => `${each.text}\n`);
  const [old, fresh] = [side('-').join(''), side('+').join('')];
  if (old === fresh) return text;
  const told = line === undefined ? undefined : replaceAtLine(text, line, old, fresh);
  if (told !== undefined) return told;
  if (old === '') return insertAfterHint(text, hint, fresh, index);
  const hints = hint === '' ? [] : findOccurrences(text, hint);
  const after = hints.length === 1 ? hints[0]?.start : undefined;
  const replaced = replaceIn(text, { old, new: fresh }, { all: false, wholeLines: true, ...(after !== undefined && { after }) });
  if (!replaced.ok) throw new HunkMiss(`hunk ${index + 1}: ${replaced.why}`);
  if (replaced.count > 0 && replaced.how !== 'exact') say(replaced.how, index);
  return replaced.text;
}

/** A line number is believed only where the file says there what the hunk says. */
function replaceAtLine(text: string, line: number, old: string, fresh: string): string | undefined {
  const { starts } = toSourceLines(text);
  const start = starts[line - 1] ?? text.length;
  const isThere = line <= starts.length && text.startsWith(old, start);
  return isThere ? text.slice(0, start) + fresh + text.slice(start + old.length) : undefined;
}

/** A hunk that only adds says where by its hint, and the hint must leave no choice. */
function insertAfterHint(text: string, hint: string, fresh: string, index: number): string {
  const found = hint === '' ? [] : findOccurrences(text, hint);
  const place = found[0];
  if (place === undefined || found.length > 1) {
    const where =
      hint === ''
        ? 'has no context'
        : found.length === 0
          ? `has a hint that is not in the file (${hint})`
          : `has a hint that stands at ${found.length} places, first L${toLineNumber(text, place?.start ?? 0)}`;
    throw new HunkMiss(`hunk ${index + 1} only adds lines and ${where}; give context lines around the place`);
  }
  const end = text.indexOf('\n', place.end);
  return end < 0 ? `${text}\n${fresh}` : text.slice(0, end + 1) + fresh + text.slice(end + 1);
}
