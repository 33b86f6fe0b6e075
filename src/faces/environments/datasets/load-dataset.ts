import { findDataset, type DownloadContext } from './hub.ts';
import { readRows, type DatasetRow } from './rows.ts';

/** Which part of a data set; any where it has but one. */
export interface DatasetPart {
  readonly config?: string;
  readonly split?: string;
}

/**
 * The rows of a data set for an environment of your own: a file of Parquet or JSON lines, or the name of a data set at Hugging Face
 * (`owner/name`), which is downloaded once. Give it the context that `load` was called with.
 */
export async function loadDataset(
  named: string,
  { config = 'default', split = 'train' }: DatasetPart,
  context: DownloadContext,
): Promise<readonly DatasetRow[]> {
  const paths = await findDataset(named, { configs: [config], splits: [split] }, context);
  return (await Promise.all(paths.map(readRows))).flat();
}
