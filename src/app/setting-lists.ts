import { withFileLock } from '../base/file-lock.ts';
import { readConfig, readIfThere } from './config.ts';
import { writeWhole } from './write-whole.ts';
import { withSetting } from './yaml-edit.ts';

/** Adds words to a list in the settings file as it stands now: what somebody else wrote meanwhile stays. */
export const addToList = (path: string, key: string, words: readonly string[]): Promise<readonly string[]> =>
  changeList(path, key, (there) => [...new Set([...there, ...words])]);

export const takeFromList = (path: string, key: string, words: readonly string[]): Promise<readonly string[]> =>
  changeList(path, key, (there) => there.filter((word) => !words.includes(word)));

/** Gives the list as it is afterwards; nothing is written when it stays the same. */
function changeList(path: string, key: string, change: (there: readonly string[]) => readonly string[]): Promise<readonly string[]> {
  return withFileLock(path, async () => {
    const { values } = await readConfig(path, {});
    const there = Array.isArray(values[key]) ? values[key].map(String) : [];
    const list = change(there);
    if (list.length !== there.length) writeWhole(path, withSetting(readIfThere(path) ?? '', key, list));
    return list;
  });
}
