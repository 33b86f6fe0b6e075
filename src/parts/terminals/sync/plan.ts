/**
 * What of the profile goes to a place far away, and what comes back. Pure: lists in, lists out; paths are those below
 * `~/.hermes` there, with slashes.
 */
export interface SyncSource {
  /** A file or a folder of this machine. */
  readonly from: string;
  /** Its name there. */
  readonly to: string;
  /** Whether what was changed or made there is brought here, to be looked at. Never for credentials: nobody there may set ours. */
  readonly back: boolean;
}
export interface LocalFile {
  readonly path: string;
  /** Where it lies on this machine. */
  readonly at: string;
  readonly size: number;
  readonly mtimeMs: number;
}
export interface RemoteFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}
/** What is known to lie there because we put it there. */
export interface SentFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** 2 GiB, both ways. */
export const MAX_BYTES = 2 * 1024 ** 3;

export interface PushPlan {
  readonly send: readonly LocalFile[];
  readonly remove: readonly string[];
  readonly bytes: number;
}
/** New or changed by time and size; gone here is gone there, but only what we sent. */
export function planPush(sent: ReadonlyMap<string, SentFile>, here: readonly LocalFile[]): PushPlan {
  const isNew = ({ path, size, mtimeMs }: LocalFile): boolean => {
    const before = sent.get(path);
    return before === undefined || before.size !== size || before.mtimeMs !== mtimeMs;
  };
  const send = here.filter(isNew);
  const paths = new Set(here.map(({ path }) => path));
  return { send, remove: [...sent.keys()].filter((path) => !paths.has(path)), bytes: bytesOf(send) };
}

/** Groups that are sent one after the other, so that no more than one lies in memory. */
export function splitBatches<File extends { readonly size: number }>(files: readonly File[], most: number): File[][] {
  const groups: File[][] = [];
  let room = 0;
  for (const file of files) {
    if (file.size > room || groups.length === 0) {
      groups.push([]);
      room = most;
    }
    groups.at(-1)?.push(file);
    room -= file.size;
  }
  return groups;
}

export interface SyncBackPlan {
  readonly take: readonly RemoteFile[];
  readonly bytes: number;
}

/** Deletions do not come back: a file lost there is no wish to lose it here. `here` is what is known of a path, by hash. */
export function planPull(
  sources: readonly SyncSource[],
  sent: ReadonlyMap<string, Pick<SentFile, 'sha256'>>,
  there: readonly RemoteFile[],
  here: (path: string) => readonly string[],
): SyncBackPlan {
  const take = there.filter(
    ({ path, sha256 }) => comesBack(sources, path) && sent.get(path)?.sha256 !== sha256 && !here(path).includes(sha256),
  );
  return { take, bytes: bytesOf(take) };
}

/** Whatever the far side calls a file, it comes back below a folder that was sent, or not at all. */
export const comesBack = (sources: readonly SyncSource[], path: string): boolean =>
  !path.split('/').some((word) => word === '' || word === '.' || word === '..') &&
  !/[\0\\]/.test(path) &&
  sources.some(({ to, back }) => back && path.startsWith(`${to}/`));

const bytesOf = (files: readonly { readonly size: number }[]): number => files.reduce((sum, { size }) => sum + size, 0);
