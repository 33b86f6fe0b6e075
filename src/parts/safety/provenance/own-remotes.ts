import { resolve } from 'node:path';
import { parseGitConfig } from '../../../base/git-config.ts';
import { findGitFolders } from '../../../base/git-folder.ts';
import type { RemoteSetting } from '../../../contracts/owner-remotes.ts';
import { gitVerb } from '../command/rules/git.ts';
import { listFlagValues, listOperands } from '../command/rules/rows.ts';

/** Whether a call of git speaks with nobody but those the repository knew when the session began. */
export type SpeaksWithOwnRemotes = (args: readonly string[], cwd: string | undefined) => boolean;

/** A repository as it was when the session began. */
export interface RepositoryAtStart {
  readonly folder: string;
  readonly config: string;
  /** Whether a setting of it is the owner's, and not one that an earlier session added. */
  isOwners?(setting: RemoteSetting): boolean;
}

/** What of its settings says whom git speaks with, by the name of the remote; `''` is for whatever may hold for any. */
function readWays(config = '', isOwners: RepositoryAtStart['isOwners'] = () => true): ReadonlyMap<string, readonly string[]> | undefined {
  const entries = parseGitConfig(config)?.filter(isOwners);
  if (entries === undefined) return undefined;
  const ways = entries.flatMap(({ section, subsection = '', name, key, value = '' }) => {
    if (section === 'remote' && name === 'url') return [[subsection, value] as const];
    const leads = section === 'url' || section.startsWith('include') || (section === 'branch' && name === 'remote' && /[:/]/.test(value));
    return leads ? [['', `${key}=${value}`] as const] : [];
  });
  return new Map([...new Set(ways.map(([of]) => of))].map((of) => [of, ways.flatMap(([each, way]) => (each === of ? [way] : []))]));
}

/** What the remotes of a repository have is text of the project, like its history; one that came later is somebody else. */
export function createOwnRemotes(start: RepositoryAtStart, text: (path: string) => string | undefined): SpeaksWithOwnRemotes {
  return (args, cwd) => {
    const [verb, rest] = gitVerb(args);
    const before = args.slice(0, args.indexOf(verb));
    const operands = listOperands(rest).filter((word) => !/^\d+$/.test(word));
    if (cwd === undefined || before.some((word) => /^(?:-c|--(?:git-dir|config-env|exec-path|work-tree))/.test(word))) return false;
    if (!/^(?:fetch|pull|ls-remote)$/.test(verb) || operands.some((word) => /[:\uE000-\uE006]|^[./~]/.test(word))) return false;
    const folder = findGitFolders(resolve(cwd, ...listFlagValues(before, /^-C$/)), text)?.common;
    const [then, now] = [readWays(start.config, start.isOwners), folder === start.folder ? readWays(text(`${folder}/config`)) : undefined];
    if (then === undefined || now === undefined) return false;
    const known = new Set([...then.values()].flat());
    const named = operands.filter((word) => now.has(word));
    // A word that is no remote's name may be a folder's.
    if (operands.length > 0 && named.length === 0) return false;
    return ['', ...(named.length > 0 ? named : now.keys())].every((name) => (now.get(name) ?? []).every((way) => known.has(way)));
  };
}
