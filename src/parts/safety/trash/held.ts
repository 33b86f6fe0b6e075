import { closeSync, constants, mkdirSync, openSync, readdirSync, type Dirent } from 'node:fs';

/**
 * A folder held open. What is reached by its `path` and one name lies in it, whoever puts a link in the place of the folder
 * or of one above it meanwhile: commands in a sandbox may be at work in there while we are. Linux alone knows such paths,
 * and it alone has sandboxes.
 */
export interface HeldFolder extends Disposable {
  readonly path: string;
  /** What is in it; nothing when it cannot be read. */
  items(): Dirent[];
}

/** Only to pass through: reading and writing go by the path, with a look at rights of their own. */
const O_PATH = 0o10_000_000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** `undefined` when there is no folder of that name, or a link to one. Nobody else may be able to change what stands before the name. */
export function holdFolder(path: string): HeldFolder | undefined {
  const file = openFolder(path);
  if (file === undefined) return undefined;
  const own = `/proc/self/fd/${file}`;
  return { path: own, items: () => itemsOf(own), [Symbol.dispose]: () => closeSync(file) };
}

/** The folder below another that some names lead to, from one to the next and never over a link. With `make`, those that are missing are made. */
export function holdSubfolder(path: string, names: readonly string[], make = false): HeldFolder | undefined {
  const [name, ...rest] = names;
  const here = holdFolder(path);
  if (here === undefined || name === undefined) return here;
  using _ = here;
  if (make) makeFolder(`${here.path}/${name}`);
  return holdSubfolder(`${here.path}/${name}`, rest, make);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch {
    // It is there already; what it is shows when it is opened.
  }
}

function openFolder(path: string): number | undefined {
  try {
    return openSync(path, FOLDER);
  } catch {
    return undefined;
  }
}

function itemsOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
