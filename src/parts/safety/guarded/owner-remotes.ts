import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { parseGitConfig } from '../../../base/git-config.ts';
import { parseJson, readPath, readStringAt } from '../../../base/json.ts';
import { resolveProfileRoot } from '../../../base/profile.ts';
import { realPath } from '../../../base/real-path.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { sha256 } from '../../../base/sha256.ts';
import { isWithin } from '../../../base/within.ts';
import type { OwnerRemotes, RemoteSetting } from '../../../contracts/owner-remotes.ts';
import { createLooker } from './look.ts';
import { findRepositoryAbove, openRepository } from './repository.ts';

/** Settings that say whom git speaks with, or by which program. */
const isRemoteSetting = ({ key }: RemoteSetting): boolean =>
  /^remote\..*\.(?:push)?url$|^url\.|^core\.sshcommand$|^branch\..*\.(?:push)?remote$|^remote\.pushdefault$|^include(?:if\..*)?\.path$/.test(
    key,
  );
/** An address may be moved to another remote: `git remote rename` does that. Other settings mean something under their own name only. */
const toEntry = ({ key, name, value = '' }: RemoteSetting): string => (/^(?:push)?url$/.test(name) ? value : `${key}=${value}`);

/** Those of a home. All its profiles share them: a command of one must not add a remote that another takes for the owner's. */
export function openRemotesOfHome(home: string): OwnerRemotes {
  const folder = join(resolveProfileRoot(home), 'known-remotes');
  try {
    // Before a sandbox looks at the home: what appears there later is news to it.
    makeFolder(folder);
  } catch {
    // A home that cannot be written to keeps no records.
  }
  return openOwnerRemotes({ folder, agents: ['workspace', 'sandboxes'].map((name) => join(home, name)) });
}

export interface OwnerRemotesOptions {
  /** Where the records are kept. */
  readonly folder: string;
  /** Folders of the agent itself: no repository in them is the owner's. */
  readonly agents: readonly string[];
}

/**
 * One file for each repository and each folder that commands could write to, in a folder that commands cannot reach. The first
 * to write a file decides: nothing that comes to a repository later gets in, except by `agree`.
 */
export function openOwnerRemotes({ folder, agents }: OwnerRemotesOptions): OwnerRemotes {
  const isAgents = (path: string): boolean => agents.some((each) => isWithin(each, path));
  const pathOf = (kind: 'repository' | 'folder', path: string): string => join(folder, `${kind}-${sha256(path).slice(0, 32)}.json`);
  const isWritten = (path: string): boolean => readRecord(pathOf('folder', path)) !== undefined;
  /** Commands could write to the repository before anybody looked at it. */
  const cameLater = (gitFolder: string): boolean =>
    isAgents(gitFolder) || isWritten(gitFolder) || (dirname(gitFolder) !== gitFolder && cameLater(dirname(gitFolder)));
  const noteRepository = (gitFolder: string): void => {
    const path = pathOf('repository', gitFolder);
    if (readRecord(path) === undefined) writeOnce(path, { path: gitFolder, entries: cameLater(gitFolder) ? [] : readEntries(gitFolder) });
  };
  return {
    begin: (folders) => {
      for (const root of folders.map((each) => realPath(each) ?? each)) {
        const around = openRepository(join(root, '.git'), root) ?? findRepositoryAbove(root);
        if (around !== undefined) noteRepository(around.common);
        if (isAgents(root) || isWritten(root)) continue;
        const gitFolders = around === undefined ? [] : [around.common];
        for (const { common } of createLooker({ roots: [root], gitFolders })().repositories.values()) noteRepository(common);
        writeOnce(pathOf('folder', root), { path: root, entries: [] });
      }
    },
    isOwners: (gitFolder, setting) => {
      const real = realPath(gitFolder) ?? gitFolder;
      const known = readRecord(pathOf('repository', real))?.entries;
      return known === undefined ? !cameLater(real) : known.includes(toEntry(setting));
    },
    agree: (gitFolder, settings) => {
      const real = realPath(gitFolder) ?? gitFolder;
      noteRepository(real);
      const path = pathOf('repository', real);
      const entries = new Set([...(readRecord(path)?.entries ?? []), ...settings.filter(isRemoteSetting).map(toEntry)]);
      write(() => replaceFile(path, toText({ path: real, entries: [...entries] })), path, { path: real, entries: [...entries] });
    },
  };
}

interface RemoteRecord {
  readonly path: string;
  readonly entries: readonly string[];
}
const toText = (record: RemoteRecord): string => `${JSON.stringify(record)}\n`;

function readEntries(gitFolder: string): readonly string[] {
  try {
    const settings = parseGitConfig(readFileSync(join(gitFolder, 'config'), 'latin1')) ?? [];
    return settings.filter(isRemoteSetting).map(toEntry);
  } catch {
    return [];
  }
}

/** A record that cannot be read knows nothing, so that everything in the repository is asked about. */
function readRecord(path: string): RemoteRecord | undefined {
  const unwritten = UNWRITTEN.get(path);
  if (unwritten !== undefined) return unwritten;
  try {
    return parseRecord(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
function parseRecord(text: string): RemoteRecord {
  const found = parseJson(text);
  const entries = readPath(found, 'entries');
  return {
    path: readStringAt(found, 'path') ?? '',
    entries: Array.isArray(entries) ? entries.filter((each) => typeof each === 'string') : [],
  };
}

/** Of two that write at once the first is kept, whole. */
function writeOnce(path: string, record: RemoteRecord): void {
  write(
    () => {
      makeFolder(dirname(path));
      const fresh = `${path}.${process.pid}.new`;
      writeFileSync(fresh, toText(record), { mode: 0o600 });
      try {
        linkSync(fresh, path);
      } finally {
        rmSync(fresh, { force: true });
      }
    },
    path,
    record,
  );
}

/** Where the home cannot be written to, what was seen holds as long as this process. */
const UNWRITTEN = new Map<string, RemoteRecord>();
function write(work: () => void, path: string, record: RemoteRecord): void {
  try {
    work();
  } catch {
    if (readRecord(path) === undefined) UNWRITTEN.set(path, record);
  }
}
