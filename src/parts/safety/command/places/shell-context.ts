import type { FileIdentity } from '../../../../contracts/safety.ts';

export type LookAtFile = (path: string) => FileIdentity | undefined;

/** Another machine, or a container of this one. */
export type RemotePlace = 'host' | 'container';

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
  /** Whether a checkpoint keeps all that lies at a path before the line runs. */
  readonly keeps?: (path: string) => boolean;
  /** Whether every secret in a file is taken out of whatever a command shows. */
  readonly masks?: (path: string) => boolean;
  /** What this very line has made so far, as `kind name`. */
  readonly made?: ReadonlySet<string>;
  /** On another machine: paths there are its own, and nothing of it is the project. */
  readonly remote?: RemotePlace;
}
