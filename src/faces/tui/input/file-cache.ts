import type { AttachmentSource } from '../../../contracts/attachments.ts';

const MAX_FILES = 20_000;
/** So long a list of files is good enough to choose from. */
const MAX_AGE_MS = 10_000;

/** The files of a workspace, listed once for many keys; a list that is being made is not begun again. */
export function createFileCache({ listFiles }: Pick<AttachmentSource, 'listFiles'>, now: () => number, closed: AbortSignal) {
  let last: { readonly files: Promise<readonly string[]>; readonly at: number } | undefined;
  return (): Promise<readonly string[]> => {
    if (last === undefined || now() - last.at > MAX_AGE_MS) last = { files: listFiles(MAX_FILES, closed), at: now() };
    last.files.catch(() => (last = undefined));
    return last.files;
  };
}
