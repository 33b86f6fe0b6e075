import { createTextBlock } from '../../../../contracts/message.ts';
import { isToolFailure, ToolFailure, type Tool, type ToolContext, type ToolOutput, type WrittenText } from '../../../../contracts/tool.ts';
import type { Effects } from '../../../../contracts/effects.ts';
import type { FileGuard } from '../files/guarded.ts';
import { toPathResource, type PathResolution } from '../files/locate.ts';
import type { FileMemory } from '../files/memory.ts';
import { createMissingFileFailure, toFileFailure } from '../files/failures.ts';
import type { RemoveFile } from './commit.ts';
import { describeChange, formatContentSize, requireText } from './content.ts';
import { openFiles } from './files.ts';
import { replaceIn } from './replace.ts';
import type { Operation } from './operations.ts';
import { parsePatch } from './v4a-parse.ts';
import { planPatch, type FileDraft } from './v4a-plan.ts';

export interface PatchInput {
  readonly mode?: 'replace' | 'patch';
  readonly path?: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
  readonly patch?: string;
}
export interface PatchOptions extends PathResolution {
  readonly guard: FileGuard;
  readonly memory: FileMemory;
  /** How a file is taken away; absent means for good. */
  readonly remove?: RemoveFile;
}

export const patchTool = (options: PatchOptions): Tool<PatchInput> => {
  const advice = growingAdvice();
  return {
    name: 'patch',
    description:
      'Edit files. mode replace (default): in path, old_string becomes new_string; it must be unique, or set replace_all. mode patch: patch is V4A text with *** Update File: / Add File: / Delete File: / Move File: a -> b; hunks with @@, context, - and + lines; or a unified diff; all or nothing.',
    input: {
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['replace', 'patch'] },
        path: { type: 'string' },
        old_string: { type: 'string' },
        new_string: { type: 'string' },
        replace_all: { type: 'boolean' },
        patch: { type: 'string' },
      },
      additionalProperties: false,
    },
    effects: (input) => ({ kind: 'write', resources: touched(input, options), shows: true }),
    restores: ['old_string', 'new_string', 'patch'],
    written: (input) => writtenTexts(input, options),
    replay: 'never',
    idempotent: false,
    trust: 'tool',
    timeoutMs: 60_000,
    maxResult: 100_000,
    run: async (input, context) => {
      const place = `${context.sessionId}\0${input.path ?? 'patch'}`;
      try {
        const output = await (modeOf(input) === 'patch' ? applyV4a(input, context, options) : applyReplace(input, context, options));
        advice.clear(place);
        return output;
      } catch (error) {
        throw error instanceof MissedEdit ? new ToolFailure(error.message + advice.next(place), { cause: error }) : error;
      }
    },
  };
};

const modeOf = (input: PatchInput): 'replace' | 'patch' =>
  input.mode ?? (input.patch !== undefined && input.old_string === undefined ? 'patch' : 'replace');

/** What cannot be told from the headers may be anything. */
function touched(input: PatchInput, spelling: PathResolution): Effects['resources'] {
  if (modeOf(input) === 'replace') return input.path === undefined ? [] : [toPathResource(input.path, spelling)];
  const parsed = parsePatch(input.patch ?? '');
  if (!parsed.ok) return ['*'];
  return parsed.operations
    .flatMap((operation) => [operation.path, ...(operation.kind === 'move' ? [operation.to] : [])])
    .map((path) => toPathResource(path, spelling));
}

/** Only what is new goes into a file: what it is found by must be there already. */
function writtenTexts(input: PatchInput, spelling: PathResolution): readonly WrittenText[] {
  if (modeOf(input) === 'replace')
    return input.path === undefined ? [] : [{ resource: toPathResource(input.path, spelling), text: input.new_string ?? '' }];
  const parsed = parsePatch(input.patch ?? '');
  const operations = parsed.ok ? parsed.operations : [];
  const moved = new Map(
    operations.flatMap((each) => (each.kind === 'move' ? [[toPathResource(each.to, spelling), each.path] as const] : [])),
  );
  return operations.map((operation) => {
    const resource = toPathResource(operation.path, spelling);
    const source = moved.get(resource);
    return { resource, text: newText(operation), ...(source !== undefined && { from: toPathResource(source, spelling) }) };
  });
}

function newText(operation: Operation): string {
  if (operation.kind === 'add') return operation.text;
  if (operation.kind !== 'update') return '';
  const added = operation.hunks.flatMap(({ lines }) => lines.filter(({ mark }) => mark === '+'));
  return added.map(({ text: line }) => line).join('\n');
}

