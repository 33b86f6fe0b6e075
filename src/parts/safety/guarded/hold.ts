import { dirname } from 'node:path';
import { graftConfigEntries, parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';
import { isWithin } from '../../../base/within.ts';
import type { HeldChange } from '../../../contracts/wall.ts';
import type { GuardedChange } from './changes.ts';
import { compareConfigs } from './config-change.ts';
import { readState, tryLstat } from './file-state.ts';
import type { GitConfigScope } from '../../../base/harmless-git-settings.ts';
import type { KnownFiles } from './known-files.ts';
import type { GuardedLook } from './look.ts';
import { cutLines, describeChange } from './preview.ts';
import { makeFolderAgain, moveFolderBack, putState } from './put-back.ts';

/** Puts a file back as a whole. */
export function holdFile({ path, before, after }: GuardedChange, known: KnownFiles): HeldChange {
  if (before?.gitFolder !== undefined) makeParentsAgain(path, before.gitFolder);
  putState(path, before?.state);
  return {
    path,
    what: (after ?? before)?.what ?? 'start-up file',
    change: before === undefined ? 'created' : after === undefined ? 'removed' : 'changed',
    preview: describeChange(before?.state, after?.state),
    apply: async () => {
      putState(path, after?.state);
      known.rememberPut(path, after, after?.state);
    },
  };
}

const makeParentsAgain = (path: string, gitFolder: string): void => {
  for (const folder of [dirname(dirname(path)), dirname(path)])
    if (isWithin(gitFolder, folder) && folder !== gitFolder) makeFolderAgain(folder);
};

/**
 * Puts the settings of a config file back that could run or redirect something, and leaves the others; nothing when there are
 * none. `onAgreed` is told of those that the owner agreed to.
 */
export function holdSettings(
  { path, before, after }: GuardedChange,
  known: KnownFiles,
  scope: GitConfigScope,
  onAgreed: (settings: readonly GitConfigEntry[]) => void = () => {},
): HeldChange | undefined {
  if (after?.state.kind !== 'file' || (before !== undefined && before.state.kind !== 'file'))
    return holdFile({ path, before, after }, known);
  const [old, text] = [before?.state.content.toString('latin1') ?? '', after.state.content.toString('latin1')];
  const { held, text: kept = text, preview } = compareConfigs(old, text, scope);
  if (held.size === 0) {
    known.remember(path, after);
    return undefined;
  }
  const state = kept === '' && before === undefined ? undefined : { ...after.state, content: Buffer.from(kept, 'latin1') };
  putState(path, state);
  known.rememberPut(path, after, state);
  return {
    path,
    what: after.what,
    change: before === undefined ? 'created' : 'changed',
    preview: Buffer.from(cutLines(preview), 'latin1').toString(),
    apply: async () => {
      const current = readState(path, undefined, 0)?.content.toString('latin1') ?? '';
      const grafted = held.has('*') ? undefined : graftConfigEntries(current, text, held);
      const agreed = { ...after.state, content: Buffer.from(grafted ?? text, 'latin1') };
      putState(path, agreed);
      known.rememberPut(path, after, agreed);
      onAgreed((parseGitConfig(text) ?? []).filter(({ key }) => held.has('*') || held.has(key)));
    },
  };
}

/** Another repository, or a way to one, in the place of a known one that lies elsewhere now: the known one goes back. */
export const holdRepositories = (known: KnownFiles, now: GuardedLook): readonly HeldChange[] =>
  [...known.repositories.values()].flatMap((old): readonly HeldChange[] => {
    if (now.repositories.get(old.gitFolder)?.identity === old.identity) return [];
    const moved = [...now.repositories.values()].find(
      ({ identity, gitFolder }) => identity === old.identity && gitFolder !== old.gitFolder,
    );
    // `git submodule absorbgitdirs` moves one for good reason.
    if (moved === undefined || tryLstat(old.gitFolder) === undefined || moved.gitFolder.includes('/modules/')) {
      known.forget(old, moved);
      return [];
    }
    const aside = moveFolderBack(moved.gitFolder, old.gitFolder);
    return [
      {
        path: old.gitFolder,
        what: 'git link',
        change: 'changed',
        preview: `- the repository that was there\n+ another one; it is now in ${aside}`,
        apply: async () => {
          moveFolderBack(old.gitFolder, moved.gitFolder);
          moveFolderBack(aside, old.gitFolder);
        },
      },
    ];
  });
