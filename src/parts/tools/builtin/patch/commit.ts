import { toErrorMessage } from '../../../../base/errors.ts';
import type { Files } from '../../../../contracts/files.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';

type FileBytes = string | Buffer;

/** What a file is to become, as it goes on the disk; `undefined` removes it. `before` is what it was. */
export interface FileWrite {
  readonly target: string;
  readonly before: FileBytes | undefined;
  readonly after: FileBytes | undefined;
  /** The file that is moved here: it brings its mode along. */
  readonly like?: string;
}
/** Takes a file away, in a way its owner can take back or for good. */
export type RemoveFile = (path: string) => Promise<void>;

/** Writes all or nothing: a failure half way takes back, the last first, what was done. Each single write is whole or not at all. */
export async function commitAll(
  writes: readonly FileWrite[],
  files: Files,
  remove: RemoveFile = (path) => files.remove(path),
): Promise<void> {
  const done: CommitStep[] = [];
  try {
    for (const step of stepsOf(writes, files, remove)) {
      await step.act();
      done.push(step);
    }
  } catch (error) {
    await takeBack(done, error);
    throw error;
  }
}

interface CommitStep {
  readonly target: string;
  act(): Promise<void>;
  undo(): Promise<void>;
}

/** Moves first, while their sources are there; removals last, when nothing else can go wrong. */
function stepsOf(writes: readonly FileWrite[], files: Files, remove: RemoveFile): CommitStep[] {
  const moved = writes.flatMap((write) => {
    const source = write.after === undefined ? undefined : writes.find(({ target }) => target === write.like);
    return source?.before === undefined || source.like !== undefined ? [] : [{ write, from: source.target, bytes: source.before }];
  });
  // A source that is moved twice has one mode to give away.
  const moves = moved.filter(({ from }, index) => moved.findIndex((other) => other.from === from) === index);
  const others = writes.filter((write) => moves.every((move) => move.write !== write));
  return [
    ...moves.flatMap(({ write, from, bytes }) => move(write, from, bytes, files)),
    ...others.flatMap(({ target, before, after }) => (after === undefined ? [] : [put(files, target, before, after)])),
    ...others.flatMap(({ target, before, after }) =>
      after !== undefined || moves.some(({ from }) => from === target)
        ? []
        : [{ target, act: () => remove(target), undo: back(files, target, before) }],
    ),
  ];
}

/** Written first, which makes the folders; then the source takes its place with its mode, and gets the new text where that differs. */
const move = ({ target, before, after = '' }: FileWrite, from: string, bytes: FileBytes, files: Files): CommitStep[] => [
  put(files, target, before, after),
  { target, act: () => files.rename(from, target), undo: () => files.rename(target, from) },
  ...(after === bytes ? [] : [put(files, target, bytes, after)]),
];

const put = (files: Files, target: string, before: FileBytes | undefined, after: FileBytes): CommitStep => ({
  target,
  act: () => files.write(target, after),
  undo: back(files, target, before),
});

const back = (files: Files, target: string, before: FileBytes | undefined) => async (): Promise<void> => {
  if (before !== undefined) await files.write(target, before);
  else if ((await files.stat(target)) !== undefined) await files.remove(target);
};

/** Goes on to the end whatever fails, and says what could not be put back. */
async function takeBack(done: readonly CommitStep[], reason: unknown): Promise<void> {
  const stuck: string[] = [];
  for (const step of done.toReversed())
    await step.undo().catch((error: unknown) => stuck.push(`${step.target} (${toErrorMessage(error)})`));
  if (stuck.length > 0)
    throw new ToolFailure(
      `The patch failed partway (${toErrorMessage(reason)}), and these files could not be restored: ${stuck.join(', ')}. Check them before you continue.`,
      {
        cause: reason,
      },
    );
}