async function applyReplace(
  { path, old_string: old, new_string: fresh, replace_all: all = false }: PatchInput,
  context: ToolContext,
  options: PatchOptions,
): Promise<ToolOutput> {
  const absent = Object.entries({ path, old_string: old, new_string: fresh }).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (path === undefined || old === undefined || fresh === undefined)
    throw new ToolFailure(`Nothing changed: mode replace needs ${absent.join(', ')}.`);
  const files = openFiles(options, context);
  const { place, before } = await files.load(path);
  if (before === undefined) throw await createMissingFileFailure(place, context.terminal);
  const replaced = replaceIn(requireText(before, place.shown), { old, new: fresh }, { all });
  if (!replaced.ok)
    throw createFailure([`Nothing changed in ${place.shown}: ${replaced.why}`, ...files.changes()].join('\n'), replaced.missed === true);
  if (replaced.count === 0)
    return {
      content: [createTextBlock(`Nothing to do: ${place.shown} already has this change.`, 'tool')],
      details: { kind: 'diff', files: [] },
    };
  const places = `${replaced.count} ${replaced.count === 1 ? 'place' : 'places'}`;
  const how = replaced.how === 'exact' ? '' : `, found by ${replaced.how} matching: check the diff`;
  return writeDrafts(files, [{ place, before, now: replaced.text }], `Changed ${places} in ${place.shown}${how}.`);
}

async function applyV4a({ patch }: PatchInput, context: ToolContext, options: PatchOptions): Promise<ToolOutput> {
  if (patch === undefined || patch.trim() === '') throw new ToolFailure('Nothing changed: mode patch needs the V4A text in `patch`.');
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new ToolFailure(`Nothing changed: the patch cannot be read: ${parsed.why}.`);
  const files = openFiles(options, context);
  const plan = await planPatch(parsed.operations, files.load);
  if (!plan.ok) {
    const words = ['Nothing changed, the patch is applied whole or not at all:', ...plan.problems, ...files.changes()];
    throw createFailure(words.join('\n'), plan.missed);
  }
  const count = plan.changed.filter((draft) => !isMovedAway(draft, plan.changed)).length;
  const loose = plan.loose.length === 0 ? [] : [...plan.loose, 'Check the diff.'];
  return writeDrafts(files, plan.changed, [`Patched ${count} ${count === 1 ? 'file' : 'files'}.`, ...loose].join(' '));
}

async function writeDrafts(files: ReturnType<typeof openFiles>, drafts: readonly FileDraft[], summary: string): Promise<ToolOutput> {
  const first = drafts[0];
  const notes = await files.write(drafts).catch((error: unknown) => {
    throw first === undefined || isToolFailure(error) ? error : toFileFailure('written (nothing was changed)', first.place, error);
  });
  return {
    content: [createTextBlock([summary, ...notes, ...drafts.flatMap((draft) => wordsOf(draft, drafts))].join('\n'), 'tool')],
    details: { kind: 'diff', files: drafts.map(({ place, before, now }) => describeChange(place, before, now).file) },
  };
}

/** What a draft did, for the model: an edit as its diff, a move or a deletion as one line. */
function wordsOf({ place, before, now, like }: FileDraft, drafts: readonly FileDraft[]): readonly string[] {
  if (now === undefined) {
    return isMovedAway({ place, now }, drafts) ? [] : [`Deleted ${place.shown} (${formatContentSize(before)}).`];
  }
  if (like === undefined) return [describeChange(place, before, now).words];
  const source = drafts.find((other) => other.place.real === like.real)?.before;
  const edit = source === now ? [] : [describeChange(place, source, now).words];
  return [`Moved ${like.shown} -> ${place.shown} (${formatContentSize(now)}).`, ...edit];
}

const isMovedAway = ({ place, now }: Pick<FileDraft, 'place' | 'now'>, drafts: readonly FileDraft[]): boolean =>
  now === undefined && drafts.some((other) => other.like?.real === place.real);

/** An edit whose place was not found: advice on how to name it helps. */
class MissedEdit extends ToolFailure {}
const createFailure = (words: string, missed: boolean): ToolFailure => (missed ? new MissedEdit(words) : new ToolFailure(words));

/** The same advice twice did not help: each failure on a path in a row gets a stronger one. */
function growingAdvice() {
  const failures = new Map<string, number>();
  return {
    clear: (place: string): void => void failures.delete(place),
    next: (place: string): string => {
      const times = (failures.get(place) ?? 0) + 1;
      failures.set(place, times);
      return times < 2
        ? ''
        : times === 2
          ? '\nRead the place again with read_file before the next try.'
          : '\nThis has failed several times: use a longer, freshly read anchor, or write the whole file with write_file.';
    },
  };
}
