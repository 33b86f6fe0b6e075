import type { FileStat, Files } from '../../../../contracts/files.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import type { Location } from './locate.ts';
import { toFileFailure } from './failures.ts';

/** What lies at a place: a file's facts, or `undefined` for nothing. Folders and devices are refused, because no tool here can use them. */
export async function inspect(place: Location, files: Files): Promise<FileStat | undefined> {
  const found = await files.stat(place.real).catch((error: unknown) => {
    throw toFileFailure('opened', place, error);
  });
  if (found !== undefined) refuseOthers(place, found);
  return found;
}

function refuseOthers({ shown }: Location, { kind }: FileStat): void {
  if (kind === 'folder')
    throw new ToolFailure(`${shown} is a folder, not a file. List it with search_files (target: files, pattern: *, path: ${shown}).`);
  if (kind === 'other') throw new ToolFailure(`Refused: ${shown} is a device, pipe or socket; opening it could block forever.`);
}
