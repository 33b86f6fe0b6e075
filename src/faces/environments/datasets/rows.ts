import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';

export type DatasetRow = Readonly<Record<string, unknown>>;

/** The rows of a data set in a file: Parquet, or JSON by line, which may be packed (`.gz`). */
export async function readRows(path: string): Promise<readonly DatasetRow[]> {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}. Download the data set and name its file in env.dataset_name.`);
  try {
    return path.endsWith('.parquet') ? await readParquet(path) : readJsonLines(path);
  } catch (error) {
    throw new UsageError(`${path} could not be read: ${toErrorMessage(error)}`);
  }
}

async function readParquet(path: string): Promise<readonly DatasetRow[]> {
  const { parquetReadObjects } = await import('hyparquet');
  const blob = await openAsBlob(path);
  const file = {
    byteLength: blob.size,
    slice: async (start: number, end?: number): Promise<ArrayBuffer> => blob.slice(start, end ?? blob.size).arrayBuffer(),
  };
  return parquetReadObjects({ file });
}

function readJsonLines(path: string): readonly DatasetRow[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) throw new Error(`line ${index + 1} is not an object`);
    return [value];
  });
}
