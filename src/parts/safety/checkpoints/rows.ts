import { readFileSync } from 'node:fs';
import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import { isHash, readList } from './model.ts';

/** What is known of one file since it was last read. */
export interface ScanRow {
  readonly stamp: string;
  readonly hash: string;
  /** Its bytes are in the store. Holds as long as nothing was taken out of the store. */
  readonly stored: boolean;
}
/** What is known of a folder's files, so that those that did not change need not be read again. */
export interface ScanRows {
  readonly root: string;
  /** The state of the store for which this is true: it changes whenever something is taken out. */
  readonly generation: string;
  readonly files: ReadonlyMap<string, ScanRow>;
}

export const writeRows = ({ root, generation, files }: ScanRows): string =>
  JSON.stringify({ root, generation, files: [...files].map(([path, { stamp, hash, stored }]) => ({ path, stamp, hash, stored })) });

/** Only ever a help: what cannot be read is as good as none. */
export function readRows(path: string): ScanRows | undefined {
  try {
    const value = parseJson(readFileSync(path, 'utf8'));
    const [root, generation] = [readStringAt(value, 'root'), readStringAt(value, 'generation')];
    const files = isObject(value) ? readList(value['files'], readRow) : undefined;
    return root === undefined || generation === undefined || files === undefined ? undefined : { root, generation, files: new Map(files) };
  } catch {
    return undefined;
  }
}

function readRow(value: Json): readonly [string, ScanRow] | undefined {
  const [path, stamp, hash] = [readStringAt(value, 'path'), readStringAt(value, 'stamp'), readStringAt(value, 'hash')];
  if (path === undefined || stamp === undefined || hash === undefined || !isHash(hash) || !isObject(value)) return undefined;
  return [path, { stamp, hash, stored: value['stored'] === true }];
}
