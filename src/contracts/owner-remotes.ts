import type { GitConfigEntry } from '../base/git-config.ts';

/** A setting of a repository that says whom git speaks with, and how. */
export type RemoteSetting = Pick<GitConfigEntry, 'key' | 'name' | 'value'>;

/**
 * Remembers for good which remotes of a repository are the owner's: those that were there before any command of an agent could
 * write to it, and those the owner agreed to. All others may have been added by a command, or by a script it ran.
 */
export interface OwnerRemotes {
  /** Commands may write to these folders from now on: what the repositories in them name is the owner's. Later calls change nothing. */
  begin(folders: readonly string[]): void;
  /** Whether a setting is the owner's. `gitFolder` is where the repository keeps its settings. */
  isOwners(gitFolder: string, setting: RemoteSetting): boolean;
  /** The owner agreed to these settings. */
  agree(gitFolder: string, settings: readonly RemoteSetting[]): void;
}
