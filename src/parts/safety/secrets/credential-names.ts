import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { resolveProfileRoot } from '../../../base/profile.ts';

/** Folders where keys and passwords are kept, and which of their files; none named means all. `~` is the home, `@` the profile. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '~': ['.netrc', '.git-credentials', '.npmrc', '.pypirc', '.pgpass', '.my.cnf', '.bash_history', '.zsh_history'],
  '~/.ssh': [],
  '~/.aws': [],
  '~/.gnupg': [],
  '~/.gnupg/private-keys-v1.d': [],
  '~/.kube': [],
  '~/.docker': ['config.json'],
  '~/.config/gh': ['hosts.yml'],
  '~/.config/gcloud': [],
  '@': ['.env', 'auth.json', 'credential-pool.json', 'webhook_subscriptions.json', 'secrets.salt'],
  '@/mcp-tokens': [],
  '@/oauth': [],
  '@/pairing': [],
};

interface CachedNames {
  readonly stamp: number;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The name a well-known credential has where it is kept, for another name of the same file. Only a file with several names
 * is compared; a folder is read again when something in it came or went.
 */
export function createCredentialLookup(home: string, profile: string): (path: string) => string | undefined {
  const profiles = new Set([profile, resolveProfileRoot(profile)]);
  const folders = Object.entries(FOLDERS).flatMap(([name, files]) =>
    (name.startsWith('@') ? [...profiles] : [home]).map((root) => ({ folder: join(root, name.slice(1)), files })),
  );
  const kept = new Map<string, CachedNames>();
  const namesIn = ({ folder, files }: (typeof folders)[number]): ReadonlyMap<string, string> => {
    const stamp = quietStat(folder)?.mtimeMs;
    if (stamp === undefined) return NONE;
    const before = kept.get(folder);
    const now = before?.stamp === stamp ? before : { stamp, names: filesOf(folder, files) };
    if (Date.now() - stamp > COARSE_MS) kept.set(folder, now);
    return now.names;
  };
  return (path) => {
    const found = quietStat(path);
    if (found === undefined || !found.isFile() || (found.nlink < 2 && !OPEN.test(path))) return undefined;
    const id = idOf(found);
    return folders.map((each) => namesIn(each).get(id)).find((name) => name !== undefined && name !== path);
  };
}

/** A file of ours that is open: the name it was opened by may be gone, and the one left may be that of a credential. */
const OPEN = /^\/proc\/self\/fd\/\d+$/;

/** Clocks of disks are coarse: within this time a second change may bear the same stamp as the first. */
const COARSE_MS = 100;
/** A path that cannot be looked at (too long, a NUL, a ring of links) is no other name of anything. */
function quietStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
const NONE: ReadonlyMap<string, string> = new Map();
const idOf = ({ dev, ino }: { readonly dev: number; readonly ino: number }): string => `${dev}:${ino}`;

function filesOf(folder: string, files: readonly string[]): ReadonlyMap<string, string> {
  try {
    const paths = (files.length > 0 ? files : readdirSync(folder)).map((name) => join(folder, name));
    return new Map(
      paths.flatMap((path) => {
        const found = quietStat(path);
        return found?.isFile() === true ? [[idOf(found), path] as const] : [];
      }),
    );
  } catch {
    return NONE;
  }
}
