import { readdirSync, readFileSync, readlinkSync, type Dirent } from 'node:fs';

/** Nothing where it throws: for what may not be there, may go while it is looked at, or is not ours to see. */
export function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The text of a file; empty when it cannot be read. */
export const readIfThere = (path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string =>
  attempt(() => readFileSync(path, encoding)) ?? '';
/** Where a link leads, as it says. */
export const linkIfThere = (path: string): string | undefined => attempt(() => readlinkSync(path));
export const listIfThere = (folder: string): readonly Dirent[] => attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
