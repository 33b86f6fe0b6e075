import { existsSync, readFileSync } from 'node:fs';
import { withFileLock } from '../../../base/file-lock.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import { replaceFile } from '../../../base/replace-file.ts';

/** Which image holds the files a task left, in a file of the profile. */
export interface ModalSnapshots {
  of(task: string): string | undefined;
  keep(task: string, image: string): Promise<void>;
  forget(task: string): Promise<void>;
}

/** A file that cannot be read is an empty one: tasks then begin anew. */
export function createImageSnapshots(path: string): ModalSnapshots {
  const read = (): Record<string, unknown> => {
    const found = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
    return isObject(found) ? { ...found } : {};
  };
  const change = (work: (all: Record<string, unknown>) => void) =>
    withFileLock(path, () => {
      const all = read();
      work(all);
      replaceFile(path, `${JSON.stringify(all, null, 2)}\n`, 0o600);
    });
  return {
    of: (task) => {
      const image = read()[task];
      return typeof image === 'string' ? image : undefined;
    },
    keep: (task, image) => change((all) => (all[task] = image)),
    forget: (task) => change((all) => delete all[task]),
  };
}
