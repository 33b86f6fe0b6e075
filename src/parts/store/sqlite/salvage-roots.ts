import type { FieldValue, FoundRow, PageReader, TreePage } from './salvage-pages.ts';
import type { SalvagedTable } from './salvage-tables.ts';

/** Where the rows of a table stand when the list of tables cannot be read. */
export interface FoundTable {
  readonly table: SalvagedTable;
  /** The first pages of its trees. */
  readonly roots: readonly number[];
  /** How the store's own list defines it, where that row of the list was found. */
  readonly sql?: string;
  /** Its trees were told by what their rows look like, and more of them may be gone. */
  readonly inPieces: boolean;
}
export interface FoundTables {
  readonly found: readonly FoundTable[];
  /** Tables of which no row was found, and no empty page that could be theirs. */
  readonly missing: readonly SalvagedTable[];
}

/**
 * Finds tables without the first page: the rows of the list of tables stand on pages below it, each with the first page of its
 * table. A table whose row is gone too is told by what its rows look like.
 */
export function findTables(pages: PageReader, tables: readonly SalvagedTable[]): FoundTables {
  const trees = readTrees(pages);
  const listed = listTables(pages, trees);
  const own = new Set([...listed.values()].flatMap(({ root }) => root));
  const free = trees.filter(({ number, isListing, isChild }) => !own.has(number) && !isListing && !isChild);
  const found = tables.flatMap((table): FoundTable[] => {
    const row = listed.get(table.name);
    const isThere = row !== undefined && trees.some(({ number, keyed }) => number === row.root && keyed === table.keyed);
    if (row !== undefined && isThere) return [{ table, roots: [row.root], sql: row.sql, inPieces: false }];
    const roots = free.filter((tree) => looksLike(firstRow(pages, tree), tree, table)).map(({ number }) => number);
    return roots.length === 0 ? [] : [{ table, roots, inPieces: row !== undefined || roots.length > 1 }];
  });
  const unseen = tables.filter((table) => !found.some((each) => each.table === table));
  const missing = unseen.filter(({ name }) => listed.has(name));
  // A table that never had a row is an empty page: as many as there are of these, as many tables lost nothing.
  const empty = (wanted: boolean): number => free.filter(({ keyed, isLeaf, rows }) => keyed === wanted && isLeaf && rows === 0).length;
  const unlisted = unseen.filter(({ name }) => !listed.has(name));
  const unexplained = [false, true].flatMap((keyed) => {
    const some = unlisted.filter((table) => table.keyed === keyed);
    return some.length <= empty(keyed) ? [] : some;
  });
  return { found, missing: [...missing, ...unexplained] };
}

interface Tree extends TreePage {
  readonly isChild: boolean;
  /** A page of the list of tables itself. */
  readonly isListing: boolean;
}

function readTrees(pages: PageReader): Tree[] {
  const found = Array.from({ length: pages.count }, (_, index) => pages.tree(index + 1)).filter((page) => page !== undefined);
  const children = new Set(found.flatMap((page) => page.children));
  return found.map((page) => ({ ...page, isChild: children.has(page.number), isListing: isListing(pages, page) }));
}

const isListing = (pages: PageReader, page: TreePage): boolean =>
  !page.keyed && page.isLeaf && page.rows > 0 && pages.rows(page).every((row) => readListing(row) !== undefined);

interface Listing {
  readonly name: string;
  readonly root: number;
  readonly sql: string;
}

/** A row of the list of tables: kind, name, table, first page, definition. */
function readListing({ kinds, values }: FoundRow): (Listing & { readonly kind: string }) | undefined {
  const [kind, name, table, root, sql] = values;
  if (kinds.length !== 5 || typeof kind !== 'string' || typeof name !== 'string' || typeof table !== 'string') return undefined;
  if (!['table', 'index', 'view', 'trigger'].includes(kind) || typeof root !== 'number') return undefined;
  if (sql === undefined && kinds[4] === 'null') return { kind, name, root, sql: '' };
  return typeof sql === 'string' && sql.startsWith('CREATE ') ? { kind, name, root, sql } : undefined;
}

/** Also of indexes and of the search index: their pages are those of no table that is looked for. */
function listTables(pages: PageReader, trees: readonly Tree[]): ReadonlyMap<string, Listing> {
  const rows = trees.filter((tree) => tree.isListing).flatMap((tree) => pages.rows(tree));
  return new Map(rows.flatMap((row) => readListing(row) ?? []).map((listing): [string, Listing] => [listing.name, listing]));
}

function firstRow(pages: PageReader, tree: TreePage): FoundRow | undefined {
  let page: TreePage | undefined = tree;
  for (let depth = 0; page !== undefined && !page.isLeaf && depth < 20; depth++) page = pages.tree(page.children[0] ?? 0);
  return page?.isLeaf === true ? pages.rows(page)[0] : undefined;
}

function looksLike(row: FoundRow | undefined, tree: TreePage, { keyed, columns }: SalvagedTable): boolean {
  if (row === undefined || tree.keyed !== keyed) return false;
  // Columns that were added later are not in older rows.
  const least = columns.filter(({ required, dflt_value: initial }) => required === 1 && initial === null).length;
  if (row.kinds.length > columns.length || row.kinds.length < least) return false;
  const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const ordered = keyed ? [...key, ...columns.filter(({ pk }) => pk === 0)] : columns;
  return row.kinds.every((kind, index) => {
    const column = ordered[index];
    return column !== undefined && fits(kind, column, !keyed && key.length === 1 && column.pk === 1);
  });
}

/** The number of a row stands outside its record, where its column is empty. */
function fits(kind: FieldValue, { type, required }: SalvagedTable['columns'][number], isRowNumber: boolean): boolean {
  if (isRowNumber && type === 'INTEGER') return kind === 'null';
  if (kind === 'null') return required === 0;
  return type === 'TEXT' ? kind === 'text' : type === 'INTEGER' || type === 'REAL' ? kind === 'number' : true;
}
