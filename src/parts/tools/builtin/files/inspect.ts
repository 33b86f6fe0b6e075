import { stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { codeOf, trouble } from './trouble.ts';
import type { Location } from './locate.ts';

export interface Found {
  readonly size: number;
  readonly mode: number;
  /** Changes whenever the file does: another inode, another time or another size. */
  readonly stamp: string;
}

/** What lies at a place: a file's facts, or `undefined` for nothing. Folders and devices are refused, because no tool here can use them. */
export async function inspect(place: Location): Promise<Found | undefined> {
  const found = await stat(place.path, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw trouble('opened', place, error);
  });
  if (found === undefined) return undefined;
  refuseOthers(place, found);
  return { size: Number(found.size), mode: Number(found.mode & 0o7777n), stamp: `${found.ino}:${found.mtimeNs}:${found.size}` };
}

function refuseOthers({ shown }: Location, found: BigIntStats): void {
  if (found.isDirectory())
    throw new ToolFailure(`${shown} is a folder, not a file. List it with search_files (target: files, pattern: *, path: ${shown}).`);
  if (!found.isFile()) throw new ToolFailure(`Refused: ${shown} is a device, pipe or socket; opening it could block for ever.`);
}
