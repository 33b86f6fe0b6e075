import type { FileIdentity } from '../../../../contracts/safety.ts';

export type LookAtFile = (path: string) => FileIdentity | undefined;

/** Where a command stands and what is known about names there. */
export interface ShellContext {
  /** Where it runs; `undefined` when that is only known when it runs. */
  readonly cwd: string | undefined;
  readonly home: string;
  /** Where the line began: the working folder of the session. */
  readonly base: string;
  /** The agent's own folder. */
  readonly profile?: string;
  /** Folders where the owner's shell finds programs by their name. */
  readonly programFolders?: readonly string[];
  /** A path with the links in it followed, those of the line and those of the disk. */
  readonly real?: (path: string) => string;
  readonly look?: LookAtFile;
  /** What this very line has made so far, as `kind name`. */
  readonly made?: ReadonlySet<string>;
}
