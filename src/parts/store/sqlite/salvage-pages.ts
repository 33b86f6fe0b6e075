import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The kinds of pages that hold trees, as the first byte of a page says: of rows by number, and of keys. */
const KINDS = {
  2: { keyed: true, isLeaf: false },
  5: { keyed: false, isLeaf: false },
  10: { keyed: true, isLeaf: true },
  13: { keyed: false, isLeaf: true },
} as const;
const FILE_HEADER = 100;
const PAGE_SIZE = 16;

/** A page of a tree: it holds rows itself, or names the pages below it. */
export interface TreePage {
  readonly number: number;
  readonly keyed: boolean;
  readonly isLeaf: boolean;
  readonly children: readonly number[];
  /** Cells of a leaf: no row stands in other pages of a tree of rows. */
  readonly rows: number;
}
export type FieldValue = 'null' | 'number' | 'text' | 'bytes';
/** A row as its record says: the kind of each field, and the text of those that stand whole on the page. */
export interface FoundRow {
  readonly kinds: readonly FieldValue[];
  readonly values: readonly (string | number | undefined)[];
}
export interface PageReader extends Disposable {
  readonly size: number;
  readonly count: number;
  tree(number: number): TreePage | undefined;
  rows(page: TreePage): FoundRow[];
}

/** Reads the pages of a store without its list of tables. What does not look like a page of a tree is none. */
export function readPages(path: string): PageReader {
  const file = openSync(path, 'r');
  const header = Buffer.alloc(FILE_HEADER);
  readSync(file, header, 0, FILE_HEADER, 0);
  const size = readPageSize(header);
  const count = Math.floor(fstatSync(file).size / size);
  const read = (number: number): Buffer => {
    const bytes = Buffer.alloc(size);
    readSync(file, bytes, 0, size, (number - 1) * size);
    return bytes;
  };
  return {
    size,
    count,
    tree: (number) => (number < 1 || number > count ? undefined : parseTreePage(read(number), number, count)),
    rows: (page) => parseRows(read(page.number), page),
    [Symbol.dispose]: () => closeSync(file),
  };
}

export const readPageSize = (header: Buffer): number => {
  const size = header.readUInt16BE(PAGE_SIZE);
  return size === 1 ? 65_536 : size;
};

function parseTreePage(page: Buffer, number: number, count: number): TreePage | undefined {
  const start = number === 1 ? FILE_HEADER : 0;
  const kind = Object.entries(KINDS).find(([byte]) => Number(byte) === page[start])?.[1];
  if (kind === undefined) return undefined;
  const places = cellPlaces(page, start, kind.isLeaf);
  if (places === undefined) return undefined;
  const children = kind.isLeaf ? [] : [...places.map((place) => page.readUInt32BE(place)), page.readUInt32BE(start + 8)];
  return children.some((child) => child < 2 || child > count)
    ? undefined
    : { number, ...kind, children, rows: kind.isLeaf ? places.length : 0 };
}

/** Where the cells of a page begin; `undefined` where that cannot be. */
function cellPlaces(page: Buffer, start: number, isLeaf: boolean): number[] | undefined {
  const cells = page.readUInt16BE(start + 3);
  const first = start + (isLeaf ? 8 : 12);
  if (first + cells * 2 > page.length) return undefined;
  const places = Array.from({ length: cells }, (_, index) => page.readUInt16BE(first + index * 2));
  return places.every((place) => place >= first + cells * 2 && place + 4 <= page.length) ? places : undefined;
}

function parseRows(page: Buffer, { number, keyed }: TreePage): FoundRow[] {
  const start = number === 1 ? FILE_HEADER : 0;
  return (cellPlaces(page, start, true) ?? []).flatMap((place) => {
    const row = parseRecord(page, keyed ? skipVarints(page, place, 1) : skipVarints(page, place, 2));
    return row === undefined ? [] : [row];
  });
}

function skipVarints(page: Buffer, place: number, count: number): number {
  let at = place;
  for (let each = 0; each < count; each++) at = readVarint(page, at).next;
  return at;
}

/** Seven bits a byte, the highest first; no size or kind of a field needs more than six bytes. */
function readVarint(page: Buffer, place: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let at = place; at < place + 9; at++) {
    const byte = page[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + 1 };
  }
  return { value, next: place + 9 };
}

/** A record: the length of its head, a number for the kind and length of each field, then the fields. */
function parseRecord(page: Buffer, place: number): FoundRow | undefined {
  const head = readVarint(page, place);
  const end = place + head.value;
  if (end > page.length) return undefined;
  const types: number[] = [];
  for (let at = head.next; at < end;) {
    const type = readVarint(page, at);
    types.push(type.value);
    at = type.next;
  }
  let at = end;
  const values = types.map((type) => {
    const from = at;
    at += lengthOf(type);
    if (at > page.length) return undefined;
    if (type >= 13 && type % 2 === 1) return page.toString('utf8', from, at);
    return type >= 1 && type <= 6 ? page.readIntBE(from, Math.min(lengthOf(type), 6)) : type === 8 ? 0 : type === 9 ? 1 : undefined;
  });
  return { kinds: types.map(kindOf), values };
}

const NUMBER_LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;
const lengthOf = (type: number): number => (type >= 12 ? Math.floor((type - 12) / 2) : (NUMBER_LENGTHS[type] ?? 0));
const kindOf = (type: number): FieldValue => (type === 0 ? 'null' : type < 12 ? 'number' : type % 2 === 0 ? 'bytes' : 'text');
