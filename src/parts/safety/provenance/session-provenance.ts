import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { findGitFolders } from '../../../base/git-folder.ts';
import { lazy } from '../../../base/lazy.ts';
import { isWithin } from '../../../base/within.ts';
import type { OwnerRemotes } from '../../../contracts/owner-remotes.ts';
import type { Provenance } from '../../../contracts/safety.ts';
import type { RepositoryAtStart } from './own-remotes.ts';
import { hasLocalFiles } from '../../../contracts/terminal.ts';

/** Judging where words come from and go to is loaded with the first call. */
export function createSessionProvenance(profile: string, kind: string, workspace: string): Provenance {
  const roots = { user: homedir(), profile };
  const repository = hasLocalFiles(kind) ? readRepository(workspace) : undefined;
  const load = lazy(async () => {
    const { openProvenance } = await import('./provenance.ts');
    const { createAgentScriptReader } = await import('../judge/agent-scripts.ts');
    const read = hasLocalFiles(kind) ? createAgentScriptReader({ workspace, shared: kind === 'local' }) : undefined;
    const { createOwnRemotes } = await import('./own-remotes.ts');
    const { openRemotesOfHome } = await import('../guarded/owner-remotes.ts');
    const remotes = openRemotesOfHome(profile);
    return openProvenance(roots, {
      isThere: canRead(kind, workspace),
      read,
      workspace,
      isGuarded: kind === 'sandbox',
      ...(repository !== undefined && { isOwnRemote: createOwnRemotes(withOwners(repository, remotes), readText) }),
    });
  });
  return {
    foreign: async (call, outcome) => (await load()).foreign(call, outcome),
    project: async (call, failed) => (await load()).project(call, failed),
    lasting: async (call) => (await load()).lasting(call),
  };
}

/** A sandbox shares the working folder with this machine; what else it holds, and other machines, cannot be looked at from here. */
const canRead =
  (kind: string, workspace: string) =>
  (path: string): boolean =>
    kind === 'local' || (kind === 'sandbox' && isWithin(workspace, path)) ? existsSync(path) : true;

/** Read before the first command of the session can change it. */
function readRepository(workspace: string): RepositoryAtStart | undefined {
  const folder = findGitFolders(workspace, readText, existsSync)?.common;
  return folder === undefined ? undefined : { folder, config: readText(`${folder}/config`) ?? '' };
}

const withOwners = (repository: RepositoryAtStart, remotes: OwnerRemotes): RepositoryAtStart => ({
  ...repository,
  isOwners: (setting) => remotes.isOwners(repository.folder, setting),
});

const MAX_BYTES = 1024 * 1024;
function readText(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
