import { sha256 } from '../../../base/sha256.ts';

/** Ids of tasks come from anywhere; the name of a folder is plain, and no two tasks have the same. */
export function toFileName(id: string): string {
  const plain = id.replaceAll(/[^\w-]+/g, '_').slice(0, 60);
  return plain === id ? plain : `${plain}-${sha256(id).slice(0, 8)}`;
}
