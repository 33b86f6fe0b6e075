import { parseJson } from '../../../base/json.ts';
import { ABSENT, readFile, readList, isSameState, type ChangedFile, type HeldFile } from './model.ts';
import type { FileTree } from './snapshot.ts';

export const writeTree = (tree: FileTree): Buffer => Buffer.from(JSON.stringify([...tree].map(([path, before]) => ({ path, before }))));

export function readTree(bytes: Buffer): FileTree {
  const files = readList(parseJson(bytes.toString('utf8')), readFile);
  if (files === undefined) throw new Error('a list of kept files cannot be read');
  return new Map(files.map(({ path, before }: HeldFile) => [path, before]));
}

/** What is not the same in both. */
export function diffTrees(before: FileTree, after: FileTree): ChangedFile[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    const [was, is] = [before.get(path) ?? ABSENT, after.get(path) ?? ABSENT];
    return isSameState(was, is) ? [] : [{ path, before: was, after: is }];
  });
}
