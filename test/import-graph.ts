import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Who imports whom: a file or a folder, and what it leads to. */
export type Graph = ReadonlyMap<string, readonly string[]>;

const ROOMED = new Set(['parts', 'faces', 'platforms']);
const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/** The band a path lies in, and the room where the band has rooms. */
export const placeOf = (path: string): { readonly band: string; readonly room: string } => {
  const [band = '', room = ''] = relative('src', path).split(sep);
  return { band, room: ROOMED.has(band) ? room : '' };
};

/** Everything a file names of ours: imports that load, imports of types, and those that wait until they are asked for. */
export const importsOf = (file: string): string[] => importsIn(file, readFileSync(file, 'utf8'));
export const importsIn = (file: string, text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));

export const importGraph = (files: readonly string[]): Graph => new Map(files.map((file) => [file, importsOf(file)]));

/** The folders by what their files import from other folders of the same room. */
export function foldersOf(files: Graph): Graph {
  const folders = Map.groupBy(files.keys(), (file) => dirname(file));
  const leads = (file: string): string[] =>
    (files.get(file) ?? []).filter((target) => isSameRoom(file, target)).map((target) => dirname(target));
  return new Map([...folders].map(([folder, members]) => [folder, members.flatMap(leads).filter((target) => target !== folder)]));
}

function isSameRoom(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a.band === b.band && a.room === b.room;
}

/** Groups in which everybody leads to everybody, each as its members in order. */
export function cyclesIn(graph: Graph): string[] {
  const reached = new Map([...graph.keys()].map((from) => [from, reachedFrom(from, graph)]));
  const groups = [...reached]
    .filter(([from, all]) => all.has(from))
    .map(([from, all]) => [...all].filter((each) => reached.get(each)?.has(from)).toSorted());
  return [...new Set(groups.map((group) => group.join(' ')))].toSorted();
}

function reachedFrom(from: string, graph: Graph): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of graph.get(next) ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return seen;
}
