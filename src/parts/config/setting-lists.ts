import { withFileLock } from '../../base/file-lock.ts';
import { readConfig, readIfThere, type Fields } from './config.ts';

import { writeWhole } from './write-whole.ts';
import { withSetting } from './yaml-edit.ts';

export interface ChangedList {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Adds words to a list in the settings file as it stands now: what somebody else wrote meanwhile stays. */
export const addToList = async (fields: Fields, path: string, key: string, words: readonly string[]): Promise<readonly string[]> =>
  (await changeList(fields, path, key, (there) => [...new Set([...there, ...words])])).after;

export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index]);

/** Nothing is written when the list stays the same. */
export function changeList(
  fields: Fields,
  path: string,
  key: string,
  change: (there: readonly string[]) => readonly string[],
): Promise<ChangedList> {
  return withFileLock(path, async () => {
    const { values } = await readConfig(fields, path, {});
    const before = Array.isArray(values[key]) ? values[key].map(String) : [];
    const after = change(before);
    if (!isSameList(before, after)) writeWhole(path, withSetting(readIfThere(path) ?? '', key, after));
    return { before, after };
  });
}
